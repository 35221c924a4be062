/** Words of the interface: names of fields, their options and what they are called on screens. */
import { operations } from '../catalogue.ts';
import type { Field } from '../definition.ts';
import { rootField } from '../fields/field-at.ts';

/** Common words for accounts and places. */
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

/** Gathers the names and options of the fields of all documents. */
function gather(): readonly string[] {
  const found = new Set<string>(USUAL);
  const open: Field[] = [];
  for (const { request, response, params } of operations) {
    for (const { name } of params) found.add(name);
    for (const payload of [request, response]) if (payload !== undefined) open.push(rootField(payload));
  }
  for (let field = open.pop(); field !== undefined; field = open.pop()) {
    found.add(field.name).add(field.label);
    if (field.kind === 'choice')
      for (const { value, label } of field.options) found.add(String(value)).add(label);
    if (field.kind === 'object') open.push(...field.fields);
    if (field.kind === 'list') open.push(field.item);
  }
  return [...found];
}

function wordsOf(text: string): readonly string[] {
  const parts = text.split(/[^\p{L}\p{N}]|(?<=\p{Ll})(?=\p{Lu})/u);
  return [text, ...parts].map((word) => word.toLowerCase());
}

let texts: readonly string[] | undefined;
/**
 * All words in lower case, in one text: a password hardly occurs in it, and words are compared only if it
 * does.
 */
let together = '';

/** Returns whether a text occurs in documents and sentences without being a secret. */
export function isInterfaceWord(text: string): boolean {
  if (texts === undefined) {
    texts = gather();
    together = texts.join('\n').toLowerCase();
  }
  const word = text.toLowerCase();
  return together.includes(word) && texts.some((one) => wordsOf(one).includes(word));
}
