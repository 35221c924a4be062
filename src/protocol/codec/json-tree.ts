/** The tree of places of a JSON document whose grammar and nesting were checked before. */
import { readOwnJson } from '#shared/read-json.ts';

/** One value with its place in the text; `children` of an object are properties (key, value). */
export interface JsonNode {
  readonly type: 'object' | 'array' | 'property' | 'string' | 'number' | 'boolean' | 'null';
  readonly offset: number;
  length: number;
  /** Value of a single node; undefined for lists and objects. A number too large for this computer stays the text that the device wrote. */
  readonly value: unknown;
  readonly parent: JsonNode | undefined;
  readonly children: JsonNode[] | undefined;
}

/**
 * Reads `text`, which must be well-formed JSON nested no deeper than the stack bears: grammar errors
 * are not looked for again. General parsers with places look for them and take several times as long.
 */
export function parseJsonTree(text: string): JsonNode {
  return new Reader(text).value(undefined);
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(parent: JsonNode | undefined): JsonNode {
    switch (this.#next()) {
      case 0x7b:
        return this.#held('object', parent, 0x7d);
      case 0x5b:
        return this.#held('array', parent, 0x5d);
      case 0x22:
        return this.#string(parent);
      case 0x74:
        return this.#single('boolean', parent, 4, true);
      case 0x66:
        return this.#single('boolean', parent, 5, false);
      case 0x6e:
        return this.#single('null', parent, 4, null);
      default:
        return this.#number(parent);
    }
  }

  #held(type: 'object' | 'array', parent: JsonNode | undefined, end: number): JsonNode {
    const children: JsonNode[] = [];
    const node: JsonNode = { type, offset: this.#at, length: 0, value: undefined, parent, children };
    this.#at += 1;
    while (this.#next() !== end) {
      children.push(type === 'object' ? this.#property(node) : this.value(node));
      if (this.#next() === 0x2c) this.#at += 1;
    }
    this.#at += 1;
    node.length = this.#at - node.offset;
    return node;
  }

  #property(parent: JsonNode): JsonNode {
    const children: JsonNode[] = [];
    const node: JsonNode = {
      type: 'property',
      offset: this.#at,
      length: 0,
      value: undefined,
      parent,
      children,
    };
    children.push(this.#string(node));
    this.#next();
    // The colon.
    this.#at += 1;
    children.push(this.value(node));
    node.length = this.#at - node.offset;
    return node;
  }

  #string(parent: JsonNode | undefined): JsonNode {
    const text = this.#text;
    const offset = this.#at;
    let at = offset + 1;
    let isEscaped = false;
    for (let code = text.charCodeAt(at); code !== 0x22; code = text.charCodeAt(at)) {
      if (code === 0x5c) isEscaped = true;
      at += code === 0x5c ? 2 : 1;
    }
    const value: unknown = isEscaped ? readOwnJson(text.slice(offset, at + 1)) : text.slice(offset + 1, at);
    return this.#single('string', parent, at + 1 - offset, value);
  }

  #number(parent: JsonNode | undefined): JsonNode {
    let end = this.#at + 1;
    while (isOfNumber(this.#text.charCodeAt(end))) end += 1;
    const text = this.#text.slice(this.#at, end);
    const number = Number(text);
    return this.#single('number', parent, text.length, Number.isFinite(number) ? number : text);
  }

  #single(type: JsonNode['type'], parent: JsonNode | undefined, length: number, value: unknown): JsonNode {
    const node: JsonNode = { type, offset: this.#at, length, value, parent, children: undefined };
    this.#at += length;
    return node;
  }

  /** The next character that is no white space; it stays to be read. */
  #next(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d)
      code = this.#text.charCodeAt((this.#at += 1));
    return code;
  }
}

/** Digits, sign, point, exponent. */
function isOfNumber(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2e ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x65 ||
    code === 0x45
  );
}
