/** Bytes that devices and files make one list of work items, or the journal of one job, keep. */
import { say } from '#shared/details.ts';
import { appError } from '#shared/errors.ts';

const MB = 1024 * 1024;
/** Several times of what 100,000 people on ten terminals take. */
const MOST = 1024 * MB;
/** Bytes that the database needs for a row beside its texts. */
const ROW = 64;

export class Budget {
  /** Bytes taken, by position of the device. */
  readonly #taken = new Map<number, number>();
  #total = 0;

  /** @throws `input-too-large` if so many bytes more are too many */
  requireRoom(bytes: number): void {
    if (this.#total + bytes > MOST)
      throw appError('input-too-large', say('work-too-large', { max: MOST / MB }));
  }

  take(position: number, bytes: number): void {
    this.#taken.set(position, (this.#taken.get(position) ?? 0) + bytes);
    this.#total += bytes;
  }

  /** Gives back what a device took: its results were removed. */
  release(position: number): void {
    this.#total -= this.#taken.get(position) ?? 0;
    this.#taken.delete(position);
  }
}

/** Returns about how many bytes a row takes. */
export function estimateBytes(values: readonly (string | Uint8Array | null | undefined)[]): number {
  return values.reduce((sum, value) => sum + (value?.length ?? 0), ROW);
}
