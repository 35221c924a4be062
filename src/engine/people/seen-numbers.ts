/**
 * Remembers which employee numbers came before, in a few bytes each: a device may send a hundred thousand of
 * them.
 */
import { randomInt } from 'node:crypto';

/** Slots at first; doubled as they fill. */
const FIRST_SLOTS = 4096;
const FULLEST = 0.6;
const SEED_LIMIT = 0xffff_ffff;

/** A set of texts of which 64 bits each are kept; the two halves are seeded, so that no device can make them meet. */
export class SeenNumbers {
  readonly #seeds = [randomInt(SEED_LIMIT), randomInt(SEED_LIMIT)] as const;
  #slots = new Uint32Array(FIRST_SLOTS * 2);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(text: string): boolean {
    return this.#slots[this.#slotOf(this.#halves(text), this.#slots) * 2] !== 0;
  }

  /** Adds a number; returns false if it was there already. */
  add(text: string): boolean {
    const halves = this.#halves(text);
    const slot = this.#slotOf(halves, this.#slots);
    if (this.#slots[slot * 2] !== 0) return false;
    this.#put(this.#slots, slot, halves);
    this.#size += 1;
    if (this.#size > (this.#slots.length / 2) * FULLEST) this.#grow();
    return true;
  }

  #grow(): void {
    const larger = new Uint32Array(this.#slots.length * 2);
    for (let at = 0; at < this.#slots.length; at += 2) {
      const halves = [this.#slots[at] ?? 0, this.#slots[at + 1] ?? 0] as const;
      if (halves[0] !== 0) this.#put(larger, this.#slotOf(halves, larger), halves);
    }
    this.#slots = larger;
  }

  #put(slots: Uint32Array, slot: number, [first, second]: readonly [number, number]): void {
    slots[slot * 2] = first;
    slots[slot * 2 + 1] = second;
  }

  /** Returns its slot, or the free slot where it belongs. */
  #slotOf([first, second]: readonly [number, number], slots: Uint32Array): number {
    const mask = slots.length / 2 - 1;
    let slot = (first ^ (second >>> 7)) & mask;
    while (slots[slot * 2] !== 0 && (slots[slot * 2] !== first || slots[slot * 2 + 1] !== second))
      slot = (slot + 1) & mask;
    return slot;
  }

  #halves(text: string): readonly [number, number] {
    // A first half of 0 means a free slot.
    return [hashOf(text, this.#seeds[0]) || 1, hashOf(text, this.#seeds[1])];
  }
}

/** Hashes by MurmurHash3, 32 bits, over UTF-16 code units. */
function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) {
    let unit = Math.imul(text.charCodeAt(at), 0xcc9e2d51);
    unit = Math.imul((unit << 15) | (unit >>> 17), 0x1b873593);
    hash ^= unit;
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  hash ^= text.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
