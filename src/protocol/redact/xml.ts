/** Masking inside an XML tree: everything that is not masked keeps its spelling. */
import { MASK } from '#shared/exchange.ts';
import type { Field } from '../definition.ts';
import { getElementName } from '../codec/xml-read.ts';
import { getLocalName, getElementText, type XmlElement, type XmlNode } from '../codec/xml-tree.ts';
import { isSecretHolder, isSecretName } from './names.ts';
import { redactPlain, maskPlainSecrets } from './plain.ts';
import type { Found } from './found.ts';

/** Attributes that say nothing secret about a secret element. */
const LIMITS = new Set(['min', 'max', 'size', 'version']);
const ATTRIBUTE = /([^\s=<>"'/]+)(\s*=\s*)("[^"]*"|'[^']*')/g;
const TRUTH = /^\s*(true|false)?\s*$/;

/** The element with its secrets masked; `field` describes it where something does. */
export function redactElement(
  element: XmlElement,
  field: Field | undefined,
  hide: boolean,
  found: Found,
): XmlElement {
  return {
    ...element,
    open: redactTag(element.open, hide),
    children: hide
      ? hidden(element, found)
      : element.children.map((child) => redactNode(child, field, found)),
  };
}

function redactNode(node: XmlNode, holder: Field | undefined, found: Found): XmlNode {
  if (node.kind === 'text')
    return {
      kind: 'text',
      raw: node.raw.includes('<!--') ? redactPlain(node.raw) : maskPlainSecrets(node.raw),
    };
  const name = getLocalName(node);
  const field = fieldOf(holder, name);
  return redactElement(
    node,
    field,
    field === undefined ? isSecretElement(node) : field.sensitive === true,
    found,
  );
}

/** Judges an element by its name; a stricter list applies to one that only holds others. */
export function isSecretElement(element: XmlElement): boolean {
  const name = getLocalName(element);
  const holdsOthers =
    element.children.some((child) => child.kind === 'element') && getElementText(element).trim() === '';
  return holdsOthers ? isSecretHolder(name) : isSecretName(name);
}

function fieldOf(holder: Field | undefined, name: string): Field | undefined {
  if (holder?.kind === 'list') return holder.item.name === name ? holder.item : undefined;
  if (holder?.kind !== 'object') return undefined;
  const field = holder.fields.find((candidate) => getElementName(candidate) === name);
  return field?.kind === 'list' && field.bare === true ? field.item : field;
}

/** The content of a secret element; children keep their names so that the form of it stays visible. */
function hidden(element: XmlElement, found: Found): readonly XmlNode[] {
  const inner = element.children.filter((child) => child.kind === 'element');
  if (inner.length > 0) {
    return element.children.map((child) =>
      child.kind === 'element'
        ? redactElement(child, undefined, true, found)
        : { kind: 'text', raw: child.raw.trim() === '' ? child.raw : MASK },
    );
  }
  const text = getElementText(element);
  if (TRUTH.test(text)) return [{ kind: 'text', raw: text }];
  found.add(text);
  return [{ kind: 'text', raw: MASK }];
}

function redactTag(open: string, hide: boolean): string {
  if (!open.includes('=')) return open;
  return open.replace(ATTRIBUTE, (_whole, name: string, equals: string, quoted: string) => {
    const local = name.slice(name.indexOf(':') + 1);
    const quote = quoted.charAt(0);
    if (hide ? !LIMITS.has(local) && !name.startsWith('xmlns') : isSecretName(local))
      return `${name}${equals}${quote}${MASK}${quote}`;
    return `${name}${equals}${maskPlainSecrets(quoted)}`;
  });
}
