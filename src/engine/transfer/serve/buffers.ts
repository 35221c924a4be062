/** Buffers of one block each, used over and over: a transfer of any size costs no more memory than this. */
import { BLOCK } from './package-file.ts';

/** 24 MB in all. */
const MOST = 96;
/** From here on nobody reads ahead, so that everybody has one. */
const PLENTY = 48;

export class Buffers {
  #free: Buffer[] = [];
  #out = 0;
  #waiting: ((buffer: Buffer) => void)[] = [];

  /** Waits for its turn where all are in use. */
  take(): Promise<Buffer> {
    const buffer = this.#next(MOST);
    return buffer === undefined
      ? new Promise((resolve) => {
          this.#waiting.push(resolve);
        })
      : Promise.resolve(buffer);
  }

  /** For reading ahead; undefined where others may need it more. */
  spare(): Buffer | undefined {
    return this.#next(PLENTY);
  }

  give(buffer: Buffer): void {
    const next = this.#waiting.shift();
    if (next !== undefined) return next(buffer);
    this.#out -= 1;
    this.#free.push(buffer);
  }

  /** Gives the memory back that nobody uses. */
  shrink(): void {
    this.#free = [];
  }

  #next(most: number): Buffer | undefined {
    if (this.#out >= most) return undefined;
    this.#out += 1;
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(BLOCK);
  }
}
