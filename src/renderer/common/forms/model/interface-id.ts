import type { Field } from '#protocol/definition.ts';

/**
 * Returns true for a field that only the interface needs: an id, the event type of a schedule, the port or channel in
 * whose address the document lies. One without a value is none: a new entry may have to name it.
 */
export function isInterfaceId(field: Field, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  const { kind, name, perDevice } = field;
  if (kind !== 'string' && kind !== 'int') return false;
  return (
    name === 'id' || (name === 'eventType' && kind === 'string') || (perDevice === true && /ID$/.test(name))
  );
}
