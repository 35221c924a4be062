/** Whatever is asked and whatever a device holds: applying a plan and planning again finds nothing, and nothing else is touched. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode, encode, validate, type Field, type Payload } from '#protocol/index.ts';
import { computeDesiredState } from '#engine/planning/pure/desired.ts';
import { payloadOf } from './documents.ts';

const SETTINGS = [
  'thermal.thermometryBasic',
  'thermal.thermometryMode',
  'events.thermometrySchedule',
  'accessControl.hostConfig',
  'accessControl.eventOptimization',
  'humanRecognition.config',
  'passback.basic',
  'events.thermometryPresetTrigger',
];

/** Any value of the field's type; `whole` gives every member of an object a value. */
function valueOf(field: Field): fc.Arbitrary<unknown> {
  switch (field.kind) {
    case 'bool':
      return fc.boolean();
    case 'int':
      return fc.integer({
        min: Math.max(field.min ?? -1000, -1000),
        max: Math.min(field.max ?? 1000, 100_000),
      });
    case 'float':
      return fc
        .integer({ min: Math.ceil((field.min ?? -50) * 100), max: Math.floor((field.max ?? 50) * 100) })
        .map((cents) => Number((cents / 100).toFixed(field.decimals ?? 2)));
    case 'choice':
      return fc.constantFrom(...field.options.map((option) => option.value));
    case 'time':
      return fc
        .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
        .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}:00`);
    case 'minutes':
      return fc.constant('08:00');
    case 'date':
      return fc.constant('2030-01-01');
    case 'datetime':
      return fc.constant('2030-01-01T00:00:00');
    case 'string':
      return fc.string({
        minLength: Math.max(field.minLength ?? 1, 1),
        maxLength: Math.min(field.maxLength ?? 8, 8),
        unit: fc.constantFrom('a', 'B', '7', '&', '<', 'ü', '-'),
      });
    case 'object':
      return membersOf(field.fields);
    case 'list':
      return fc.array(valueOf(field.item), {
        minLength: field.minItems ?? 0,
        maxLength: Math.min(field.maxItems ?? 3, Math.max(3, field.minItems ?? 0)),
      });
    case 'opaque':
      return fc.constant({});
  }
}

function membersOf(fields: readonly Field[]): fc.Arbitrary<Record<string, unknown>> {
  const writable = fields.filter((field) => field.readOnly !== true);
  return fc.record(Object.fromEntries(writable.map((field) => [field.name, valueOf(field)])), {
    requiredKeys: [],
  });
}

/** A device document with things in it that no list names. */
function documentOf(payload: Payload, value: unknown): string {
  const text = encode(payload, value, { namespace: 'urn:odd' });
  if (payload.format === 'json')
    return payload.root === undefined ? text : text.replace('{', '{"vendorExtra": {"code": "007"}, ');
  return text.replace(
    new RegExp(`</${payload.root ?? ''}>`),
    `<vendorExtra code="007">1.50</vendorExtra></${payload.root ?? ''}>`,
  );
}

describe.each(SETTINGS)('%s', (name) => {
  const payload = payloadOf(name);
  const any = membersOf(payload.fields);

  it('planning again after applying is empty, and applying again writes the same bytes', () => {
    fc.assert(
      fc.property(any, any, (held, patch) => {
        fc.pre(validate(payload, patch, { mode: 'patch' }).every((issue) => issue.code !== 'wrong-type'));
        const before = decode(payload, documentOf(payload, held));

        const first = computeDesiredState(payload, patch, before);
        const after = decode(payload, first.text);
        const second = computeDesiredState(payload, patch, after);

        expect(second.changes).toEqual([]);
        expect(second.text).toBe(first.text);
        expect(first.text.includes('007')).toBe(before.document.text.includes('007'));
      }),
      { numRuns: 60, seed: 20 },
    );
  });

  it('without changes the document is written as it was read', () => {
    fc.assert(
      fc.property(any, (held) => {
        const before = decode(payload, documentOf(payload, held));

        expect(computeDesiredState(payload, held, before)).toMatchObject({
          text: before.document.text,
          changes: [],
        });
        expect(computeDesiredState(payload, {}, before)).toMatchObject({
          text: before.document.text,
          changes: [],
        });
      }),
      { numRuns: 60, seed: 21 },
    );
  });
});
