/** Shares of the answers that go out at once: each offer and each address has its own, so that none keeps the others out. */

/** Answers of all devices together; each may hold a block. */
export const MOST_ANSWERS = 64;
/** Answers of one offer: a device fetches in one piece, or in some. */
const MOST_OF_OFFER = 8;
/** An answer of which nothing was taken for so long makes room for a device that has fewer. */
const IDLE_MS = 1_000;
/** The same where all devices have one: a slow flash memory pauses for less. */
const STALLED_MS = 15_000;

export interface Asking {
  readonly offer: object;
  readonly peer: string;
  readonly breakOff: () => void;
}

export class Shares {
  readonly #now: () => number;
  /** Time of the last bytes that were taken, by answer. */
  readonly #answers = new Map<Asking, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns false if an answer has to wait: its device has its share, or everybody makes use of theirs. */
  begin(asking: Asking): boolean {
    if (this.#count(({ offer }) => offer === asking.offer) >= MOST_OF_OFFER) return false;
    if (this.#answers.size >= MOST_ANSWERS) {
      const other = this.#makesRoom(asking);
      if (other === undefined) return false;
      this.end(other);
      other.breakOff();
    }
    this.#answers.set(asking, this.#now());
    return true;
  }

  /** Records that bytes of an answer were taken. */
  moved(asking: Asking): void {
    if (this.#answers.has(asking)) this.#answers.set(asking, this.#now());
  }

  end(asking: Asking): void {
    this.#answers.delete(asking);
  }

  /** Returns a stalled answer of the address, then of the offer, with the most answers. */
  #makesRoom({ offer, peer }: Asking): Asking | undefined {
    const now = this.#now();
    const [offers, peers] = [new Map<object, number>(), new Map<string, number>()];
    for (const one of this.#answers.keys()) {
      offers.set(one.offer, (offers.get(one.offer) ?? 0) + 1);
      peers.set(one.peer, (peers.get(one.peer) ?? 0) + 1);
    }
    const more = (one: Asking): number =>
      Math.max(
        (peers.get(one.peer) ?? 0) - (peers.get(peer) ?? 0),
        (offers.get(one.offer) ?? 0) - (offers.get(offer) ?? 0),
      );
    const standing = [...this.#answers].filter(
      ([one, at]) =>
        one.offer !== offer && (now - at >= STALLED_MS || (now - at >= IDLE_MS && more(one) > 1)),
    );
    const [first] = standing.toSorted(
      ([one, at], [other, otherAt]) => more(other) - more(one) || at - otherAt,
    );
    return first?.[0];
  }

  #count(is: (one: Asking) => boolean): number {
    return [...this.#answers.keys()].filter(is).length;
  }
}
