/** Single values between the wire's text and their typed form, for both formats. */
import { say } from '#shared/details.ts';
import type { FieldwrightError } from '#shared/errors.ts';
import type { Field } from '../definition.ts';
import type { FieldRemark } from './notes.ts';
import { createUnwritableError } from './problems.ts';

interface ScalarRead {
  /** Undefined: counts as absent. What is no such type stays the text it is. */
  readonly value: string | number | boolean | undefined;
  readonly note?: FieldRemark;
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const HEXADECIMAL = /^0[xX][0-9a-fA-F]{1,13}$/;

/** Reads wire text as the field's type; never refuses, notes what is odd. */
export function readScalar(field: Field, text: string): ScalarRead {
  switch (field.kind) {
    case 'int':
    case 'float':
      return limited(field, readNumber(field.kind, text));
    case 'bool':
      return readBool(text);
    case 'choice':
      return text === '' && field.emptyWhen !== undefined
        ? { value: text }
        : readChoice(
            field.options.map((option) => option.value),
            text,
          );
    case 'string':
      return field.maxLength !== undefined && isLonger(text, field.maxLength)
        ? { value: text, note: 'read.long' }
        : { value: text };
    case 'datetime':
    case 'time':
    case 'minutes':
      return readTime(field.kind, text);
    default:
      return { value: text };
  }
}

const DAY_TIME =
  /^\s*(\d{4}-\d{2}-\d{2}T)?(\d{1,2}):(\d{2})(?::(\d{2}))?((?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})?)\s*$/;

/** Times without seconds where they are due, or the other way round, and hours of one digit: the form of the specification. */
function readTime(kind: 'datetime' | 'time' | 'minutes', text: string): ScalarRead {
  const [, day, hours, minutes, seconds, rest = ''] = DAY_TIME.exec(text) ?? [];
  if (hours === undefined || (day !== undefined) !== (kind === 'datetime')) return { value: text };
  const begin = `${day ?? ''}${hours.padStart(2, '0')}:${minutes ?? ''}`;
  if (kind === 'minutes' && (Number(seconds ?? 0) !== 0 || rest !== '')) return { value: text };
  const value = kind === 'minutes' ? begin : `${begin}:${seconds ?? '00'}${rest}`;
  return value === text ? { value } : { value, note: 'read.time' };
}

function readNumber(kind: 'int' | 'float', text: string): ScalarRead {
  const trimmed = text.trim();
  if (trimmed === '') return { value: undefined, note: 'read.empty' };
  const number = HEXADECIMAL.test(trimmed) || DECIMAL.test(trimmed) ? Number(trimmed) : Number.NaN;
  if (!Number.isFinite(number)) return { value: text, note: 'read.no-number' };
  return kind === 'int' && !Number.isInteger(number)
    ? { value: number, note: 'read.no-whole' }
    : { value: number };
}

function limited(field: { readonly min?: number; readonly max?: number }, read: ScalarRead): ScalarRead {
  if (typeof read.value !== 'number' || read.note !== undefined) return read;
  const outside =
    (field.min !== undefined && read.value < field.min) ||
    (field.max !== undefined && read.value > field.max);
  return outside ? { value: read.value, note: 'read.outside' } : read;
}

function readBool(text: string): ScalarRead {
  const word = text.trim().toLowerCase();
  if (word === 'true' || word === '1') return { value: true };
  if (word === 'false' || word === '0') return { value: false };
  return word === '' ? { value: undefined, note: 'read.empty' } : { value: text, note: 'read.no-bool' };
}

function readChoice(options: readonly (string | number)[], text: string): ScalarRead {
  const trimmed = text.trim();
  const found =
    options.find((option) => String(option) === text) ?? options.find((option) => String(option) === trimmed);
  if (found !== undefined) return { value: found };
  const note = 'read.no-option';
  if (!options.every((option) => typeof option === 'number')) return { value: text, note };
  const read = readNumber('int', text);
  return typeof read.value === 'number' && options.includes(read.value)
    ? { value: read.value }
    : { value: read.value, note: read.note ?? note };
}

/** Spells a value for the wire; throws `wrong-type` for one that has no spelling as this field. */
export function writeScalar(field: Field, value: unknown, path: string): string {
  switch (field.kind) {
    case 'int':
    case 'float':
      if (typeof value === 'number' && Number.isFinite(value))
        return spellNumber(value, field.kind === 'float' ? field.decimals : undefined);
      break;
    case 'bool':
      if (typeof value === 'boolean') return String(value);
      break;
    case 'choice':
      if (typeof value === 'number' && Number.isFinite(value)) return spellNumber(value);
      break;
    default:
  }
  // Text, or a device's own odd value, read back as text: written as it came.
  if (typeof value === 'string') return value;
  throw createWrongTypeError(field, path);
}

/** The error for a value that is none of the field's type. */
export function createWrongTypeError(field: Field, path: string): FieldwrightError {
  return createUnwritableError(
    'wrong-type',
    path,
    say('needs-type', { field: path || 'The value', takes: getTypeName(field) }),
  );
}

/** Writes a number without exponent, with the field's decimals unless that loses precision. */
export function spellNumber(value: number, decimals?: number): string {
  const fixed = value.toFixed(decimals);
  if (Number(fixed) === value && !fixed.includes('e')) return fixed;
  const plain = String(value);
  if (!plain.includes('e')) return plain;
  return Math.abs(value) >= 1 ? BigInt(value).toString() : value.toFixed(20).replace(/0+$/, '');
}

/** Lengths count characters; one beyond the basic plane is one. */
export function isLonger(text: string, most: number): boolean {
  return text.length > most && (text.length > most * 2 || [...text].length > most);
}

/** "a number", "true or false", … for messages. */
export function getTypeName(field: Field): string {
  const names: Readonly<Record<Field['kind'], string>> = {
    string: 'text',
    int: 'a whole number',
    float: 'a number',
    bool: 'true or false',
    choice: 'one of its options',
    datetime: 'a date and time',
    date: 'a date',
    time: 'a time',
    minutes: 'a time of day',
    object: 'an object',
    list: 'a list',
    opaque: 'an object',
  };
  return names[field.kind];
}
