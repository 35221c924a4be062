/** Variables made from fields: a type that fits, with the limits the specification gives. */
import { pickLimits, toVariableShape, type VariableShape } from '#protocol/variable-of.ts';
import type { Field, Param } from '#protocol/definition.ts';
import type { TemplateVariable } from '#shared/model.ts';

type Subject = Field | Param;

function isParam(subject: Subject): subject is Param {
  return 'type' in subject;
}

function shapeFor(subject: Subject): VariableShape {
  if (!isParam(subject)) return toVariableShape(subject);
  return subject.type === 'int' ? { type: 'integer', ...pickLimits(subject) } : { type: 'string' };
}

export function fitsSubject(type: TemplateVariable['type'], subject: Subject): boolean {
  const { type: wanted } = shapeFor(subject);
  return (
    type === wanted ||
    (wanted === 'number' && type === 'integer') ||
    (isParam(subject) && subject.type === 'string' && type === 'integer')
  );
}

/** Declaration of a new variable for a field; `value` becomes its default. */
export function buildDeclaration(subject: Subject, value: unknown): Readonly<Record<string, unknown>> {
  const { type, ...limits } = shapeFor(subject);
  const isNumber = type === 'integer' || type === 'number';
  const fits =
    type === 'boolean'
      ? typeof value === 'boolean'
      : isNumber
        ? typeof value === 'number'
        : typeof value === 'string' && !value.includes('${');
  return {
    type,
    ...(fits && type !== 'secret' && { default: value }),
    ...limits,
    description: subject.label,
  };
}

/** A name like the field's that is not taken. */
export function freeName(wanted: string, taken: readonly string[]): string {
  const bare =
    wanted
      .replace(/[^A-Za-z0-9_]/g, '_')
      .replace(/^(?=\d)/, '_')
      .slice(0, 56) || 'value';
  const base = bare.length > 2 && bare.endsWith('ID') && bare !== 'ID' ? bare.slice(0, -2) || bare : bare;
  if (!taken.includes(base)) return base;
  for (let number = 2; ; number += 1) if (!taken.includes(`${base}${number}`)) return `${base}${number}`;
}
