/** One value of the wire against its type: the text an element holds or the value a JSON member has. */
import type { Range, ValueType } from '../specification/shape.ts';

const INT = /^[+-]?\d+$/;
const FLOAT = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
/** XML Schema part 2 and ISO 8601 write times so; 24:00:00 ends a day. */
const CLOCK =
  '(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?|24:00:00)(?:Z|[+-](?:(?:0\\d|1[0-3]):[0-5]\\d|14:00))?';
const ZONED = /(?:Z|[+-]\d{2}:\d{2})$/;
const DAY = '(\\d{4})-(\\d{2})-(\\d{2})';
const TIMES = {
  datetime: new RegExp(`^${DAY}T${CLOCK}$`),
  date: new RegExp(`^${DAY}(?:T${CLOCK})?$`),
  time: new RegExp(`^${CLOCK}$`),
  zoned: new RegExp(`^${CLOCK}$`),
  clock: /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/,
};

/** Returns what is wrong with the text of an element, or undefined. */
export function checkText(type: ValueType, text: string): string | undefined {
  const trimmed = text.trim();
  switch (type.kind) {
    case 'text':
      return type.mayBeEmpty && text === '' ? undefined : checkLength(type.length, text);
    case 'int':
      return INT.test(trimmed) ? checkNumber(type, Number(trimmed)) : 'is not a whole number';
    case 'float':
      return FLOAT.test(trimmed) ? checkNumber(type, Number(trimmed)) : 'is not a number';
    case 'bool':
      return trimmed === 'true' || trimmed === 'false' ? undefined : 'is neither true nor false';
    case 'options':
      return (type.mayBeEmpty && trimmed === '') || type.options.includes(trimmed)
        ? undefined
        : `is none of ${type.options.join(', ')}`;
    case 'numbers':
      return text === '' || text.split(',').every((part) => /^\d+$/.test(part.trim()))
        ? undefined
        : 'is not a list of numbers with commas';
    case 'free':
      return undefined;
    default:
      return checkTime(type.kind, trimmed);
  }
}

/** Returns what is wrong with a JSON value, or undefined. JSON has types: `"1"` is no number. */
export function checkJsonScalar(type: ValueType, value: unknown): string | undefined {
  switch (type.kind) {
    case 'int':
      return Number.isInteger(value) ? checkNumber(type, value as number) : 'is not a whole number';
    case 'float':
      return typeof value === 'number' ? checkNumber(type, value) : 'is not a number';
    case 'bool':
      return typeof value === 'boolean' ? undefined : 'is neither true nor false';
    case 'free':
      return isObject(value) ? undefined : 'is not an object';
    default:
      return typeof value === 'string' ? checkText(type, value) : 'is not a text';
  }
}

function checkTime(kind: keyof typeof TIMES, text: string): string | undefined {
  const match = TIMES[kind].exec(text);
  if (match === null) return `is not a ${kind === 'zoned' ? 'time' : kind}`;
  if (kind === 'zoned' && !ZONED.test(text)) return 'has no offset from UTC';
  if (match[1] === undefined) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  // The last day of a month is the day before the first of the next.
  const exists =
    month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  return exists ? undefined : `is not a ${kind}`;
}

function checkLength({ min, max }: Range, text: string): string | undefined {
  const length = [...text].length;
  if (length < min) return `is shorter than ${min}`;
  return length > max ? `is longer than ${max}` : undefined;
}

function checkNumber(
  { range, decimals }: { readonly range: Range; readonly decimals: number | undefined },
  value: number,
): string | undefined {
  if (value < range.min) return `is below ${range.min}`;
  if (value > range.max) return `is above ${range.max}`;
  return decimals !== undefined && Number(value.toFixed(decimals)) !== value
    ? `has more than ${decimals} decimals`
    : undefined;
}

/** A JSON object. */
export type Plain = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
