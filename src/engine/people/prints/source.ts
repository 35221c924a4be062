/** Where the templates of a job come from: the sealed rows of what was read, or another device, in memory alone. */
import { detailText } from '../../../shared/details.ts';
import { toErrorShape, type ErrorShape } from '../../../shared/errors.ts';
import type { Clock } from '../../api/host.ts';
import type { DeviceClient } from '../../device/client-types.ts';
import { NEVER, printsOn, type HeldPrint } from './on-device.ts';
import { peopleWithPrints } from './people-with-prints.ts';
import { newPrint, type PrintItem, type PrintRows } from './print-rows.ts';

export interface PrintSource {
  /** Adds items until all are there; several callers share one run. Resolves in any case, with what went wrong. */
  fill(signal: AbortSignal): Promise<ErrorShape | undefined>;
  /** Undefined where it is gone for good, empty where the device does not give it out; throws where it cannot be had now. */
  data(item: PrintItem): Promise<string | undefined>;
  /** How far a device is, so that the source does not run away from it; undefined: it does not count any more. */
  reached(position: number, nth: number | undefined): void;
}

/** What was read from a file stands in the database, sealed. */
export function keptSource(rows: PrintRows, jobId: string): PrintSource {
  return {
    fill: () => Promise.resolve(undefined),
    data: (item) => Promise.resolve(rows.secret(jobId, item.nth)),
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
  /** These people alone; all without. */
  readonly people?: () => Iterable<string>;
  /** Of each the fingers with these numbers alone; all without. */
  readonly fingers?: readonly number[];
  /** Readers of the targets; without, each fingerprint goes to those that it has at its source. */
  readonly readers?: readonly number[];
}

/** Templates held in memory: as many as the source is ahead of the slowest device. */
const AHEAD = 256;

/**
 * Reads the device once, in step with those it gives to. What a slow device needs later, or a job that goes on after a
 * restart, is read again: no template is ever written down.
 */
export class DeviceSource implements PrintSource {
  readonly #options: DeviceSourceOptions;
  readonly #held = new Map<number, string>();
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

  async data(item: PrintItem): Promise<string | undefined> {
    const held = this.#held.get(item.nth);
    if (held !== undefined) return held;
    const { client } = this.#options;
    const { employeeNo, fingerPrintID } = item;
    const there = await printsOn(client, { employeeNo, fingerPrintID }, NEVER);
    const same = there.filter((print) => print.fingerPrintID === fingerPrintID);
    return (same.find(({ reader }) => item.readers?.includes(reader) === true) ?? same[0])?.fingerData;
  }

  reached(position: number, nth: number | undefined): void {
    if (nth === undefined) this.#reached.delete(position);
    else this.#reached.set(position, nth);
    const slowest = Math.min(...this.#reached.values());
    for (const key of this.#held.keys()) {
      if (key >= slowest) break;
      this.#held.delete(key);
    }
    this.#moved.resolve();
    this.#moved = Promise.withResolvers<void>();
  }

  async #fill(signal: AbortSignal): Promise<void> {
    const { rows, jobId, client, clock, device, people, fingers } = this.#options;
    const found = () =>
      peopleWithPrints({ client, clock, device, signal }, ({ complete, notes }) => {
        for (const detail of complete ? [] : notes)
          rows.addBad(
            jobId,
            {},
            { code: 'malformed-answer', source: 'app', device, message: detailText(detail), detail },
          );
      });
    if (rows.list(jobId)?.isClosed !== false) return;
    signal.addEventListener('abort', () => this.#moved.resolve(), { once: true });
    for await (const employeeNo of people?.() ?? found()) {
      signal.throwIfAborted();
      const held = await printsOn(client, { employeeNo }, signal);
      const wanted = held.filter(
        ({ fingerPrintID }) => fingers === undefined || fingers.includes(fingerPrintID),
      );
      for (const print of this.#merged(wanted)) {
        const [added] = rows.add(jobId, [newPrint(print)]);
        if (added !== undefined && added.twice === undefined)
          await this.#hold(added.nth, print.fingerData, signal);
      }
    }
    rows.closeInput(jobId);
  }

  /** One item for the same template on several readers of a person. */
  #merged(held: readonly HeldPrint[]) {
    const same = Map.groupBy(held, ({ fingerPrintID, fingerType, fingerData }) =>
      JSON.stringify([fingerPrintID, fingerType, fingerData]),
    );
    const seen = new Set<number>();
    return [...same.values()].flatMap((group) => {
      const [{ reader: _reader, ...print }] = group as [HeldPrint, ...HeldPrint[]];
      if (this.#options.readers === undefined)
        return { ...print, readers: group.map(({ reader }) => reader) };
      // To the same readers goes one template of a finger, not one of each reader it is on.
      if (seen.has(print.fingerPrintID)) return [];
      seen.add(print.fingerPrintID);
      return { ...print, readers: this.#options.readers };
    });
  }

  async #hold(nth: number, data: string, signal: AbortSignal): Promise<void> {
    this.#held.set(nth, data);
    while (this.#reached.size > 0 && nth - Math.min(...this.#reached.values()) > AHEAD) {
      await this.#moved.promise;
      signal.throwIfAborted();
    }
    // Nobody takes any: what is held is bounded all the same.
    const [oldest] = this.#held.size > AHEAD * 2 ? this.#held.keys() : [];
    if (oldest !== undefined) this.#held.delete(oldest);
  }
}
