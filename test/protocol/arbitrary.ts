/** Generated values of payloads and patches to them. */
import fc from 'fast-check';
import type { Field, Payload } from '#protocol/index.ts';

const XML_CHARACTER = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...'abcXYZ0189 .-_<>&"\'/=;#%,:|~'.split('')) },
  { weight: 1, arbitrary: fc.constantFrom('é', '漢', '😀', '\t', '\u00a0') },
);

function digits(value: number): string {
  return String(value).padStart(2, '0');
}
const clock = fc.tuple(fc.nat(23), fc.nat(59), fc.nat(59)).map((parts) => parts.map(digits).join(':'));
const zone = fc.constantFrom('', '', '', 'Z', '+00:00', '-03:30', '+14:00');
/** 24:00:00 is a legal end of a day. */
const dayTime = fc
  .tuple(
    fc.oneof(
      { weight: 8, arbitrary: clock },
      { weight: 1, arbitrary: fc.constantFrom('24:00:00', '00:00:00', '07:30:00.25') },
    ),
    zone,
  )
  .map((parts) => parts.join(''));
const date = fc.constantFrom('2024-02-29', '1999-12-31', '1970-01-01', '2037-12-31');

/** A valid single value. */
export function leaf(field: Field): fc.Arbitrary<unknown> {
  switch (field.kind) {
    case 'int':
      return fc.integer({ min: field.min ?? -(2 ** 31), max: field.max ?? 2 ** 32 - 1 });
    case 'float': {
      const scale = 10 ** (field.decimals ?? 2);
      return fc
        .integer({
          min: Math.ceil((field.min ?? -1000) * scale),
          max: Math.floor((field.max ?? 1000) * scale),
        })
        .map((value) => Number((value / scale).toFixed(field.decimals ?? 2)));
    }
    case 'bool':
      return fc.boolean();
    case 'choice':
      return fc.constantFrom(...field.options.map((option) => option.value));
    case 'time':
      return field.zoned ? dayTime.map((time) => (/[Z+-]/.test(time) ? time : `${time}+05:30`)) : dayTime;
    case 'minutes':
      return fc.oneof(
        { weight: 8, arbitrary: clock.map((time) => time.slice(0, 5)) },
        { weight: 1, arbitrary: fc.constant('24:00') },
      );
    case 'date':
      return fc.oneof(
        date,
        fc.tuple(date, clock, zone).map(([day, time, offset]) => `${day}T${time}${offset}`),
      );
    case 'datetime':
      return fc.tuple(date, clock, zone).map(([day, time, offset]) => `${day}T${time}${offset}`);
    case 'opaque':
      return fc.constantFrom(
        { opaqueA: [1, { opaqueB: null }] },
        {},
        { opaqueX: ['y'] },
        { opaqueText: 'é"\\' },
      );
    case 'string':
      if (field.csv !== undefined)
        return fc
          .array(fc.integer({ min: field.csv.min, max: field.csv.max ?? 99 }), { maxLength: 3 })
          .map((list) => list.join(','));
      if (field.pattern !== undefined)
        return fc.stringMatching(new RegExp(`^(?:${field.pattern})$`, 'u'), { maxLength: 40 });
      return fc.string({
        unit: XML_CHARACTER,
        minLength: field.minLength ?? 0,
        maxLength: Math.min(field.maxLength ?? 12, 12),
      });
    default:
      throw new Error(`${field.name} is no single value`);
  }
}

/** A value of the field: what is required there, the rest now and then. */
export function fieldValue(field: Field): fc.Arbitrary<unknown> {
  if (field.kind === 'object') return objectValue(field.fields);
  if (field.kind === 'list')
    return fc.array(fieldValue(field.item), {
      minLength: Math.min(field.minItems ?? 0, 4),
      maxLength: Math.max(field.minItems ?? 0, 3),
    });
  return leaf(field);
}

function objectValue(fields: readonly Field[]): fc.Arbitrary<Record<string, unknown>> {
  const model: Record<string, fc.Arbitrary<unknown>> = {};
  for (const field of fields) model[field.name] = fieldValue(field);
  return fc.record(model, { requiredKeys: [], noNullPrototype: true });
}

export function payloadValue(payload: Payload): fc.Arbitrary<unknown> {
  return payload.rootItem === undefined
    ? objectValue(payload.fields)
    : fc.array(fieldValue(payload.rootItem), { maxLength: 3 });
}

/** Generates a value with nulls in it, which remove. */
export function payloadPatch(payload: Payload): fc.Arbitrary<unknown> {
  return payload.rootItem === undefined ? objectPatch(payload.fields) : payloadValue(payload);
}

function objectPatch(fields: readonly Field[]): fc.Arbitrary<Record<string, unknown>> {
  const model: Record<string, fc.Arbitrary<unknown>> = {};
  for (const field of fields) {
    const full = field.kind === 'object' ? objectPatch(field.fields) : fieldValue(field);
    model[field.name] = fc.option(full, { freq: 5, nil: null });
  }
  return fc.record(model, { requiredKeys: [], noNullPrototype: true });
}
