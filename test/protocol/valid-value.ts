/** Generated values that the definition takes as a whole body, and such a value made wrong in one place. */
import fc from 'fast-check';
import { validate, type Field, type ListField, type Payload } from '#protocol/index.ts';
import { leaf } from './arbitrary.ts';

export type Plain = Record<string, unknown>;
type Path = readonly (string | number)[];

/** Every required field, the others now and then, no read-only ones; conditions and rules hold. */
export function validValue(payload: Payload): fc.Arbitrary<unknown> {
  const any =
    payload.rootItem === undefined
      ? objectValue(payload.fields)
      : fc.array(valueOf(payload.rootItem), { maxLength: 3 });
  return any
    .map((value) => mended(payload, structuredClone(value)))
    .filter((value) => isValid(payload, value));
}

function valueOf(field: Field): fc.Arbitrary<unknown> {
  if (field.kind === 'object') return objectValue(field.fields);
  if (field.kind === 'list') return listValue(field);
  return field.kind === 'string' && BASE64.has(field.name)
    ? fc.base64String({ minLength: 4, maxLength: 64 })
    : leaf(field);
}

/** Texts that a rule wants encoded (part 2, 2.7; part 3, 2.5). */
const BASE64: ReadonlySet<string> = new Set(['fingerData', 'key']);

function listValue(field: ListField): fc.Arbitrary<unknown> {
  const items = fc.array(valueOf(field.item), {
    minLength: field.minItems ?? 0,
    maxLength: Math.max(field.minItems ?? 0, Math.min(field.maxItems ?? 3, 3)),
  });
  const { key } = field;
  // No two items have the same key.
  return key === undefined ? items : items.map((all) => withoutTwins(all as readonly Plain[], key));
}

/** White space around a name in XML is no part of it for most devices. */
export function withoutTwins(items: readonly Plain[], key: string): readonly Plain[] {
  const name = (item: Plain): string | undefined =>
    item[key] === undefined ? undefined : String(item[key]).trim();
  return items.filter(
    (item, index) =>
      name(item) === undefined || items.findIndex((other) => name(other) === name(item)) === index,
  );
}

function objectValue(fields: readonly Field[]): fc.Arbitrary<Plain> {
  const written = fields.filter((field) => field.readOnly !== true);
  const model = Object.fromEntries(written.map((field) => [field.name, valueOf(field)]));
  return fc.record(model, {
    requiredKeys: written.filter((field) => field.required === true).map((field) => field.name),
    noNullPrototype: true,
  }) as fc.Arbitrary<Plain>;
}

function isValid(payload: Payload, value: unknown): boolean {
  return validate(payload, value, { mode: 'whole' }).length === 0;
}

/** Takes away what a condition or a rule complains about, until there are no more complaints. */
function mended(payload: Payload, value: unknown): unknown {
  for (let round = 0; round < 60; round += 1) {
    const [issue] = validate(payload, value, { mode: 'whole' });
    if (issue === undefined) return value;
    const path = segments(issue.path);
    // An object that misses a field is removed as a whole.
    if (!takeAway(value, issue.code === 'missing-field' ? path.slice(0, -1) : path)) return value;
  }
  return value;
}

function segments(path: string): Path {
  return path
    .split(/[.[\]]/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((held, name) => (held as Plain | undefined)?.[name as string], value);
}

/** One item of a list, the list when it is empty, or the member itself. */
function takeAway(value: unknown, path: Path): boolean {
  const found = at(value, path);
  if (Array.isArray(found) && found.length > 0) return found.pop() !== undefined;
  const name = path.at(-1);
  const holder = at(value, path.slice(0, -1));
  if (Array.isArray(holder) && typeof name === 'number') return holder.splice(name, 1).length > 0;
  return (
    typeof holder === 'object' &&
    holder !== null &&
    name !== undefined &&
    Reflect.deleteProperty(holder, name)
  );
}

export interface Wrong {
  readonly value: unknown;
  /** Change and its place, for the report of a failure. */
  readonly what: string;
}

/** A valid value with one thing in it that the definition forbids; nothing where there is nothing to break. */
export function wrongValue(payload: Payload): fc.Arbitrary<Wrong | undefined> {
  return fc.tuple(validValue(payload), fc.nat()).map(([value, pick]) => {
    const root: Field =
      payload.rootItem === undefined
        ? { kind: 'object', name: '', label: '', fields: payload.fields }
        : { kind: 'list', name: '', label: '', item: payload.rootItem };
    const breaks = breaksOf(root, value, []);
    const one = breaks[pick % Math.max(1, breaks.length)];
    return one && { value: one.apply(structuredClone(value)), what: one.what };
  });
}

interface Break {
  readonly what: string;
  readonly apply: (value: unknown) => unknown;
}

function breaksOf(field: Field, value: unknown, path: Path): readonly Break[] {
  if (value === undefined) return [];
  const here = ownBreaks(field, value).map(([what, bad]): Break => ({
    what: `${path.join('.') || 'root'}: ${what}`,
    apply: (whole) => put(whole, path, bad),
  }));
  if (field.kind === 'object') {
    const missing = field.fields
      .filter(
        (inner) =>
          inner.required === true && inner.readOnly !== true && (value as Plain)[inner.name] !== undefined,
      )
      .map((inner): Break => ({
        what: `${[...path, inner.name].join('.')}: missing`,
        apply: (whole) => {
          takeAwayMember(whole, [...path, inner.name]);
          return whole;
        },
      }));
    return [
      ...here,
      ...missing,
      ...field.fields.flatMap((inner) =>
        breaksOf(inner, (value as Plain)[inner.name], [...path, inner.name]),
      ),
    ];
  }
  if (field.kind === 'list')
    return [
      ...here,
      ...(value as unknown[]).flatMap((item, index) => breaksOf(field.item, item, [...path, index])),
    ];
  return here;
}

function takeAwayMember(whole: unknown, path: Path): void {
  Reflect.deleteProperty(at(whole, path.slice(0, -1)) as object, path.at(-1) ?? '');
}

function put(whole: unknown, path: Path, bad: unknown): unknown {
  const name = path.at(-1);
  if (name === undefined) return bad;
  (at(whole, path.slice(0, -1)) as Plain)[name as string] = bad;
  return whole;
}

/** Values that the field itself forbids. */
function ownBreaks(field: Field, value: unknown): readonly (readonly [string, unknown])[] {
  switch (field.kind) {
    case 'int':
    case 'float':
      return [
        ...(field.min === undefined ? [] : [['below its range', field.min - 1] as const]),
        ...(field.max === undefined || ('maxAt' in field && field.maxAt !== undefined)
          ? []
          : [['above its range', field.max + 1] as const]),
        ...(field.kind === 'int' ? [['not whole', 1.5] as const] : []),
        ...(field.decimals === undefined
          ? []
          : [
              [
                'too many decimals',
                Number(((field.min ?? 0) + 1.1 / 10 ** (field.decimals + 1)).toFixed(field.decimals + 2)),
              ] as const,
            ]),
        ['no number', 'many'],
      ];
    case 'bool':
      return [['neither true nor false', 'maybe']];
    case 'choice':
      return [['none of its options', typeof field.options[0]?.value === 'number' ? -99 : 'none of them']];
    case 'string':
      return [
        ...(field.maxLength === undefined ? [] : [['too long', 'x'.repeat(field.maxLength + 1)] as const]),
        ...(field.minLength === undefined || field.minLength === 0 || !field.required
          ? []
          : [['too short', ''] as const]),
        ...(field.csv === undefined
          ? []
          : [
              ['no list of numbers', '1,x'] as const,
              ['an empty number', '1,,2'] as const,
              ...(field.csv.min > 0 ? [['a number below', String(field.csv.min - 1)] as const] : []),
            ]),
        ...(field.pattern === undefined ? [] : [['of another form', '\u00a7'] as const]),
      ];
    case 'time':
      return [
        ['no time', '8 o clock'],
        ['an hour 25', '25:00:00'],
        ['after the end of the day', '24:00:01'],
        ['a fraction after it', '24:00:00.5'],
        ['without seconds', '08:00'],
        ['a zone of 15 hours', '08:00:00+15:00'],
        ['a zone without a colon', '08:00:00+0800'],
        ...(field.zoned ? [['without its zone', '08:00:00'] as const] : []),
      ];
    case 'opaque':
      return [
        ['no object', 5],
        ['a list', [{}]],
      ];
    case 'minutes':
      return [
        ['a minute 60', '08:60'],
        ['with seconds', '08:00:00'],
        ['24:01', '24:01'],
      ];
    case 'date':
      return [
        ['no day', '2023-02-29'],
        ['a month 13', '2024-13-01'],
        ['words', 'today'],
      ];
    case 'datetime':
      return [
        ['no day', '2023-02-29T00:00:00'],
        ['no time', '2024-02-29'],
        ['after the end of the day', '2024-02-29T24:00:01'],
        ['a blank between', '2024-02-29 08:00:00'],
        ['a zone of 15 hours', '2024-02-29T08:00:00+15:00'],
      ];
    case 'list': {
      const items = value as readonly unknown[];
      const [first] = items;
      return [
        ...(field.maxItems === undefined || first === undefined
          ? []
          : [['too many items', Array.from({ length: field.maxItems + 1 }, () => first)] as const]),
        ...(field.minItems === undefined || field.minItems === 0
          ? []
          : [['too few items', items.slice(0, field.minItems - 1)] as const]),
      ];
    }
    default:
      return [];
  }
}
