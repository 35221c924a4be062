import type { TemplateVariable } from '#shared/model.ts';

/** Input of the person: text of a control, or the state of a check box. */
export type RawValues = Readonly<Record<string, string | boolean>>;

/** A complaint as a key of the locale with its named values. */
export interface Complaint {
  readonly key: `form.${'required' | 'notNumber' | 'notInteger' | 'tooSmall' | 'tooLarge'}`;
  readonly named: { readonly min?: number; readonly max?: number };
}

interface ReadValues {
  readonly values: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly complaints: Readonly<Record<string, Complaint>>;
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}

/** Builds the initial values of the form: the defaults, and earlier input under the same name. */
export function buildInitialValues(
  variables: readonly TemplateVariable[],
  before: RawValues = {},
): RawValues {
  return Object.fromEntries(
    variables.map((variable) => {
      const previous = Object.hasOwn(before, variable.name) ? before[variable.name] : undefined;
      const isBoolean = variable.type === 'boolean' && variable.options === undefined;
      if (isBoolean)
        return [variable.name, typeof previous === 'boolean' ? previous : variable.default === true];
      return [
        variable.name,
        typeof previous === 'string' && previous !== '' ? previous : textOf(variable.default),
      ];
    }),
  );
}

const NUMBER = /^[+-]?(\d+([.,]\d+)?|[.,]\d+)$/;

function readNumber(variable: TemplateVariable, text: string): number | Complaint {
  if (!NUMBER.test(text)) return { key: 'form.notNumber', named: {} };
  const number = Number(text.replace(',', '.'));
  if (variable.type === 'integer' && !Number.isInteger(number)) return { key: 'form.notInteger', named: {} };
  if (variable.min !== undefined && number < variable.min)
    return { key: 'form.tooSmall', named: { min: variable.min } };
  if (variable.max !== undefined && number > variable.max)
    return { key: 'form.tooLarge', named: { max: variable.max } };
  return number;
}

function readOne(
  variable: TemplateVariable,
  raw: string | boolean | undefined,
): { readonly value: unknown } | Complaint {
  if (typeof raw === 'boolean') return { value: raw };
  // A password may begin or end with a blank; everything else is read without.
  const text = variable.type === 'secret' ? (raw ?? '') : (raw ?? '').trim();
  if (text === '') {
    const mayBeEmpty = variable.type === 'string' && variable.default === '';
    return mayBeEmpty ? { value: '' } : { key: 'form.required', named: {} };
  }
  if (variable.options !== undefined)
    return { value: variable.options.find((option) => String(option) === text) };
  if (variable.type === 'string' || variable.type === 'secret') return { value: text };
  const number = readNumber(variable, text);
  return typeof number === 'number' ? { value: number } : number;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Reads the typed values of the form, secrets apart, and the complaints by variable. `elsewhere`: variables
 * that may be empty, as each device has its own value; so may a secret that the vault has.
 */
export function readValues(
  variables: readonly TemplateVariable[],
  raw: RawValues,
  elsewhere: ReadonlySet<string> = NONE,
): ReadValues {
  const values: Record<string, unknown> = {};
  const secrets: Record<string, string> = {};
  const complaints: Record<string, Complaint> = {};
  for (const variable of variables) {
    const read = readOne(variable, Object.hasOwn(raw, variable.name) ? raw[variable.name] : undefined);
    if ('key' in read) {
      if (read.key !== 'form.required' || !(elsewhere.has(variable.name) || variable.saved === true))
        complaints[variable.name] = read;
    } else if (variable.type === 'secret') secrets[variable.name] = String(read.value);
    else values[variable.name] = read.value;
  }
  return { values, secrets, complaints };
}
