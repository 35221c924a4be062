import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decode,
  encode,
  isFulfilled,
  merge,
  operations,
  parseXml,
  rootField,
  isSameValue,
  serializeXml,
  type Payload,
} from '#protocol/index.ts';
import { payloadPatch, payloadValue } from './arbitrary.ts';
import { inversePatch, mergeValue } from './merge-value.ts';
import { dice, oddJson, oddXml, STRANGERS, type Dice } from './odd-wire.ts';

/** More runs for a hunt: `FUZZ_RUNS=500 vitest run test/protocol/round-trip.test.ts`. */
const RUNS = { numRuns: Number(process.env['FUZZ_RUNS'] ?? 12), endOnFailure: true };
const payloads: readonly (readonly [string, Payload])[] = operations.flatMap((operation) => {
  const found: [string, Payload][] = [];
  if (operation.request !== undefined) found.push([`${operation.id} request`, operation.request]);
  if (operation.response !== undefined) found.push([`${operation.id} response`, operation.response]);
  return found;
});

function disorder(payload: Payload, value: unknown, roll: Dice): string {
  return payload.format === 'xml' ? oddXml(payload, value, roll) : oddJson(payload, value, roll);
}

/** The order of items that have a key does not count. */
function same(payload: Payload, one: unknown, other: unknown): boolean {
  return isFulfilled(rootField(payload), one, other) && isFulfilled(rootField(payload), other, one);
}

describe.each(payloads)('%s', (_, payload) => {
  it('reads back what it wrote (a field that is lost or changes its type)', () => {
    fc.assert(
      fc.property(payloadValue(payload), (value) => {
        const read = decode(payload, encode(payload, value, { namespace: 'urn:a&b' }));

        expect(read.notes).toEqual([]);
        expect(read.value).toEqual(value);
      }),
      RUNS,
    );
  });

  it('keeps every byte of a document that nobody changes (a PUT that loses what it did not understand)', () => {
    fc.assert(
      fc.property(payloadValue(payload), dice, (value, roll) => {
        const text = disorder(payload, value, roll);
        const read = decode(payload, text);

        expect(read.value).toEqual(value);
        expect(merge(read.document, payload, payload.rootItem === undefined ? {} : read.value).text).toBe(
          text,
        );
        expect(merge(read.document, payload, read.value).text).toBe(text);
        if (payload.format === 'xml') expect(serializeXml(parseXml(text))).toBe(text);
      }),
      RUNS,
    );
  });

  it('changes what was asked and nothing else, once and for all, and can take it back (a merge that drifts)', () => {
    fc.assert(
      fc.property(payloadValue(payload), payloadPatch(payload), dice, (value, patch, roll) => {
        const text = disorder(payload, value, roll);
        const read = decode(payload, text);

        const once = merge(read.document, payload, patch, isSameValue);
        const twice = merge(once.document, payload, patch, isSameValue);
        const fresh = decode(payload, once.text);
        const undone = merge(once.document, payload, inversePatch(payload, value, patch), isSameValue);

        expect(fresh.value).toEqual(once.value);
        expect(same(payload, once.value, mergeValue(payload, value, patch))).toBe(true);
        expect(twice.text).toBe(once.text);
        expect(same(payload, undone.value, value)).toBe(true);
        expect(same(payload, decode(payload, undone.text).value, value)).toBe(true);
        expect(read.document.text).toBe(text);
      }),
      RUNS,
    );
  });

  it('leaves strangers alone when a single field is set (unknown elements dropped by a write)', () => {
    const fields = payload.fields.filter((field) => field.kind !== 'object' && field.kind !== 'list');
    fc.assert(
      fc.property(payloadValue(payload), payloadPatch(payload), dice, (value, full, roll) => {
        if (payload.rootItem !== undefined) return;
        const patch = Object.fromEntries(
          fields.map((field) => [field.name, (full as Record<string, unknown>)[field.name]]),
        );
        const text = disorder(payload, value, roll);

        const merged = merge(decode(payload, text).document, payload, patch).text;

        for (const stranger of STRANGERS)
          expect(merged.split(stranger).length).toBe(text.split(stranger).length);
      }),
      RUNS,
    );
  });
});
