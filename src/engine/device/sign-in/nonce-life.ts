/**
 * How many uses a device grants one nonce, learnt from those that ran out soon after they were taken:
 * who knows it asks for the next one in time instead of having every body refused once.
 */
import type { DigestNonce } from './digest.ts';

export class NonceLife {
  #limit = Infinity;
  #last: DigestNonce | undefined;
  /** The first use that was refused, of the nonce that ran out last and of the one before it. */
  #refusedAt = Infinity;
  #refusedBefore = Infinity;

  /** Returns true if a nonce with so many uses is worth one more. */
  allows(uses: number): boolean {
    return uses < this.#limit;
  }

  /** This use of the nonce, counted from 1, was refused though the one before was not. Two that end alike tell the limit. */
  ranOut(nonce: DigestNonce, use: number): void {
    if (nonce === this.#last) this.#refusedAt = Math.min(this.#refusedAt, use);
    else [this.#last, this.#refusedBefore, this.#refusedAt] = [nonce, this.#refusedAt, use];
    if (this.#refusedAt === this.#refusedBefore) this.#limit = Math.max(1, this.#refusedAt - 1);
  }

  /** Notes that a use that was refused before is good this time: it ended for another reason. */
  worked(use: number): void {
    if (use >= this.#refusedAt)
      [this.#last, this.#refusedBefore, this.#refusedAt] = [undefined, Infinity, Infinity];
  }
}
