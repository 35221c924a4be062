/** The nonces one device has given out, their age, and which counts were used with them. */
import { randomBytes } from 'node:crypto';
import type { SiteClock } from '../clock.ts';

export const NONCE_LIFETIME_MS = 5 * 60_000;
const KEPT = 256;
/** Requests under way at once may arrive out of order by this much. */
const WINDOW = 64;

interface Nonce {
  readonly issuedAt: number;
  highest: number;
  uses: number;
  readonly used: Set<number>;
}

export class Nonces {
  readonly #issued = new Map<string, Nonce>();
  readonly #clock: SiteClock;
  readonly #lifetimeMs: number;

  constructor(clock: SiteClock, lifetimeMs: number = NONCE_LIFETIME_MS) {
    this.#clock = clock;
    this.#lifetimeMs = lifetimeMs;
  }

  issue(): string {
    const nonce = randomBytes(18).toString('base64url');
    this.#issued.set(nonce, { issuedAt: this.#clock.now(), highest: 0, uses: 0, used: new Set() });
    if (this.#issued.size > KEPT) {
      const oldest = this.#issued.keys().next().value;
      if (oldest !== undefined) this.#issued.delete(oldest);
    }
    return nonce;
  }

  /** Returns true if the nonce is ours, young and used fewer than `most` times, and the count is new to it. */
  use(nonce: string, count: number, most = Number.POSITIVE_INFINITY): boolean {
    const known = this.#issued.get(nonce);
    if (!known) return false;
    if (known.uses >= most || this.#clock.now() - known.issuedAt > this.#lifetimeMs) {
      this.#issued.delete(nonce);
      return false;
    }
    if (count < 1 || count <= known.highest - WINDOW || known.used.has(count)) return false;
    known.uses += 1;
    known.used.add(count);
    known.highest = Math.max(known.highest, count);
    for (const old of known.used) if (old <= known.highest - WINDOW) known.used.delete(old);
    return true;
  }

  clear(): void {
    this.#issued.clear();
  }
}
