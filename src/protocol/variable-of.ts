/** From fields of the specification to variables of templates. */
import type { TemplateVariable } from '#shared/model.ts';
import type { Field } from './definition.ts';
import { inItsUnit } from './units.ts';

export type VariableShape = Pick<TemplateVariable, 'type' | 'min' | 'max' | 'options'>;

/** The template variable that can stand in for a field: its type, with the limits and values the specification gives. */
export function variableOf(field: Field): VariableShape {
  if (field.sensitive === true) return { type: 'secret' };
  switch (field.kind) {
    case 'int':
      return { type: 'integer', ...limitsOf(inItsUnit(field, {}, 'patch')) };
    case 'float':
      return { type: 'number', ...limitsOf(inItsUnit(field, {}, 'patch')) };
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

/** Those of the two that are given. */
export function limitsOf({
  min,
  max,
}: {
  readonly min?: number;
  readonly max?: number;
}): Pick<VariableShape, 'min' | 'max'> {
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}
