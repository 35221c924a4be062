/**
 * Evidence that a device is away, look by look: a follow-up after a restart, a step that has the plug pulled. A single
 * answer that was lost says nothing; a refused connection, or two lost ones in a row, do.
 */
import { isDown, type Failure } from '../../shared/error-meaning.ts';

const CERTAIN = 2;

export class Absence {
  #evidence: number;
  #looksSince = 0;

  constructor(hasLeft = false) {
    this.#evidence = hasLeft ? CERTAIN : 0;
  }

  /** The device was away. Stays true when it is back. */
  get hasLeft(): boolean {
    return this.#evidence >= CERTAIN;
  }

  /** Looks at the device since it was back last. */
  get looksSince(): number {
    return this.#looksSince;
  }

  /** Takes in that the device could not be reached for this reason. */
  away(error: Failure): void {
    this.#evidence += isDown(error) ? CERTAIN : 1;
    this.#looksSince = 0;
  }

  /** Takes in that the device answered. */
  there(): void {
    if (this.hasLeft) this.#looksSince += 1;
    else this.#evidence = 0;
  }
}
