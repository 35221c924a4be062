/** Sources of the templates of a job: sealed rows read from a file, or another device (templates in memory only). */
import { formatDetail, say } from '#shared/details.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { ReaderResult } from '#shared/people/fingerprints.ts';
import type { Clock } from '../api/host.ts';
import type { DeviceClient } from '../device/client-types.ts';
import { askPatiently } from '../device/transport/patient-read.ts';
import { NEVER, queryFingerprints, type HeldPrint } from './on-device.ts';
import { readPeopleWithFingerprints, type CountedPerson } from './people-with-prints.ts';
import { readPersonPrints } from './person-prints.ts';
import {
  KEPT_DAYS,
  createMissingItem,
  createFingerprintItem,
  type PrintItem,
  type PrintRows,
} from './print-rows.ts';

export type Template =
  | { readonly kind: 'data'; readonly data: string }
  /** The template was wiped, or the device does not return it. */
  | { readonly kind: 'none'; readonly error: ErrorShape }
  /** The source reports more fingerprints than it returns; the item is a placeholder for them. */
  | { readonly kind: 'not-shown'; readonly counted: NonNullable<ReaderResult['counted']> };

export interface PrintSource {
  /** Adds items until all are present; several callers share one run. Never rejects; resolves with the error, if any. */
  fill(signal: AbortSignal): Promise<ErrorShape | undefined>;
  /** Returns the template of an item. Throws if it cannot be read at the moment. */
  template(item: PrintItem): Promise<Template>;
  /** Records the item that a device has reached, so that the source stays close to it; undefined: the device has ended. */
  reached(position: number, nth: number | undefined): void;
}

/** Returns a source whose templates were read from a file and are stored sealed in the database. */
export function createStoredSource(rows: PrintRows, jobId: string): PrintSource {
  return ready(({ nth }) => {
    const data = rows.secret(jobId, nth);
    if (data !== undefined) return { kind: 'data', data };
    return {
      kind: 'none',
      error: { code: 'not-found', source: 'app', ...say('prints-gone', { days: KEPT_DAYS }) },
    };
  });
}

export function createMemorySource(data: string): PrintSource {
  return ready(() => ({ kind: 'data', data }));
}

/** Returns a source whose items are all present from the start. */
function ready(templateOf: (item: PrintItem) => Template): PrintSource {
  return {
    fill: () => Promise.resolve(undefined),
    template: async (item) => templateOf(item),
    reached: () => undefined,
  };
}

interface DeviceSourceOptions {
  readonly rows: PrintRows;
  readonly jobId: string;
  readonly client: DeviceClient;
  readonly clock: Clock;
  /** Address of the device, for errors. */
  readonly device: string;
  /** Returns the people to read; absent: all. */
  readonly people?: () => Iterable<CountedPerson> | AsyncIterable<CountedPerson>;
  /** Numbers of the fingers to read; absent: all. */
  readonly fingers?: readonly number[];
  /** Readers of the targets; absent: the same as at the source. */
  readonly readers?: readonly number[];
}

/** Templates in memory at most: the source reads this far ahead of the slowest device. */
const AHEAD = 256;
/** Characters of templates in memory at most; what does not fit is read again when it is needed. */
const MOST_HELD_CHARACTERS = 8 * 1024 * 1024;

/**
 * Reads the source device once, in step with the targets. A template that a slow target or a resumed job needs later is
 * read again, because templates are never stored.
 */
export class DeviceSource implements PrintSource {
  readonly #options: DeviceSourceOptions;
  readonly #held = new Map<number, string>();
  #heldCharacters = 0;
  readonly #reached = new Map<number, number>();
  #filling: Promise<ErrorShape | undefined> | undefined;
  #moved = Promise.withResolvers<void>();

  constructor(options: DeviceSourceOptions) {
    this.#options = options;
  }

  fill(signal: AbortSignal): Promise<ErrorShape | undefined> {
    this.#filling ??= this.#fill(signal).then(
      () => undefined,
      (thrown: unknown) => {
        // The next run may try again.
        this.#filling = undefined;
        return toErrorShape(thrown);
      },
    );
    return this.#filling;
  }

  async template(item: PrintItem): Promise<Template> {
    if (item.counted !== undefined) return { kind: 'not-shown', counted: item.counted };
    const data = this.#held.get(item.nth) ?? (await this.#readAgain(item));
    if (data !== undefined && data !== '') return { kind: 'data', data };
    const error: ErrorShape =
      data === undefined
        ? { code: 'not-found', source: 'device', ...say('prints-gone-source') }
        : { code: 'not-available', source: 'device', ...say('prints-withheld') };
    return { kind: 'none', error };
  }

  async #readAgain({ employeeNo, fingerPrintID, readers }: PrintItem): Promise<string | undefined> {
    const { client, clock } = this.#options;
    const asking = { clock, signal: NEVER };
    const there = await askPatiently(
      () => queryFingerprints(client, { employeeNo, fingerPrintID }, NEVER),
      asking,
    );
    const same = there.filter((print) => print.fingerPrintID === fingerPrintID);
    return (same.find(({ reader }) => readers?.includes(reader) === true) ?? same[0])?.fingerData;
  }

  reached(position: number, nth: number | undefined): void {
    if (nth === undefined) this.#reached.delete(position);
    else this.#reached.set(position, nth);
    const slowest = Math.min(...this.#reached.values());
    for (const key of this.#held.keys()) {
      if (key >= slowest) break;
      this.#release(key);
    }
    this.#moved.resolve();
    this.#moved = Promise.withResolvers<void>();
  }

  async #fill(signal: AbortSignal): Promise<void> {
    const { rows, jobId, client, clock, device, people, fingers } = this.#options;
    const found = () =>
      readPeopleWithFingerprints({ client, clock, device, signal }, ({ complete, notes }) => {
        const lines = (complete ? [] : notes).map((detail) => ({
          whose: {},
          error: {
            code: 'malformed-answer' as const,
            source: 'app' as const,
            ...{ device, message: formatDetail(detail), detail },
          },
        }));
        rows.addBad(jobId, lines);
      });
    if (rows.list(jobId)?.isClosed !== false) return;
    signal.addEventListener('abort', () => this.#moved.resolve(), { once: true });
    for await (const { employeeNo, count } of people?.() ?? found()) {
      signal.throwIfAborted();
      const question = { employeeNo, count, fingers };
      const { held, missing } = await readPersonPrints(question, { client, clock, signal });
      for (const print of this.#merged(held)) {
        const [added] = rows.add(jobId, [createFingerprintItem(print)]);
        if (added !== undefined && added.twice === undefined)
          await this.#hold(added.nth, print.fingerData, signal);
      }
      if (missing !== undefined) rows.add(jobId, [createMissingItem(employeeNo, missing)]);
    }
    rows.closeInput(jobId);
  }

  /** Merges the same template on several readers of a person into one item. */
  #merged(held: readonly HeldPrint[]) {
    const same = Map.groupBy(held, ({ fingerPrintID, fingerType, fingerData, leaderFP = [] }) =>
      JSON.stringify([fingerPrintID, fingerType, fingerData, leaderFP]),
    );
    const seen = new Set<number>();
    return [...same.values()].flatMap((group) => {
      const [{ reader: _reader, ...print }] = group as [HeldPrint, ...HeldPrint[]];
      if (this.#options.readers === undefined)
        return { ...print, readers: group.map(({ reader }) => reader) };
      // The same readers get one template of a finger, not one of each reader it is on.
      if (seen.has(print.fingerPrintID)) return [];
      seen.add(print.fingerPrintID);
      return { ...print, readers: this.#options.readers };
    });
  }

  async #hold(nth: number, data: string, signal: AbortSignal): Promise<void> {
    this.#held.set(nth, data);
    this.#heldCharacters += data.length;
    while (this.#reached.size > 0 && nth - Math.min(...this.#reached.values()) > AHEAD) {
      await this.#moved.promise;
      signal.throwIfAborted();
    }
    // The held items are bounded even if no device takes any, or a source sends long ones.
    for (const key of this.#held.keys()) {
      if (this.#held.size <= AHEAD * 2 && this.#heldCharacters <= MOST_HELD_CHARACTERS) break;
      this.#release(key);
    }
  }

  #release(nth: number): void {
    this.#heldCharacters -= this.#held.get(nth)?.length ?? 0;
    this.#held.delete(nth);
  }
}
