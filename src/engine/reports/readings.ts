/** Readings of devices, kept: a report works without a device from the last one, and compares two dates. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { ReadingEntry } from '#shared/reports.ts';
import type { Store } from '../store/index.ts';
import type { Hide } from './hiding.ts';
import type { DeviceReading, ReadingError } from './reading.ts';
import { readOwnJson } from '#shared/read-json.ts';

/** Last reading of a device, and the error of the last attempt if it gave none. */
export interface Known {
  readonly reading?: DeviceReading;
  readonly failed?: { readonly at: string; readonly error: ReadingError };
}

export interface Attempt {
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  readonly at: string;
  readonly by: string;
}

interface Row {
  readonly at: string;
  readonly error: string | null;
  readonly body: Uint8Array | null;
}

/** Number of recent readings kept for a device; of older ones, the first of each month is kept. */
const RECENT = 6;
const MONTHS = 60;
/**
 * Level that takes half a millisecond, less than passing the work to another thread. The result is hardly
 * larger than at a higher level, as the same names repeat.
 */
const QUICK = { level: 1 };
/** Far more than `readDevice` gives. */
const MOST_BYTES = 64 * 1024 * 1024;

export class Readings {
  readonly #store: Store;
  readonly #hide: Hide;

  /** `hide` masks secrets of a device, also in readings from before a value was known as a secret. */
  constructor(store: Store, hide: Hide) {
    this.#store = store;
    this.#hide = hide;
  }

  save(attempt: Attempt, reading: DeviceReading): void {
    const shown = this.#hide(attempt.deviceId)(reading);
    this.#insert(attempt, shown.error, deflateRawSync(JSON.stringify(shown), QUICK));
  }

  /** The readings before stay. */
  saveFailure(attempt: Attempt, error: ReadingError): void {
    this.#insert(attempt, this.#hide(attempt.deviceId)(error), null);
  }

  known(deviceId: string): Known {
    const [last, ...before] = this.#store.all<Row>(
      `SELECT at, error, body FROM readings WHERE device_id = ? ORDER BY id DESC LIMIT 2`,
      deviceId,
    );
    if (last === undefined) return {};
    if (last.body !== null) return { reading: this.#readingOf(last.body) };
    const earlier = before.find(({ body }) => body !== null)?.body;
    const failed = { at: last.at, error: readOwnJson(last.error ?? '{}') as ReadingError };
    return earlier === undefined || earlier === null
      ? { failed }
      : { reading: this.#readingOf(earlier), failed };
  }

  /** Newest first; of all devices where none is named. */
  list(deviceId?: string): readonly ReadingEntry[] {
    return this.#store.all<ReadingEntry>(
      `SELECT id, device_id AS deviceId, name, url, at, by_user AS "by" FROM readings
       WHERE body IS NOT NULL AND (?1 IS NULL OR device_id = ?1) ORDER BY id DESC LIMIT 5000`,
      deviceId ?? null,
    );
  }

  /** Throws `not-found`. */
  read(id: number): DeviceReading {
    const row = this.#store.get<Pick<Row, 'body'>>('SELECT body FROM readings WHERE id = ?', id);
    if (row?.body !== undefined && row.body !== null) return this.#readingOf(row.body);
    throw userError('not-found', say('reports.no-reading', { id }));
  }

  #insert(
    { deviceId, name, url, at, by }: Attempt,
    error: ReadingError | undefined,
    body: Uint8Array | null,
  ): void {
    if (body !== null) this.#store.requireRoom(body.length);
    // A reading lost in a power failure is simply read again.
    this.#store.transactionSoon(() => {
      this.#store.run('DELETE FROM readings WHERE device_id = ? AND body IS NULL', deviceId);
      this.#store.insert('readings', {
        device_id: deviceId,
        name,
        url,
        at,
        by_user: by,
        error: JSON.stringify(error),
        body,
      });
      this.#store.run(
        `DELETE FROM readings WHERE device_id = ?1 AND body IS NOT NULL
         AND id NOT IN (SELECT id FROM readings WHERE device_id = ?1 AND body IS NOT NULL ORDER BY id DESC LIMIT ${RECENT})
         AND id NOT IN (SELECT min(id) FROM readings WHERE device_id = ?1 AND body IS NOT NULL
           GROUP BY substr(at, 1, 7) ORDER BY 1 DESC LIMIT ${MONTHS})`,
        deviceId,
      );
    });
  }

  #readingOf(body: Uint8Array): DeviceReading {
    const text = inflateRawSync(body, { maxOutputLength: MOST_BYTES }).toString('utf8');
    const reading = readOwnJson(text) as DeviceReading;
    return this.#hide(reading.deviceId)(reading);
  }
}
