/** The body of an answer as it comes in. */

const NOTHING = Buffer.alloc(0);

/**
 * Copied together at once: a part of one byte would keep the whole buffer of the socket alive that it came in, with
 * all that was sent around it.
 */
export class AnswerBytes {
  #held = NOTHING;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(part: Uint8Array): void {
    const size = this.#size + part.byteLength;
    if (size > this.#held.byteLength) {
      const wider = Buffer.allocUnsafe(Math.max(size, this.#held.byteLength * 2));
      wider.set(this.#held.subarray(0, this.#size));
      this.#held = wider;
    }
    this.#held.set(part, this.#size);
    this.#size = size;
  }

  all(): Uint8Array {
    return this.#held.subarray(0, this.#size);
  }
}
