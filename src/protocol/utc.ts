/** Times that are UTC on the wire (part 2, 2.3): one that is written with an offset is the same moment in UTC. */
import type { Field, Payload } from './definition.ts';
import { mapFields, rootField } from './fields/field-at.ts';

const OFFSET = /^\d{4}-\d{2}-\d{2}T.*[+-]\d{2}:\d{2}$/;

/** The moment as it goes out; undefined where it goes out as it is written. */
export function toUtcTime(field: Field, value: unknown): string | undefined {
  if (!('utc' in field) || !field.utc || typeof value !== 'string' || !OFFSET.test(value)) return undefined;
  const moment = new Date(value);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString().replace('.000Z', 'Z');
}

/** The value with such times in UTC; everything else is left as it is. */
export function convertTimesToUtc(payload: Payload, value: unknown): unknown {
  return mapFields(
    rootField(payload),
    value,
    ({ field, value: held, inside }) => toUtcTime(field, held) ?? inside(),
  );
}
