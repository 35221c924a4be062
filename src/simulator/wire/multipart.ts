/** A multipart body as it comes in (RFC 2046, 5.1; RFC 7578): small parts are kept, the file goes by. */

interface PartHead {
  readonly name: string | undefined;
  /** Name of the file, if the part is one. */
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
}

interface PartSink {
  /** Receives the head of a part; the data that follow belong to it. Throws if the part is unwanted. */
  readonly onHead: (head: PartHead) => void;
  readonly onData: (chunk: Buffer) => void;
}

const LONGEST_HEAD = 8 * 1024;

/** Returns the value of `boundary=`; undefined if it is no multipart body. */
export function parseBoundary(contentType: string | undefined): string | undefined {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '') ??
    [];
  return quoted ?? plain;
}

/** The body is not what its head says. */
export class MultipartBroken extends Error {}

export class MultipartReader {
  readonly #delimiter: Buffer;
  readonly #sink: PartSink;
  #state: 'before' | 'head' | 'body' | 'after' = 'before';
  /** The first boundary has no line before it. */
  #rest: Buffer = Buffer.from('\r\n');

  constructor(boundary: string, sink: PartSink) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
    this.#sink = sink;
  }

  /** The last boundary has come. */
  get isComplete(): boolean {
    return this.#state === 'after';
  }

  /** Throws MultipartBroken. */
  add(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (this.#step());
  }

  /** Takes one step; returns false if more data has to come first. */
  #step(): boolean {
    switch (this.#state) {
      case 'after':
        this.#rest = Buffer.alloc(0);
        return false;
      case 'head':
        return this.#head();
      case 'before':
      case 'body':
        return this.#untilBoundary();
    }
  }

  #untilBoundary(): boolean {
    const at = this.#rest.indexOf(this.#delimiter);
    const end = at < 0 ? Math.max(0, this.#rest.length - this.#delimiter.length + 1) : at;
    if (this.#state === 'body' && end > 0) this.#sink.onData(this.#rest.subarray(0, end));
    this.#rest = this.#rest.subarray(end);
    if (at < 0 || this.#rest.length < this.#delimiter.length + 2) {
      if (at >= 0) this.#state = 'before';
      return false;
    }
    const sign = this.#rest.toString('latin1', this.#delimiter.length, this.#delimiter.length + 2);
    if (sign !== '\r\n' && sign !== '--')
      throw new MultipartBroken('A boundary is followed by something else.');
    this.#rest = this.#rest.subarray(this.#delimiter.length + 2);
    this.#state = sign === '--' ? 'after' : 'head';
    return true;
  }

  #head(): boolean {
    const at = this.#rest.indexOf('\r\n\r\n');
    if (at < 0) {
      if (this.#rest.length > LONGEST_HEAD) throw new MultipartBroken('The head of a part is too long.');
      return false;
    }
    const head = this.#rest.toString('utf8', 0, at);
    const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? '';
    this.#sink.onHead({
      name: /\bname="([^"]*)"/i.exec(disposition)?.[1],
      filename: /\bfilename="([^"]*)"/i.exec(disposition)?.[1],
      contentType: /^content-type:\s*(.*?)\s*$/im.exec(head)?.[1],
    });
    this.#rest = this.#rest.subarray(at + 4);
    this.#state = 'body';
    return true;
  }
}
