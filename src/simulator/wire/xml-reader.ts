/**
 * Strict reader of the XML that a device receives. It keeps the position of each element in the text, so that
 * a stored document can be changed at one place and stays byte for byte as sent elsewhere.
 *
 * It is the site's own, apart from the client's lossless codec: code that checks a client must not share the
 * client's leniency, and a fault of that codec shows here instead of cancelling itself out.
 */

export interface XmlNode {
  /** Name without prefix. */
  readonly name: string;
  /** Namespace prefix; empty: none. */
  readonly prefix: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlNode[];
  /** Text directly inside, decoded. */
  readonly text: string;
  /** Positions of the element and of its content in the text. */
  readonly start: number;
  readonly end: number;
  readonly innerStart: number;
  readonly innerEnd: number;
}

interface Open {
  name: string;
  qname: string;
  attributes: Map<string, string>;
  children: XmlNode[];
  text: string;
  start: number;
  innerStart: number;
}

type XmlReading =
  { readonly ok: true; readonly root: XmlNode } | { readonly ok: false; readonly detail: string };

const MAX_DEPTH = 64;
const MAX_NODES = 50_000;
const NAME = /[A-Za-z_:\u00C0-\uFFFD][A-Za-z0-9_:.\-\u00B7-\uFFFD]*/y;
const ATTRIBUTE = /\s+([A-Za-z_:\u00C0-\uFFFD][A-Za-z0-9_:.\-\u00B7-\uFFFD]*)\s*=\s*("[^"<]*"|'[^'<]*')/y;
const TAG_END = /\s*(\/?)>/y;
const ENTITY = /&(?:#x([0-9A-Fa-f]{1,6})|#([0-9]{1,7})|([A-Za-z]+));|&/g;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const FORBIDDEN = /[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/u;

class NotXml extends Error {}

/** Reads one document; DOCTYPE, unknown entities, nesting over 64 and over 50,000 elements are refused. */
export function readXml(source: string): XmlReading {
  try {
    return { ok: true, root: read(source) };
  } catch (thrown) {
    if (thrown instanceof NotXml) return { ok: false, detail: thrown.message };
    throw thrown;
  }
}

function read(source: string): XmlNode {
  if (FORBIDDEN.test(source)) throw new NotXml('A control character.');
  let at = skipDeclaration(source);
  const stack: Open[] = [];
  let root: XmlNode | undefined;
  let nodes = 0;

  while (at < source.length) {
    const next = source.indexOf('<', at);
    const text = source.slice(at, next < 0 ? source.length : next);
    const top = stack.at(-1);
    if (top) top.text += decode(text);
    else if (text.trim() !== '') throw new NotXml('Text outside of the root element.');
    if (next < 0) break;
    at = next;

    if (source.startsWith('<!--', at)) {
      at = after(source, '-->', at + 4);
    } else if (source.startsWith('<![CDATA[', at)) {
      if (!top) throw new NotXml('CDATA outside of the root element.');
      const end = after(source, ']]>', at + 9);
      top.text += source.slice(at + 9, end - 3);
      at = end;
    } else if (source.startsWith('<?', at)) {
      at = after(source, '?>', at + 2);
    } else if (source.startsWith('<!', at)) {
      throw new NotXml('A document type is not accepted.');
    } else if (source.startsWith('</', at)) {
      const qname = match(NAME, source, at + 2)?.[0];
      const end = qname === undefined ? undefined : match(TAG_END, source, at + 2 + qname.length);
      if (!top || qname !== top.qname || !end || end[1] === '/')
        throw new NotXml('An end tag does not match.');
      stack.pop();
      const closed = close(top, at, at + 2 + qname.length + end[0].length);
      at = closed.end;
      const parent = stack.at(-1);
      if (parent) parent.children.push(closed);
      else root = closed;
    } else {
      if (root) throw new NotXml('A second root element.');
      nodes += 1;
      if (nodes > MAX_NODES || stack.length >= MAX_DEPTH)
        throw new NotXml('Too many or too deeply nested elements.');
      const { open, empty, end } = readStart(source, at);
      at = end;
      if (!empty) {
        stack.push(open);
        continue;
      }
      const closed = close(open, end, end);
      if (top) top.children.push(closed);
      else root = closed;
    }
  }
  if (stack.length > 0 || !root) throw new NotXml('The document ends too early.');
  return root;
}

function readStart(source: string, start: number): { open: Open; empty: boolean; end: number } {
  const qname = match(NAME, source, start + 1)?.[0];
  if (qname === undefined) throw new NotXml('A tag without a name.');
  let at = start + 1 + qname.length;
  const attributes = new Map<string, string>();
  for (let found = match(ATTRIBUTE, source, at); found; found = match(ATTRIBUTE, source, at)) {
    const [whole, name = '', quoted = ''] = found;
    if (attributes.has(name)) throw new NotXml('An attribute twice.');
    attributes.set(name, decode(quoted.slice(1, -1)));
    at += whole.length;
  }
  const end = match(TAG_END, source, at);
  if (!end) throw new NotXml('A tag that cannot be read.');
  at += end[0].length;
  const open: Open = {
    name: qname.slice(qname.indexOf(':') + 1),
    qname,
    attributes,
    children: [],
    text: '',
    start,
    innerStart: at,
  };
  return { open, empty: end[1] === '/', end: at };
}

function close(open: Open, innerEnd: number, end: number): XmlNode {
  const { qname, ...rest } = open;
  return { ...rest, prefix: qname.slice(0, Math.max(0, qname.indexOf(':'))), innerEnd, end };
}

/** Skips the declaration, which may name UTF-8 or a part of it only: bodies are read as UTF-8. */
function skipDeclaration(source: string): number {
  if (!/^<\?xml\s/.test(source)) return 0;
  const end = after(source, '?>', 5);
  const encoding = /\sencoding\s*=\s*["']([^"']*)["']/.exec(source.slice(0, end))?.[1];
  if (encoding !== undefined && !/^(utf-?8|us-ascii|ascii)$/i.test(encoding))
    throw new NotXml('Only UTF-8 is accepted.');
  return end;
}

function after(source: string, marker: string, from: number): number {
  const found = source.indexOf(marker, from);
  if (found < 0) throw new NotXml('The document ends too early.');
  return found + marker.length;
}

function match(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (whole, hex?: string, decimal?: string, named?: string) => {
    if (named !== undefined && Object.hasOwn(NAMED, named)) return NAMED[named] ?? '';
    const code =
      hex !== undefined
        ? Number.parseInt(hex, 16)
        : decimal !== undefined
          ? Number.parseInt(decimal, 10)
          : -1;
    if (code < 0 || code > 0x10ffff)
      throw new NotXml(`An unknown entity or a bare &, at "${whole.slice(0, 12)}".`);
    const character = String.fromCodePoint(code);
    if (FORBIDDEN.test(character)) throw new NotXml('A control character.');
    return character;
  });
}

/** Returns the first child with this name. */
export function findChild(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return node?.children.find((child) => child.name === name);
}

/** Returns the trimmed text of the child with this name; undefined if there is none. */
export function getChildText(node: XmlNode | undefined, name: string): string | undefined {
  return findChild(node, name)?.text.trim();
}

/** Replaces the text of `source` from `start` to `end`. */
export function replaceRange(
  source: string,
  range: { readonly start: number; readonly end: number },
  replacement: string,
): string {
  return source.slice(0, range.start) + replacement + source.slice(range.end);
}
