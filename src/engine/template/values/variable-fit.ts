/**
 * Does a variable suit the field it stands in, before it has a value? Judged by its declared type
 * and range; where it does, a stand-in lets the rest of the section be checked.
 */
import type { Field } from '#protocol/index.ts';
import { createDetail, type Detail } from '#shared/details.ts';
import type { ErrorCode } from '#shared/errors.ts';
import type { VariableDeclaration } from '../document.ts';

type Fit =
  | { readonly ok: true; readonly standIn: unknown }
  | { readonly ok: false; readonly code: ErrorCode; readonly detail: Detail };

const TEXT_STAND_IN: Readonly<Partial<Record<Field['kind'], string>>> = {
  datetime: '2000-01-01T00:00:00',
  date: '2000-01-01',
  time: '00:00:00',
  minutes: '00:00',
};

/** The variable alone (`${x}`) as the value of the field. */
export function fitVariable(variable: VariableDeclaration, field: Field): Fit {
  switch (field.kind) {
    case 'int':
    case 'float':
      return fitNumber(variable, field);
    case 'bool':
      return variable.type === 'boolean'
        ? { ok: true, standIn: false }
        : wrong(variable, field, 'true or false', 'boolean');
    case 'choice':
      return fitChoice(variable, field);
    case 'string':
    case 'datetime':
    case 'date':
    case 'time':
    case 'minutes':
      return variable.type === 'string' || variable.type === 'secret'
        ? { ok: true, standIn: textFor(field) }
        : wrong(variable, field, 'text', 'string');
    case 'opaque':
      return { ok: true, standIn: '' };
    case 'object':
    case 'list':
      return {
        ok: false,
        code: 'wrong-type',
        detail: createDetail('single-value', {
          field: field.name,
          takes: field.kind === 'list' ? 'a list' : 'an object',
        }),
      };
  }
}

/** A text with a variable inside as the value of the field: its own value, or a stand-in where only text fits. */
export function makeTextStandIn(field: Field, text: string): string {
  return field.kind === 'string' || field.kind === 'time'
    ? textFor(field)
    : (TEXT_STAND_IN[field.kind] ??
        (field.kind === 'choice' ? String(field.options[0]?.value ?? text) : text));
}

function wrong(variable: VariableDeclaration, field: Field, takes: string, type: string): Fit {
  return {
    ok: false,
    code: 'wrong-type',
    detail: createDetail('variable-for-field', {
      field: field.name,
      takes,
      variable: variable.name,
      type: variable.type,
      needs: type,
    }),
  };
}

function fitNumber(variable: VariableDeclaration, field: Extract<Field, { kind: 'int' | 'float' }>): Fit {
  const fits = variable.type === 'integer' || (variable.type === 'number' && field.kind === 'float');
  if (!fits)
    return wrong(
      variable,
      field,
      field.kind === 'int' ? 'a whole number' : 'a number',
      field.kind === 'int' ? 'integer' : 'number',
    );
  const low = Math.max(variable.min ?? -Infinity, field.min ?? -Infinity);
  const high = Math.min(variable.max ?? Infinity, field.max ?? Infinity);
  if (low > high) {
    return { ok: false, code: 'out-of-range', detail: rangesApart(variable, field) };
  }
  const standIn = Number.isFinite(low) ? low : Number.isFinite(high) ? high : 0;
  return { ok: true, standIn: field.kind === 'int' ? Math.ceil(standIn) : standIn };
}

function fitChoice(variable: VariableDeclaration, field: Extract<Field, { kind: 'choice' }>): Fit {
  const values = field.options.map((option) => option.value);
  const numeric = values.every((value) => typeof value === 'number');
  const fits = numeric
    ? variable.type === 'integer' || variable.type === 'number'
    : variable.type === 'string';
  const options = values.slice(0, 10).join(', ');
  if (!fits)
    return {
      ok: false,
      code: 'wrong-type',
      detail: createDetail('variable-for-options', {
        field: field.name,
        options,
        variable: variable.name,
        type: variable.type,
        needs: numeric ? 'integer' : 'string',
      }),
    };
  const common =
    variable.options === undefined ? values : values.filter((value) => variable.options?.includes(value));
  const inRange = common.filter(
    (value) =>
      typeof value !== 'number' ||
      (value >= (variable.min ?? -Infinity) && value <= (variable.max ?? Infinity)),
  );
  const [standIn] = inRange;
  if (standIn === undefined) {
    return {
      ok: false,
      code: 'not-allowed',
      detail: createDetail('options-apart', { variable: variable.name, field: field.name, options }),
    };
  }
  return { ok: true, standIn };
}

function textFor(field: Field): string {
  if (field.kind === 'time' && field.zoned) return '00:00:00Z';
  if (field.kind !== 'string') return TEXT_STAND_IN[field.kind] ?? '';
  if (field.csv !== undefined) return String(field.csv.min);
  return 'x'.repeat(Math.min(Math.max(field.minLength ?? 1, 1), field.maxLength ?? 1));
}

function rangesApart(
  variable: VariableDeclaration,
  field: { readonly name: string; readonly min?: number; readonly max?: number },
): Detail {
  const [none, endless] = ['no lowest', 'no highest'];
  return createDetail('ranges-apart', {
    variable: variable.name,
    variableMin: variable.min ?? none,
    variableMax: variable.max ?? endless,
    field: field.name,
    min: field.min ?? none,
    max: field.max ?? endless,
  });
}
