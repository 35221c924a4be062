/** Masking inside a JSON text: everything that is not masked keeps its spelling. */
import { MASK } from '#shared/exchange.ts';
import type { Field } from '../definition.ts';
import { listElements, listMembers, type JsonNode } from '../codec/json-text.ts';
import { isSecretHolder, isSecretName } from './names.ts';
import { maskPlainSecrets } from './plain.ts';
import type { Found } from './found.ts';

/** Members of a capability that say nothing secret about a secret field. */
const LIMITS = new Set(['@min', '@max', '@size']);

interface Edit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** The text with the secrets of `tree` masked; `field` describes the root where something does. */
export function redactJson(text: string, tree: JsonNode, field: Field | undefined, found: Found): string {
  const edits: Edit[] = [];
  walk(tree, field, false, edits, found);
  let at = 0;
  const out: string[] = [];
  for (const edit of edits) {
    out.push(text.slice(at, edit.offset), edit.text);
    at = edit.offset + edit.length;
  }
  out.push(text.slice(at));
  return out.join('');
}

function walk(node: JsonNode, field: Field | undefined, hide: boolean, edits: Edit[], found: Found): void {
  if (node.type === 'object') {
    for (const { name, value } of listMembers(node)) {
      const inner =
        field?.kind === 'object' ? field.fields.find((candidate) => candidate.name === name) : undefined;
      const hidden = hide
        ? !LIMITS.has(name)
        : inner === undefined
          ? value.type === 'object'
            ? isSecretHolder(name)
            : isSecretName(name)
          : inner.sensitive === true;
      walk(value, inner, hidden, edits, found);
    }
    return;
  }
  if (node.type === 'array') {
    const item = field?.kind === 'list' ? field.item : field;
    for (const element of listElements(node))
      walk(element, item, hide || item?.sensitive === true, edits, found);
    return;
  }
  const value: unknown = node.value;
  if (hide) {
    if (value === null || value === '' || typeof value === 'boolean') return;
    found.add(String(value));
    edits.push({ offset: node.offset, length: node.length, text: JSON.stringify(MASK) });
  } else if (typeof value === 'string') {
    const clean = maskPlainSecrets(value);
    if (clean !== value)
      edits.push({ offset: node.offset, length: node.length, text: JSON.stringify(clean) });
  }
}
