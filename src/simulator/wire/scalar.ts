/** One scalar of the wire against its field: the text an element holds or the value a JSON member has. */
import type { ChoiceField, Field, NumberField, StringField } from '../../protocol/definition.ts';

const INT = /^[+-]?\d+$/;
const FLOAT = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
/** As XML Schema part 2 writes times, which is also ISO 8601; 24:00:00 ends a day. */
const CLOCK =
  '(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?|24:00:00)(?:Z|[+-](?:(?:0\\d|1[0-3]):[0-5]\\d|14:00))?';
const ZONED = /(?:Z|[+-]\d{2}:\d{2})$/;
const DAY = '(\\d{4})-(\\d{2})-(\\d{2})';
const TIMES: Readonly<Record<'datetime' | 'date' | 'time' | 'minutes', RegExp>> = {
  datetime: new RegExp(`^${DAY}T${CLOCK}$`),
  date: new RegExp(`^${DAY}(?:T${CLOCK})?$`),
  time: new RegExp(`^${CLOCK}$`),
  minutes: /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/,
};

/** What is wrong with an XML element's text, or undefined. */
export function checkText(field: Field, text: string): string | undefined {
  switch (field.kind) {
    case 'string':
      return checkString(field, text);
    case 'int':
      return INT.test(text.trim()) ? checkRange(field, Number(text)) : 'is not a whole number';
    case 'float':
      return FLOAT.test(text.trim()) ? checkRange(field, Number(text)) : 'is not a number';
    case 'bool':
      return text.trim() === 'true' || text.trim() === 'false' ? undefined : 'is neither true nor false';
    case 'choice':
      return checkOption(field, text.trim());
    case 'datetime':
    case 'date':
    case 'time':
    case 'minutes':
      if (!isTime(field.kind, text.trim())) return `is not a ${field.kind}`;
      return field.zoned && !ZONED.test(text.trim()) ? 'has no offset from UTC' : undefined;
    default:
      return undefined;
  }
}

/** What is wrong with a JSON value, or undefined. JSON has types: `"1"` is no number. */
export function checkJsonScalar(field: Field, value: unknown): string | undefined {
  switch (field.kind) {
    case 'int':
      return Number.isInteger(value) ? checkRange(field, value as number) : 'is not a whole number';
    case 'float':
      return typeof value === 'number' ? checkRange(field, value) : 'is not a number';
    case 'bool':
      return typeof value === 'boolean' ? undefined : 'is neither true nor false';
    case 'choice':
      return field.options.some((option) => option.value === value) ? undefined : notAnOption(field);
    case 'opaque':
      return isObject(value) ? undefined : 'is not an object';
    case 'object':
    case 'list':
      return undefined;
    default:
      return typeof value === 'string' ? checkText(field, value) : 'is not a text';
  }
}

function isTime(kind: keyof typeof TIMES, text: string): boolean {
  const match = TIMES[kind].exec(text);
  if (match === null || match[1] === undefined) return match !== null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  // The last day of a month is the day before the first of the next.
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function checkString(field: StringField, text: string): string | undefined {
  const length = [...text].length;
  if (length < (field.minLength ?? 0)) return `is shorter than ${field.minLength}`;
  if (length > (field.maxLength ?? Number.POSITIVE_INFINITY)) return `is longer than ${field.maxLength}`;
  if (field.pattern !== undefined && !new RegExp(field.pattern).test(text))
    return 'has another form than expected';
  if (field.csv && text !== '') return checkNumberList(field.csv, text);
  return undefined;
}

function checkNumberList(
  limits: { readonly min: number; readonly max?: number },
  text: string,
): string | undefined {
  const numbers = text.split(',').map((part) => part.trim());
  if (!numbers.every((part) => /^\d+$/.test(part))) return 'is not a list of numbers with commas';
  return numbers.every(
    (part) => Number(part) >= limits.min && Number(part) <= (limits.max ?? Number.MAX_SAFE_INTEGER),
  )
    ? undefined
    : 'holds a number that is not allowed';
}

function checkRange(field: NumberField, value: number): string | undefined {
  if (field.min !== undefined && value < field.min) return `is below ${field.min}`;
  // the end of a plane is that of the device
  if (field.maxAt === undefined && field.max !== undefined && value > field.max)
    return `is above ${field.max}`;
  if (field.decimals !== undefined && Number(value.toFixed(field.decimals)) !== value)
    return `has more than ${field.decimals} decimals`;
  return undefined;
}

function checkOption(field: ChoiceField, text: string): string | undefined {
  return field.options.some((option) => String(option.value) === text) ? undefined : notAnOption(field);
}

function notAnOption(field: ChoiceField): string {
  return `is none of ${field.options.map((option) => option.value).join(', ')}`;
}

/** A JSON object. */
export type Plain = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
