/** Values of variables: strict conversion of text, then the declared range, options and pattern. */
import { createDetail, type Detail } from '#shared/details.ts';
import type { ErrorCode } from '#shared/errors.ts';
import type { VariableDeclaration } from '../document.ts';
import type { PatternWork } from '../pattern.ts';
import { describeKind } from '#template/source-tree.ts';

type Coerced =
  | { readonly ok: true; readonly value: string | number | boolean }
  | { readonly ok: false; readonly code: ErrorCode; readonly detail: Detail };

const INTEGER = /^[+-]?\d{1,15}$/;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/;
const DECIMAL_COMMA = /^[+-]?\d+,\d+$/;
const TEXT_LENGTH = 4096;

const TYPE_WORDS: Readonly<Record<VariableDeclaration['type'], string>> = {
  string: 'text',
  secret: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

/**
 * The typed value of a variable. `fromText` converts what came from a command line or a CSV cell;
 * without it the value must have its type already. The message never quotes a secret.
 */
export function coerceVariable(
  variable: VariableDeclaration,
  raw: unknown,
  options: { readonly fromText: boolean; /** Judges its pattern. */ readonly patterns: PatternWork },
): Coerced {
  const value = options.fromText && typeof raw === 'string' ? fromText(variable, raw) : raw;
  if (!hasType(variable, value)) return wrongType(variable, raw);
  return checkLimits(variable, value, options.patterns);
}

function fromText(variable: VariableDeclaration, text: string): unknown {
  const trimmed = text.trim();
  switch (variable.type) {
    case 'integer':
      return INTEGER.test(trimmed) ? Number(trimmed) : text;
    case 'number':
      return NUMBER.test(trimmed) ? Number(trimmed) : text;
    // Spreadsheets write TRUE and FALSE, however it was typed.
    case 'boolean':
      return /^true$/i.test(trimmed) ? true : /^false$/i.test(trimmed) ? false : text;
    case 'string':
    case 'secret':
      return text;
  }
}

function hasType(variable: VariableDeclaration, value: unknown): value is string | number | boolean {
  switch (variable.type) {
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
    case 'secret':
      return typeof value === 'string';
  }
}

function wrongType(variable: VariableDeclaration, raw: unknown): Coerced {
  const quoted =
    variable.type !== 'secret' && typeof raw === 'string' && raw.length <= 60
      ? `"${raw}"`
      : describeKind(raw);
  const hasComma = typeof raw === 'string' && DECIMAL_COMMA.test(raw.trim());
  return {
    ok: false,
    code: 'wrong-type',
    detail: createDetail(hasComma ? 'variable-takes-point' : 'variable-takes', {
      name: variable.name,
      takes: TYPE_WORDS[variable.type],
      given: quoted,
    }),
  };
}

function checkLimits(
  variable: VariableDeclaration,
  value: string | number | boolean,
  patterns: PatternWork,
): Coerced {
  const { name, min, max, options, pattern } = variable;
  const shown = variable.type === 'secret' ? 'This value' : JSON.stringify(value);
  if (typeof value === 'string' && value.length > TEXT_LENGTH)
    return {
      ok: false,
      code: 'too-long',
      detail: createDetail('variable-too-long', { name, max: TEXT_LENGTH }),
    };
  if (typeof value === 'number' && min !== undefined && value < min)
    return {
      ok: false,
      code: 'out-of-range',
      detail: createDetail('below-variable', { value: shown, min, name }),
    };
  if (typeof value === 'number' && max !== undefined && value > max)
    return {
      ok: false,
      code: 'out-of-range',
      detail: createDetail('above-variable', { value: shown, max, name }),
    };
  if (options !== undefined && !options.includes(value)) {
    return {
      ok: false,
      code: 'not-allowed',
      detail: createDetail('none-of-variable', {
        value: shown,
        name,
        options: options.slice(0, 20).map(String).join(', '),
      }),
    };
  }
  const fits = pattern === undefined || typeof value !== 'string' ? true : patterns.matches(pattern, value);
  if (fits === undefined)
    return { ok: false, code: 'input-too-large', detail: createDetail('patterns-take-too-long') };
  return fits
    ? { ok: true, value }
    : {
        ok: false,
        code: 'not-allowed',
        detail: createDetail('form-of-variable', { value: shown, name, pattern: pattern ?? '' }),
      };
}
