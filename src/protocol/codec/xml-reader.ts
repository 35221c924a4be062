/**
 * Reading XML into its thin tree: one linear pass that bounds, checks and cuts the text at once. General parsers
 * normalise what they read, so that the spelling had to be found again beside them, at several times the cost.
 */
import type { Limits } from './limits.ts';
import { malformed, tooLarge } from './problems.ts';
import type { XmlAttribute, XmlDocument, XmlElement, XmlNode } from './xml-tree.ts';

const NAME = /[:A-Z_a-z\u00b7-\uffff][\w:.\u00b7-\uffff-]*/y;
const ATTRIBUTE =
  /[ \t\r\n]+([:A-Z_a-z\u00b7-\uffff][\w:.\u00b7-\uffff-]*)[ \t\r\n]*=[ \t\r\n]*("[^"]*"|'[^']*')/y;
/** No reference: devices send these, and they are mended. */
const BARE = '&(?!(?:[A-Za-z_]\\w{0,19}|#\\d{1,8}|#x[0-9A-Fa-f]{1,8});)';
const BARE_IN_TAG = new RegExp(BARE, 'g');
/** In text it may stand in comments, CDATA sections and processing instructions. */
const BARE_IN_TEXT = new RegExp(`<(?:!--[^]*?--|!\\[CDATA\\[[^]*?\\]\\]|\\?[^]*?\\?)>|${BARE}`, 'g');
const NO_ATTRIBUTES: readonly XmlAttribute[] = [];

export interface ReadXml extends Omit<XmlDocument, 'repairs'> {
  /** How many bare `&` were read as `&amp;`. */
  readonly ampersands: number;
}

/** Throws `answer-too-large` over a bound, `malformed-answer` for DOCTYPE and for what is not well formed. */
export function readXmlText(text: string, limits: Limits): ReadXml {
  if (text.length > limits.bytes) throw tooLarge('bytes', limits.bytes);
  return new Reader(text, limits).document();
}

class Reader {
  readonly #text: string;
  readonly #limits: Limits;
  #at = 0;
  #nodes = 0;
  #ampersands = 0;

  constructor(text: string, limits: Limits) {
    this.#text = text;
    this.#limits = limits;
  }

  document(): ReadXml {
    const prolog = this.#outsideRoot();
    if (this.#at === this.#text.length) throw malformed('The XML document does not have a root element.');
    const root = this.#element(1);
    const epilog = this.#outsideRoot();
    if (this.#at < this.#text.length) throw this.#wrong(this.#at);
    return { prolog, root, epilog, ampersands: this.#ampersands };
  }

  /** White space, comments, the declaration and processing instructions; a mark of the byte order at the start. */
  #outsideRoot(): string {
    const start = this.#at;
    if (start === 0 && this.#code(0) === 0xfeff) this.#at = 1;
    this.#space();
    while (this.#isMarkup(this.#at) && !this.#text.startsWith('<![CDATA[', this.#at)) {
      this.#skipMarkup();
      this.#space();
    }
    return this.#text.slice(start, this.#at);
  }

  #element(depth: number): XmlElement {
    if (depth > this.#limits.depth) throw tooLarge('depth', this.#limits.depth);
    const start = this.#at;
    const name = this.#code(start) === 0x3c ? this.#match(NAME, start + 1)?.[0] : undefined;
    if (name === undefined) throw this.#wrong(start);
    this.#count();
    const attributes = this.#attributes();
    this.#space();
    const isEmpty = this.#code(this.#at) === 0x2f;
    if (isEmpty) this.#at += 1;
    this.#endTag();
    const open = this.#mended(BARE_IN_TAG, start);
    if (isEmpty) return { kind: 'element', name, attributes, open, close: '', children: [] };
    const children = this.#children(depth);
    const end = this.#at;
    this.#count();
    if (!this.#text.startsWith(name, end + 2)) throw this.#wrong(end);
    this.#at = end + 2 + name.length;
    this.#space();
    this.#endTag();
    return { kind: 'element', name, attributes, open, close: this.#text.slice(end, this.#at), children };
  }

  #attributes(): readonly XmlAttribute[] {
    let found: XmlAttribute[] | undefined;
    let names: Set<string> | undefined;
    for (;;) {
      const start = this.#at;
      const [, name = '', quoted = ''] = this.#match(ATTRIBUTE, start) ?? [];
      if (name === '') return found ?? NO_ATTRIBUTES;
      this.#count();
      found ??= [];
      names ??= new Set();
      if (names.has(name)) throw this.#wrong(start);
      names.add(name);
      found.push({ name, raw: quoted.slice(1, -1) });
    }
  }

  /** Up to the end tag of what holds them. */
  #children(depth: number): XmlNode[] {
    const children: XmlNode[] = [];
    let start = this.#at;
    for (;;) {
      this.#at = this.#text.indexOf('<', this.#at);
      if (this.#at < 0) throw cutOff();
      if (this.#isMarkup(this.#at)) {
        this.#skipMarkup();
        continue;
      }
      if (this.#at > start) children.push({ kind: 'text', raw: this.#mended(BARE_IN_TEXT, start) });
      if (this.#code(this.#at + 1) === 0x2f) return children;
      children.push(this.#element(depth + 1));
      start = this.#at;
    }
  }

  /** `<!` or `<?` */
  #isMarkup(at: number): boolean {
    const second = this.#code(at + 1);
    return this.#code(at) === 0x3c && (second === 0x21 || second === 0x3f);
  }

  /** A comment, CDATA section or processing instruction; any other `<!` is refused. */
  #skipMarkup(): void {
    const [opening, closing] =
      (
        [
          ['<!--', '-->'],
          ['<![CDATA[', ']]>'],
          ['<?', '?>'],
        ] as const
      ).find(([opens]) => this.#text.startsWith(opens, this.#at)) ?? [];
    if (opening === undefined || closing === undefined)
      throw malformed('The document declares a DOCTYPE or entities; such documents are refused.');
    const end = this.#text.indexOf(closing, this.#at + opening.length);
    if (end < 0) throw cutOff();
    this.#at = end + closing.length;
  }

  #endTag(): void {
    if (this.#at >= this.#text.length) throw cutOff();
    if (this.#code(this.#at) !== 0x3e) throw this.#wrong(this.#at);
    this.#at += 1;
  }

  #space(): void {
    // Devices put control characters before a document too.
    while (this.#code(this.#at) <= 0x20) this.#at += 1;
  }

  #match(expression: RegExp, at: number): RegExpExecArray | undefined {
    expression.lastIndex = at;
    const found = expression.exec(this.#text) ?? undefined;
    if (found !== undefined) this.#at = expression.lastIndex;
    return found;
  }

  #count(): void {
    this.#nodes += 1;
    if (this.#nodes > this.#limits.nodes) throw tooLarge('nodes', this.#limits.nodes);
  }

  /** The text from `start` to here. */
  #mended(bare: RegExp, start: number): string {
    const text = this.#text.slice(start, this.#at);
    if (!text.includes('&')) return text;
    let out = '';
    let at = 0;
    // One by one: a million of them are not gathered before they are too many.
    for (const { 0: found, index } of text.matchAll(bare)) {
      if (found !== '&') continue;
      this.#ampersands += 1;
      if (this.#ampersands > this.#limits.mends) throw tooLarge('mends', this.#limits.mends);
      out += `${text.slice(at, index)}&amp;`;
      at = index + 1;
    }
    return out + text.slice(at);
  }

  #code(at: number): number {
    return this.#text.charCodeAt(at);
  }

  #wrong(at: number): Error {
    let line = 1;
    let start = 0;
    for (let each = 0; each < at; each += 1) {
      if (this.#code(each) !== 0x0a) continue;
      line += 1;
      start = each + 1;
    }
    return malformed(`The XML document is not well formed (line ${line}, column ${at - start + 1}).`);
  }
}

function cutOff(): Error {
  return malformed('The XML document is cut off.');
}
