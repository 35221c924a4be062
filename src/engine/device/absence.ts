/**
 * Decides whether a device is offline, from one check after the other: after a restart, or when a step asks to unplug it.
 * A single lost answer proves nothing; a refused connection, or two lost answers in a row, do.
 */
import { isDown, type Failure } from '#shared/error-meaning.ts';

const CERTAIN = 2;

export class Absence {
  #evidence: number;
  #looksSince = 0;

  constructor(hasLeft = false) {
    this.#evidence = hasLeft ? CERTAIN : 0;
  }

  /** True if the device has been offline. Stays true when it is back. */
  get hasLeft(): boolean {
    return this.#evidence >= CERTAIN;
  }

  /** Number of checks since the device was last back. */
  get looksSince(): number {
    return this.#looksSince;
  }

  /** Records that the device could not be reached. */
  away(error: Failure): void {
    this.#evidence += isDown(error) ? CERTAIN : 1;
    this.#looksSince = 0;
  }

  /** Records that the device answered. */
  there(): void {
    if (this.hasLeft) this.#looksSince += 1;
    else this.#evidence = 0;
  }
}
