/** Checks of single values: type, range, options, length, pattern, form of times. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { createDetail } from '#shared/details.ts';
import type { Field, StringField, TimeField } from './definition.ts';
import { isXmlText } from './codec/escape.ts';
import { isLonger, spellNumber, getTypeName } from './codec/scalar.ts';
import { findNearestName } from './nearest.ts';
import { issueOf, type Issue } from './issue.ts';

type Leaf = Exclude<Field, { kind: 'object' | 'list' | 'opaque' }>;

/** The complaint about one value, if any; `only` are the flags a device allows. */
export function checkLeaf(
  field: Leaf,
  value: unknown,
  path: string,
  only?: readonly string[],
): Issue | undefined {
  switch (field.kind) {
    case 'int':
    case 'float': {
      if (
        typeof value !== 'number' ||
        !Number.isFinite(value) ||
        (field.kind === 'int' && !Number.isInteger(value))
      )
        return wrongType(field, path);
      return checkRange(field, value, path) ?? checkDecimals(field, value, path);
    }
    case 'bool':
      if (typeof value !== 'boolean') return wrongType(field, path);
      return only !== undefined &&
        only.length > 0 &&
        !only.some((word) => word === String(value) || word === (value ? '1' : '0'))
        ? {
            ...issueOf(
              'not-allowed',
              path,
              createDetail('only-on-device', { field: path, options: only.join(', ') }),
            ),
            allowed: { options: only },
          }
        : undefined;
    case 'choice': {
      const options = field.options.map((option) => option.value);
      if (options.some((option) => option === value)) return undefined;
      if (typeof value !== 'string' && typeof value !== 'number') return wrongType(field, path);
      const nearest = typeof value === 'string' ? findNearestName(value, options.map(String)) : undefined;
      const detail =
        options.length === 0
          ? createDetail('nothing-in-common', { field: path })
          : createDetail('must-be-one-of', { field: path, options: options.join(', ') });
      return removeUndefined({ ...issueOf('not-allowed', path, detail), allowed: { options }, nearest });
    }
    default:
      if (typeof value !== 'string') return wrongType(field, path);
      if (!isXmlText(value))
        return issueOf('not-allowed', path, createDetail('control-character', { field: path }));
      return field.kind === 'string' ? checkText(field, value, path) : checkTime(field, value, path);
  }
}

function wrongType(field: Field, path: string): Issue {
  return issueOf('wrong-type', path, createDetail('needs-type', { field: path, takes: getTypeName(field) }));
}

function checkRange(
  field: { readonly min?: number; readonly max?: number; readonly unit?: string },
  value: number,
  path: string,
): Issue | undefined {
  const { min, max } = field;
  if ((min === undefined || value >= min) && (max === undefined || value <= max)) return undefined;
  const unit = field.unit === undefined ? '' : ` ${field.unit}`;
  const range =
    min === undefined
      ? createDetail('range-up-to', { field: path, max: `${max}${unit}` })
      : max === undefined
        ? createDetail('range-from', { field: path, min: `${min}${unit}` })
        : min > max
          ? createDetail('nothing-in-common', { field: path })
          : createDetail('range-between', { field: path, min, max: `${max}${unit}` });
  return { ...issueOf('out-of-range', path, range), allowed: removeUndefined({ min, max }) };
}

function checkDecimals(
  field: { readonly decimals?: number },
  value: number,
  path: string,
): Issue | undefined {
  if (field.decimals === undefined || Number(value.toFixed(field.decimals)) === value) return undefined;
  return issueOf(
    'out-of-range',
    path,
    createDetail('too-many-decimals', {
      field: path,
      most: field.decimals,
      nearest: spellNumber(Number(value.toFixed(field.decimals))),
    }),
  );
}

function checkText(field: StringField, value: string, path: string): Issue | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = field;
  const allowed = removeUndefined({ minLength: field.minLength, maxLength: field.maxLength });
  if (isLonger(value, maxLength))
    return {
      ...issueOf('too-long', path, createDetail('longer', { field: path, max: maxLength })),
      allowed,
    };
  if (!isLonger(value, minLength - 1))
    return {
      ...issueOf('out-of-range', path, createDetail('shorter', { field: path, min: minLength })),
      allowed,
    };
  if (field.csv !== undefined) return checkNumbers(field.csv, value, path);
  if (field.pattern !== undefined && !new RegExp(`^(?:${field.pattern})$`, 'u').test(value))
    return issueOf('not-allowed', path, createDetail('wrong-form', { field: path }));
  return undefined;
}

/** Numbers between commas, as in `doorRight`; an empty text is an empty list. */
function checkNumbers(
  csv: { readonly min: number; readonly max?: number },
  value: string,
  path: string,
): Issue | undefined {
  const bad =
    value !== '' &&
    value.split(',').some((part) => {
      const number = /^\s*\d{1,9}\s*$/.test(part) ? Number(part) : Number.NaN;
      return !(number >= csv.min && number <= (csv.max ?? Number.MAX_SAFE_INTEGER));
    });
  if (!bad) return undefined;
  return issueOf(
    'not-allowed',
    path,
    csv.max === undefined
      ? createDetail('numbers-with-commas-from', { field: path, min: csv.min })
      : createDetail('numbers-with-commas', { field: path, min: csv.min, max: csv.max }),
  );
}

/** Forms of ISO 8601 that XML Schema part 2 takes too: `T` between day and time, a colon in the zone. */
const DAY_TIME = /^(\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?$/;
const ZONE = /(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))$/;
const FORMS = {
  minutes: 'HH:MM',
  time: 'HH:MM:SS(+HH:MM)',
  date: 'YYYY-MM-DD',
  datetime: 'YYYY-MM-DDTHH:MM:SS(+HH:MM)',
} as const;

function checkTime({ kind, zoned = false }: TimeField, value: string, path: string): Issue | undefined {
  if (zoned && !ZONE.test(value))
    return issueOf(
      'not-allowed',
      path,
      createDetail('time-zone', { field: path, form: FORMS[kind].replace(/[()]/g, '') }),
    );
  const good =
    kind === 'minutes'
      ? isDayTime(value, 2)
      : kind === 'time'
        ? isDayTime(value.replace(ZONE, ''), 3)
        : isDateTime(value, kind);
  return good
    ? undefined
    : issueOf('not-allowed', path, createDetail('time-form', { field: path, form: FORMS[kind] }));
}

/** 24:00 is a legal end of a day. */
function isDayTime(value: string, parts: 2 | 3): boolean {
  const match = DAY_TIME.exec(value);
  if (match === null || (match[3] === undefined) !== (parts === 2)) return false;
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
  return (
    (hours < 24 && minutes < 60 && seconds < 60) ||
    (hours === 24 && minutes === 0 && seconds === 0 && match[4] === undefined)
  );
}

function isDateTime(value: string, kind: 'date' | 'datetime'): boolean {
  const day = /^(\d{4})-(\d{2})-(\d{2})/.exec(value);
  if (day === null || !isDay(Number(day[1]), Number(day[2]), Number(day[3]))) return false;
  const rest = value.slice(10);
  if (rest === '') return kind === 'date';
  return rest.startsWith('T') && isDayTime(rest.slice(1).replace(ZONE, ''), 3);
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  date.setUTCFullYear(year);
  // A day too many goes on into another month.
  return date.getUTCMonth() === month - 1;
}
