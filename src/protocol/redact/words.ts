/** Words of the interface: names of fields, their options and what they are called on screens. */
import { operations } from '../catalogue.ts';
import type { Field } from '../definition.ts';
import { fieldsBelow, rootField } from '../fields/field-at.ts';

/** Accounts and places that everybody writes. */
const USUAL = [
  'admin',
  'administrator',
  'operator',
  'user',
  'users',
  'guest',
  'root',
  'device',
  'camera',
  'login',
  'default',
];

function gather(field: Field, found: Set<string>): void {
  const options = field.kind === 'choice' ? field.options.flatMap(({ value, label }) => [value, label]) : [];
  for (const text of [field.name, field.label, ...options].map(String)) {
    for (const word of [text, ...text.split(/[^\p{L}\p{N}]|(?<=\p{Ll})(?=\p{Lu})/u)])
      found.add(word.toLowerCase());
  }
}

let words: ReadonlySet<string> | undefined;

/** True for a text that stands in documents and sentences without meaning a secret. */
export function isInterfaceWord(text: string): boolean {
  if (words === undefined) {
    const found = new Set(USUAL);
    for (const { request, response, params } of operations) {
      for (const { name } of params) found.add(name.toLowerCase());
      for (const payload of [request, response]) {
        if (payload === undefined) continue;
        const root = rootField(payload);
        for (const field of [root, ...fieldsBelow(root).map((place) => place.field)]) gather(field, found);
      }
    }
    words = found;
  }
  return words.has(text.toLowerCase());
}
