/**
 * Mends answers before the strict parser reads them. Small servers write heads that curl and browsers read and llhttp
 * refuses: lines that end in a line feed alone, a line without a name, a space before the colon, the same length twice,
 * an unasked `100 Continue` (RFC 9110, 15.2). What the parser gets is in canonical form, so both agree on
 * where the answer ends. An answer whose end is in doubt (two lengths, RFC 9112, 6.3) is handed on unchanged: the parser
 * refuses it.
 */
import type { Socket } from 'node:net';

/**
 * Longest head, longest line between chunks, and most of heads before an answer and of trailers behind it. The parser
 * refuses what is longer.
 */
const LONGEST = 32 * 1024;
const LF = 0x0a;
const CR = 0x0d;
const CRLF = Buffer.from('\r\n');
const NOTHING = Buffer.alloc(0);
/** Beginning of the text that undici and Node write for a request; pieces of a body are bytes. */
const REQUEST = /^[A-Z]+ \S+ HTTP\/1\.1\r\n/;

/** Mends what comes in over a socket, plain or TLS, from the next request on. */
export function mendAnswers(socket: Socket): void {
  const push = socket.push.bind(socket);
  const write = socket.write.bind(socket);
  const mender = new AnswerMender();
  socket.write = (...given: unknown[]) => {
    if (typeof given[0] === 'string' && REQUEST.test(given[0])) mender.begin();
    return Reflect.apply(write, socket, given);
  };
  socket.push = (chunk: unknown, encoding) => {
    if (chunk instanceof Uint8Array) return push(mender.take(chunk), encoding);
    const rest = mender.end();
    if (rest.byteLength > 0) push(rest, encoding);
    return push(chunk, encoding);
  };
}

/** Part of the answer that the next byte belongs to. `rest`: bytes that are handed on unchanged. */
type Part = 'head' | 'size' | 'data' | 'data-end' | 'trailer' | 'rest';

class AnswerMender {
  #part: Part = 'rest';
  /** Bytes of a head or a line whose end has not come yet. */
  #held: Buffer = NOTHING;
  /** Bytes of the heads before that of the answer itself, and of the trailers after it. */
  #around = 0;
  /** Bytes of the chunk that are still to come. */
  #left = 0;
  /** Bytes in work, and what is handed on instead: mended parts, and runs that stay, the last one since `#kept`. */
  #bytes: Buffer = NOTHING;
  #at = 0;
  #kept = 0;
  #out: Buffer[] = [];

  /** Expects the head of an answer. */
  begin(): void {
    this.#part = 'head';
    this.#held = NOTHING;
    this.#around = 0;
  }

  /** Returns what the parser gets of the bytes so far, which may be nothing. */
  take(piece: Uint8Array): Buffer {
    const came = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    if (this.#part === 'rest') return came;
    const searched = this.#held.byteLength;
    this.#bytes = searched === 0 ? came : Buffer.concat([this.#held, came]);
    this.#held = NOTHING;
    this.#at = 0;
    this.#kept = 0;
    this.#out = [];
    let from = searched;
    while (this.#at < this.#bytes.byteLength && this.#step(from)) from = this.#at;
    return this.#handOn();
  }

  /** Returns what was held when the connection ended. After the last chunk nothing is missing but an empty line. */
  end(): Buffer {
    const held = this.#part === 'trailer' ? CRLF : this.#held;
    this.#part = 'rest';
    this.#held = NOTHING;
    return held;
  }

  /** Reads one part; false if its end has not come. `searched`: the bytes before hold no end. */
  #step(searched: number): boolean {
    switch (this.#part) {
      case 'head':
        return this.#readHead(searched);
      case 'size':
        return this.#readLine(searched, (line, end) => this.#readSize(line, end));
      case 'data': {
        const length = Math.min(this.#left, this.#bytes.byteLength - this.#at);
        this.#at += length;
        this.#left -= length;
        if (this.#left === 0) this.#part = 'data-end';
        return true;
      }
      case 'data-end':
        return this.#readLine(searched, (line, end) => {
          if (line.byteLength > 0) return this.#giveUp();
          this.#part = 'size';
          this.#goOn(end, end - this.#at === CRLF.byteLength ? undefined : CRLF);
        });
      case 'trailer':
        // Trailers have no use here: they are left out.
        return this.#readLine(searched, (line, end) => {
          this.#around += line.byteLength;
          if (this.#around > LONGEST) return this.#giveUp();
          const isLast = line.byteLength === 0;
          if (isLast) this.#part = 'rest';
          this.#goOn(end, !isLast ? NOTHING : end - this.#at === CRLF.byteLength ? undefined : CRLF);
        });
      case 'rest':
        this.#at = this.#bytes.byteLength;
        return false;
    }
  }

  #readHead(searched: number): boolean {
    const start = skipEmptyLines(this.#bytes, this.#at);
    if (start > this.#at) this.#goOn(start, NOTHING);
    const end = endOfHead(this.#bytes, start, searched);
    if (end === undefined) {
      if (mayBecomeHead(this.#bytes, start)) return this.#hold();
      this.#giveUp();
      return true;
    }
    const text = this.#bytes.toString('latin1', start, end);
    const head = plainHead(text) ?? mendHead(text);
    if (head?.next === 'head') this.#around += text.length;
    if (head === undefined || this.#around > LONGEST) {
      this.#giveUp();
      return true;
    }
    this.#part = head.next;
    this.#goOn(end, head.text === text ? undefined : Buffer.from(head.text, 'latin1'));
    return true;
  }

  /** Calls `use` with the next line without its end, and the place behind it. */
  #readLine(searched: number, use: (line: Buffer, end: number) => void): boolean {
    const feed = this.#bytes.indexOf(LF, Math.max(searched, this.#at));
    if (feed < 0) return this.#hold();
    let last = feed;
    while (last > this.#at && this.#bytes[last - 1] === CR) last -= 1;
    use(this.#bytes.subarray(this.#at, last), feed + 1);
    return true;
  }

  #readSize(line: Buffer, end: number): void {
    const size = plainSize(line) ?? laxSize(line);
    if (size === undefined) return this.#giveUp();
    this.#left = size;
    this.#part = size === 0 ? 'trailer' : 'data';
    const isCanonical = plainSize(line) !== undefined && end - this.#at === line.byteLength + CRLF.byteLength;
    this.#goOn(end, isCanonical ? undefined : Buffer.from(`${size.toString(16)}\r\n`));
  }

  /** Goes on to `end`, with `instead`, where it is given, in place of what was there. */
  #goOn(end: number, instead?: Buffer): void {
    if (instead !== undefined) {
      this.#out.push(this.#bytes.subarray(this.#kept, this.#at), instead);
      this.#kept = end;
    }
    this.#at = end;
  }

  /** Hands the rest on unchanged, for the parser to refuse. */
  #giveUp(): void {
    this.#part = 'rest';
  }

  /** Keeps what has no end yet. */
  #hold(): boolean {
    if (this.#bytes.byteLength - this.#at > LONGEST) {
      this.#giveUp();
      return true;
    }
    this.#held = Buffer.from(this.#bytes.subarray(this.#at));
    return false;
  }

  #handOn(): Buffer {
    const end = this.#held.byteLength > 0 ? this.#at : this.#bytes.byteLength;
    const last = this.#bytes.subarray(this.#kept, end);
    const whole = this.#out.length === 0 ? last : Buffer.concat([...this.#out, last]);
    this.#bytes = NOTHING;
    this.#out = [];
    return whole;
  }
}

function skipEmptyLines(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === CR || bytes[at] === LF) at += 1;
  return at;
}

/** Returns the place behind the empty line that ends a head; undefined if it has not come. */
function endOfHead(bytes: Buffer, start: number, searched: number): number | undefined {
  // The end of the line before may lie in what was searched, with any number of carriage returns behind it.
  let feed = bytes.indexOf(LF, start);
  if (feed >= 0 && searched > start) feed = Math.max(feed, bytes.lastIndexOf(LF, searched - 1));
  while (feed >= 0) {
    let next = feed + 1;
    while (bytes[next] === CR) next += 1;
    if (bytes[next] === LF) return next + 1;
    feed = bytes.indexOf(LF, next);
  }
  return undefined;
}

const STATUS_START = 'http/';
/** Status line with any version, spaces and reason. */
const STATUS = /^HTTP\/(\d)(?:\.(\d))?[ \t]+(\d{3})(?!\d)[ \t]*([^]*)$/i;

/** True if the bytes begin like a head, as far as they have come. */
function mayBecomeHead(bytes: Buffer, start: number): boolean {
  const feed = bytes.indexOf(LF, start);
  if (feed >= 0) return STATUS.test(bytes.toString('latin1', start, feed).trimEnd());
  const begun = bytes.toString('latin1', start, start + STATUS_START.length).toLowerCase();
  return STATUS_START.startsWith(begun);
}

/** Size of a chunk of the form that the parser takes; at most 12 digits. */
function plainSize(line: Buffer): number | undefined {
  if (line.byteLength === 0 || line.byteLength > 12) return undefined;
  let size = 0;
  for (const byte of line) {
    const digit = byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57;
    if (digit < 0 || digit > 15 || (byte > 0x39 && digit < 10)) return undefined;
    size = size * 16 + digit;
  }
  return size;
}

/** Size of a chunk that has spaces around it, zeros before it or extensions behind it. */
function laxSize(line: Buffer): number | undefined {
  const digits = /^[ \t]*0*([0-9a-f]{1,12})[ \t]*(?:;|$)/i.exec(line.toString('latin1', 0, LONGEST))?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

interface MendedHead {
  /** The head in canonical form; empty for `100 Continue`. */
  readonly text: string;
  readonly next: 'head' | 'size' | 'rest';
}

interface Field {
  readonly name: string;
  value: string;
}

/** Head of a final answer whose lines the parser takes as they are. */
const PLAIN_HEAD = /^HTTP\/1\.1 [2-5]\d\d [ -~]*\r\n(?:[\w-]+:[ -~]*\r\n)*\r\n$/;
const FRAMING_FIELD = /\n(?:content-length|transfer-encoding):/gi;
const PLAIN_LENGTH = /\ncontent-length: ?\d{1,15}\r/i;
const PLAIN_CHUNKED = /\ntransfer-encoding: ?chunked\r/i;

/** Returns a head that needs no mending, which are most; undefined if it may need some. */
function plainHead(text: string): MendedHead | undefined {
  if (!PLAIN_HEAD.test(text)) return undefined;
  const framing = text.match(FRAMING_FIELD) ?? [];
  if (framing.length === 0 || (framing.length === 1 && PLAIN_LENGTH.test(text)))
    return { text, next: 'rest' };
  return framing.length === 1 && PLAIN_CHUNKED.test(text) ? { text, next: 'size' } : undefined;
}

/** Returns a head as the parser takes it; undefined if it is none, or if it leaves in doubt where the answer ends. */
function mendHead(text: string): MendedHead | undefined {
  const [first = '', ...lines] = text.split('\n').map((line) => line.replace(/\r+$/, ''));
  const status = STATUS.exec(first);
  if (status === null) return undefined;
  const [, major = '1', minor = '0', code = '', reason = ''] = status;
  const read = readFields(lines);
  const framed = read && frame(read);
  if (framed === undefined) return undefined;
  if (code === '100') return { text: '', next: 'head' };
  const version = major === '0' || (major === '1' && minor === '0') ? '1.0' : '1.1';
  const shown = withoutControls(reason).trimEnd();
  const head = [
    `HTTP/${version} ${code}${shown === '' ? '' : ` ${shown}`}`,
    ...framed.fields.map(({ name, value }) => `${name}:${value}`),
  ];
  return {
    text: `${head.join('\r\n')}\r\n\r\n`,
    next: code !== '101' && code.startsWith('1') ? 'head' : framed.isChunked ? 'size' : 'rest',
  };
}

const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Letters of a name that decides where an answer ends. */
const FRAMING = /^(?:contentlength|transferencoding)/i;

/** Returns the fields of a head: folded lines joined, lines without a name left out. Undefined if a broken line may be about the length. */
function readFields(lines: readonly string[]): Field[] | undefined {
  const fields: Field[] = [];
  let last: Field | undefined;
  for (const line of lines) {
    if (line === '') continue;
    if (/^[ \t]/.test(line)) {
      if (last !== undefined) last.value += ` ${withoutControls(line).trim()}`;
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim();
    if (NAME.test(name)) {
      last = { name, value: withoutControls(line.slice(colon + 1)).trimEnd() };
      fields.push(last);
    } else {
      if (FRAMING.test(line.replace(/[^a-z]/gi, ''))) return undefined;
      last = undefined;
    }
  }
  return fields;
}

/** Control characters, which the parser refuses, become spaces (RFC 9110, 5.5). */
function withoutControls(text: string): string {
  return text.replace(/[\0-\x08\x0a-\x1f\x7f]/g, ' ');
}

/**
 * Leaves one field that says where the answer ends. The same length twice counts once; beside `chunked` a length counts for
 * nothing, and the connection is not used again (RFC 9112, 6.3). Undefined if lengths differ or are no numbers.
 */
function frame(
  fields: readonly Field[],
): { readonly fields: readonly Field[]; readonly isChunked: boolean } | undefined {
  const lengths = valuesOf(fields, 'content-length');
  const codings = valuesOf(fields, 'transfer-encoding').filter(
    (coding) => coding !== '' && coding !== 'identity',
  );
  const isChunked = codings.at(-1) === 'chunked';
  if (codings.slice(0, -1).includes('chunked') && codings.some((coding) => coding !== 'chunked'))
    return undefined;
  if (codings.length > 0) {
    const kept = oneOf(
      fields,
      'transfer-encoding',
      isChunked ? [...new Set(codings)].join(', ') : codings.join(', '),
    );
    if (lengths.length === 0) return { fields: kept, isChunked };
    const others = without(without(kept, 'content-length'), 'connection');
    return { fields: [...others, { name: 'Connection', value: ' close' }], isChunked };
  }
  const kept = without(fields, 'transfer-encoding');
  const [length, ...differing] = new Set(lengths.map((value) => value.replace(/^0+(?=\d)/, '')));
  if (length === undefined) return { fields: kept, isChunked };
  if (differing.length > 0 || !/^\d+$/.test(length)) return undefined;
  return { fields: oneOf(kept, 'content-length', length), isChunked };
}

function isNamed({ name }: Field, wanted: string): boolean {
  return name.toLowerCase() === wanted;
}

function valuesOf(fields: readonly Field[], name: string): readonly string[] {
  return fields
    .filter((field) => isNamed(field, name))
    .flatMap(({ value }) => value.split(',').map((part) => part.trim().toLowerCase()));
}

function without(fields: readonly Field[], name: string): readonly Field[] {
  return fields.filter((field) => !isNamed(field, name));
}

/** Returns the fields with one of this name, of this value; the field itself stays if it says just that. */
function oneOf(fields: readonly Field[], name: string, value: string): readonly Field[] {
  const [first, ...others] = fields.filter((field) => isNamed(field, name));
  if (first === undefined) return fields;
  const kept =
    others.length === 0 && first.value.trim().toLowerCase() === value
      ? first
      : { name: first.name, value: ` ${value}` };
  return fields.flatMap((field) => (field === first ? [kept] : isNamed(field, name) ? [] : [field]));
}
