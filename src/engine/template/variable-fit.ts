/**
 * Does a variable suit the field it stands in, before it has a value? Judged by its declared type
 * and range; where it does, a stand-in lets the rest of the section be checked.
 */
import type { Field } from '../../protocol/index.ts';
import type { ErrorCode } from '../../shared/errors.ts';
import type { VariableDeclaration } from './document.ts';

export type Fit =
  | { readonly ok: true; readonly standIn: unknown }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string };

const TEXT_STAND_IN: Readonly<Partial<Record<Field['kind'], string>>> = {
  datetime: '2000-01-01T00:00:00', date: '2000-01-01', time: '00:00:00', minutes: '00:00',
};

/** The variable alone (`${x}`) as the value of the field. */
export function fitVariable(variable: VariableDeclaration, field: Field): Fit {
  switch (field.kind) {
    case 'int':
    case 'float': return fitNumber(variable, field);
    case 'bool': return variable.type === 'boolean' ? { ok: true, standIn: false } : wrong(variable, field, 'true or false', 'boolean');
    case 'choice': return fitChoice(variable, field);
    case 'string':
    case 'datetime':
    case 'date':
    case 'time':
    case 'minutes': return variable.type === 'string' || variable.type === 'secret' ? { ok: true, standIn: textFor(field) } : wrong(variable, field, 'text', 'string');
    case 'opaque': return { ok: true, standIn: '' };
    case 'object':
    case 'list': return { ok: false, code: 'wrong-type', message: `"${field.name}" takes ${field.kind === 'list' ? 'a list' : 'an object'}; a variable holds a single value.` };
  }
}

/** A text with a variable inside as the value of the field: its own value, or a stand-in where only text fits. */
export function standInForText(field: Field, text: string): string {
  return field.kind === 'string' ? textFor(field) : TEXT_STAND_IN[field.kind] ?? (field.kind === 'choice' ? String(field.options[0]?.value ?? text) : text);
}

function wrong(variable: VariableDeclaration, field: Field, takes: string, type: string): Fit {
  return { ok: false, code: 'wrong-type', message: `"${field.name}" takes ${takes}; the variable "${variable.name}" is declared as ${variable.type}, not ${type}.` };
}

function fitNumber(variable: VariableDeclaration, field: Extract<Field, { kind: 'int' | 'float' }>): Fit {
  const fits = variable.type === 'integer' || (variable.type === 'number' && field.kind === 'float');
  if (!fits) return wrong(variable, field, field.kind === 'int' ? 'a whole number' : 'a number', field.kind === 'int' ? 'integer' : 'number');
  const low = Math.max(variable.min ?? -Infinity, field.min ?? -Infinity);
  const high = Math.min(variable.max ?? Infinity, field.max ?? Infinity);
  if (low > high) {
    return { ok: false, code: 'out-of-range', message: `No value of the variable "${variable.name}" (${range(variable)}) fits "${field.name}" (${range(field)}).` };
  }
  const standIn = Number.isFinite(low) ? low : Number.isFinite(high) ? high : 0;
  return { ok: true, standIn: field.kind === 'int' ? Math.ceil(standIn) : standIn };
}

function fitChoice(variable: VariableDeclaration, field: Extract<Field, { kind: 'choice' }>): Fit {
  const values = field.options.map((option) => option.value);
  const numeric = values.every((value) => typeof value === 'number');
  const fits = numeric ? variable.type === 'integer' || variable.type === 'number' : variable.type === 'string';
  if (!fits) return wrong(variable, field, `one of ${values.slice(0, 10).join(', ')}`, numeric ? 'integer' : 'string');
  const common = variable.options === undefined ? values : values.filter((value) => variable.options?.includes(value));
  const inRange = common.filter((value) => typeof value !== 'number' || (value >= (variable.min ?? -Infinity) && value <= (variable.max ?? Infinity)));
  const [standIn] = inRange;
  if (standIn === undefined) {
    return { ok: false, code: 'not-allowed', message: `No value of the variable "${variable.name}" fits "${field.name}", which takes ${values.slice(0, 10).join(', ')}.` };
  }
  return { ok: true, standIn };
}

function textFor(field: Field): string {
  if (field.kind !== 'string') return TEXT_STAND_IN[field.kind] ?? '';
  if (field.csv !== undefined) return String(field.csv.min);
  return 'x'.repeat(Math.min(Math.max(field.minLength ?? 1, 1), field.maxLength ?? 1));
}

function range(limits: { readonly min?: number; readonly max?: number }): string {
  return `${limits.min ?? 'no lowest'} to ${limits.max ?? 'no highest'}`;
}
