/** Turns fields of the specification into variables of templates. */
import type { TemplateVariable } from '#shared/model.ts';
import type { Field, Param } from './definition.ts';
import { resolveUnit } from './units.ts';

export type VariableShape = Pick<TemplateVariable, 'type' | 'min' | 'max' | 'options'>;

/** Returns the template variable for a field: its type, with the limits and values of the specification. */
export function toVariableShape(field: Field): VariableShape {
  if (field.sensitive === true) return { type: 'secret' };
  switch (field.kind) {
    case 'int':
      return { type: 'integer', ...pickLimits(resolveUnit(field, {}, 'patch')) };
    case 'float':
      return { type: 'number', ...pickLimits(resolveUnit(field, {}, 'patch')) };
    case 'bool':
      return { type: 'boolean' };
    case 'choice': {
      const options = field.options.map(({ value }) => value);
      return { type: options.every((value) => typeof value === 'number') ? 'integer' : 'string', options };
    }
    default:
      return { type: 'string' };
  }
}

/** Returns what a parameter begins with: its default, else the first channel, controller … */
export function getUsualParam(param: Param): string | number {
  return param.default ?? (param.type === 'int' ? Math.max(1, param.min ?? 1) : '1');
}

/** Those of the two that are given. */
export function pickLimits({
  min,
  max,
}: {
  readonly min?: number;
  readonly max?: number;
}): Pick<VariableShape, 'min' | 'max'> {
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}
