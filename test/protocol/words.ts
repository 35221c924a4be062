/** The vocabulary of definitions, for payloads that a test makes up. */
import { list, type Field, type ListField } from '#protocol/index.ts';

export { choice, flag, float, int, json, list, object, opaque, text, when, xml } from '#protocol/index.ts';

/** A list whose items follow each other without a wrapper. */
export function bare(name: string, label: string, item: Field): ListField {
  return list(name, label, item, { bare: true });
}
