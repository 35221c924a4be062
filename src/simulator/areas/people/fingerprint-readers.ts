/** Fingerprint readers and what is on them (part 2, 2.7). */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { READER_FAULTS, READER_KINDS } from '#simulator/faults.ts';
import type { DeviceState, Part, PartKey } from '#simulator/state/device-state.ts';
import { generatePerson } from './person.ts';

/** cardReaderRecvStatus of part 2, 2.7. */
export const RECEIVED = {
  failed: 0,
  success: 1,
  offline: 2,
  memoryFull: 4,
  exists: 5,
  illegalId: 7,
  readerTooOld: 10,
} as const;
type ReaderMode = 'working' | 'offline' | 'failing';

export interface Fingerprint {
  readonly employeeNo: string;
  readonly fingerPrintID: number;
  readonly fingerType: string;
  /** Base64 as sent. */
  readonly fingerData: string;
  readonly leaderFP?: readonly number[];
}

export interface ReaderResult {
  readonly id: number;
  readonly cardReaderRecvStatus: number;
  readonly errorMsg?: string;
}

interface Reader {
  readonly id: number;
  readonly prints: Map<string, Fingerprint>;
  /** Owner by hash of the data. */
  readonly owners: Map<string, Fingerprint>;
  mode: ReaderMode;
  capacity: number;
  /** Milliseconds it works on one fingerprint. */
  latencyMs: number;
  /** Resolves when it has done with those that were sent before. */
  free: Promise<unknown>;
  /** The highest fingerprint number this reader keeps. */
  readonly highestId: number;
  /** Finger types that its version knows. */
  readonly types: ReadonlySet<string>;
}

interface ReaderChange {
  readonly mode?: ReaderMode;
  readonly capacity?: number;
  readonly latencyMs?: number;
}

/** A finger that was asked for and was missing. */
interface Missing {
  readonly since: number;
  readonly last: number;
}

/** Owner of a finger that is known already according to the fault. */
const STRANGER = '9999';
const ALL_TYPES = ['normalFP', 'hijackFP', 'patrolFP', 'superFP', 'dismissingFP'];
const DELIVERED = 3;
/** A client that asks less often than this does not wait for a finger. */
const WAITS_MS = 20_000;
const MOST_MISSING = 100;
const MOST_SEARCHES = 100;

export class FingerprintReaders implements Part {
  readonly #readers: ReadonlyMap<number, Reader>;
  readonly #device: DeviceState;
  readonly #missing = new Map<string, Missing>();
  /** Answers given so far, by search. */
  readonly #searches = new Map<string, number>();
  readonly #closing = new AbortController();
  #presented = 0;

  constructor(device: DeviceState) {
    this.#device = device;
    // Reader 2 is of an older make: five fingers a person, no super and no dismissing fingerprints.
    this.#readers = new Map(
      Array.from({ length: device.site.readers }, (_, index) => index + 1).map((id) => [
        id,
        id === 2 ? newReader(id, 5, ALL_TYPES.slice(0, 3)) : newReader(id, 10, ALL_TYPES),
      ]),
    );
    for (let index = 0; index < Math.min(DELIVERED, device.site.users); index += 1) {
      const { employeeNo } = generatePerson(device, index);
      const fingerData = createHash('sha512').update(`${device.name}/${employeeNo}`).digest('base64');
      for (const reader of this.#readers.values())
        store(reader, { employeeNo, fingerPrintID: 1, fingerType: 'normalFP', fingerData });
    }
  }

  /** Changes a reader's behaviour; capacity 0 makes its memory full. */
  setReader(id: number, change: ReaderChange): void {
    const reader = this.#readers.get(id);
    if (!reader) throw new RangeError(`Readers are 1 to ${this.#readers.size}.`);
    reader.mode = change.mode ?? reader.mode;
    reader.capacity = change.capacity ?? reader.capacity;
    reader.latencyMs = change.latencyMs ?? reader.latencyMs;
  }

  /** Resolves when all of these readers have had their time for one fingerprint more; each does one at a time. */
  async busy(ids: readonly number[]): Promise<void> {
    const readers = ids.flatMap((id) => this.#readers.get(id) ?? []);
    const ms = Math.max(0, ...readers.map(({ latencyMs }) => latencyMs));
    if (ms === 0) return;
    const done = Promise.all(readers.map(({ free }) => free)).then(() =>
      delay(ms, undefined, { signal: this.#closing.signal }).catch(() => undefined),
    );
    for (const reader of readers) reader.free = done;
    await done;
  }

  /** Enrols a finger at the terminal itself, on these readers; each time it is another template. */
  present(employeeNo: string, fingerPrintID: number, readers: readonly number[] = [1]): string {
    this.#presented += 1;
    const fingerData = createHash('sha512')
      .update(`${this.#device.name}/${employeeNo}/${fingerPrintID}/${this.#presented}`)
      .digest('base64');
    for (const id of readers) this.put(id, { employeeNo, fingerPrintID, fingerType: 'normalFP', fingerData });
    return fingerData;
  }

  /** Puts a finger on the reader that is asked for again and again, if the site has a person for that. */
  somebodyComes(employeeNo: string, readerNo = 1, fingerPrintID?: number): void {
    const { site, clock } = this.#device;
    if (site.fingerAfterMs === undefined || fingerPrintID === undefined) return;
    const key = JSON.stringify([employeeNo, readerNo, fingerPrintID]);
    const known = this.#missing.get(key);
    this.#missing.delete(key);
    if (this.find(employeeNo, readerNo, fingerPrintID).length > 0) return;
    const now = clock.now();
    const since = known === undefined || now - known.last > WAITS_MS ? now : known.since;
    if (known !== undefined && now - since >= site.fingerAfterMs) {
      this.present(employeeNo, fingerPrintID, [readerNo]);
      return;
    }
    this.#missing.set(key, { since, last: now });
    const [oldest] = this.#missing.size > MOST_MISSING ? this.#missing.keys() : [];
    if (oldest !== undefined) this.#missing.delete(oldest);
  }

  find(
    employeeNo: string,
    readerNo: number | undefined,
    fingerPrintID: number | undefined,
  ): readonly (Fingerprint & { readonly cardReaderNo: number })[] {
    return [...this.#readers.values()]
      .filter((reader) => readerNo === undefined || reader.id === readerNo)
      .flatMap((reader) =>
        [...reader.prints.values()]
          .filter(
            (print) =>
              print.employeeNo === employeeNo &&
              (fingerPrintID === undefined || print.fingerPrintID === fingerPrintID),
          )
          .map((print) => ({ ...print, cardReaderNo: reader.id })),
      );
  }

  /** Counts the different fingers of a person on all readers. */
  countOf(employeeNo: string): number {
    const fingers = new Set<number>();
    for (const reader of this.#readers.values()) {
      for (let id = 1; id <= reader.highestId; id += 1)
        if (reader.prints.has(`${id}/${employeeNo}`)) fingers.add(id);
    }
    return fingers.size;
  }

  /** Returns the reader's answer to this fingerprint; changes nothing. */
  judge(readerId: number, print: Fingerprint): ReaderResult {
    const reader = this.#readers.get(readerId);
    const result = (status: number, errorMsg?: string): ReaderResult => ({
      id: readerId,
      cardReaderRecvStatus: status,
      ...removeUndefined({ errorMsg }),
    });
    const { faults } = this.#device;
    const fault = faults.first(READER_KINDS, { reader: readerId })?.kind;
    if (fault !== undefined)
      return result(READER_FAULTS[fault], fault === 'finger-exists' ? STRANGER : undefined);
    if (!reader || reader.mode === 'offline') return result(RECEIVED.offline);
    if (reader.mode === 'failing') return result(RECEIVED.failed);
    if (!reader.types.has(print.fingerType)) return result(RECEIVED.readerTooOld);
    if (print.fingerPrintID > reader.highestId) return result(RECEIVED.illegalId);
    const owner = reader.owners.get(hashOf(print.fingerData));
    const isOwn = owner !== undefined && keyOf(owner) === keyOf(print);
    if (isOwn && faults.strike('own-finger-exists', { reader: readerId }) === undefined)
      return result(RECEIVED.success);
    if (owner) return result(RECEIVED.exists, owner.employeeNo.slice(0, 32));
    if (!reader.prints.has(keyOf(print)) && reader.prints.size >= reader.capacity)
      return result(RECEIVED.memoryFull);
    return result(RECEIVED.success);
  }

  put(readerId: number, print: Fingerprint): void {
    const reader = this.#readers.get(readerId);
    if (!reader) return;
    const { leaderFP: _doors, ...plain } = print;
    const isPlain = this.#device.faults.strike('finger-plain', { reader: readerId }) !== undefined;
    store(reader, isPlain ? { ...plain, fingerType: 'normalFP' } : print);
  }

  /** Returns the fingerprints that one answer shows: all, unless the device shows a finger at a time. */
  shown<P extends Fingerprint>(search: string, found: readonly P[]): readonly P[] {
    const quirk = this.#device.faults.strike('one-finger');
    if (quirk === undefined) return found;
    const fingers = [...new Set(found.map(({ fingerPrintID }) => fingerPrintID))].sort((a, b) => a - b);
    const times = this.#searches.get(search) ?? 0;
    if (quirk.next === 'search') this.#searches.delete(search);
    if (quirk.next === 'search') this.#searches.set(search, times + 1);
    const [oldest] = this.#searches.size > MOST_SEARCHES ? this.#searches.keys() : [];
    if (oldest !== undefined) this.#searches.delete(oldest);
    const finger = fingers[quirk.next === 'search' ? times : 0];
    return found.filter(({ fingerPrintID }) => fingerPrintID === finger);
  }

  /** Returns true if every one of these readers works and has the fingerprint. */
  hasOn(readers: readonly number[], employeeNo: string, fingerPrintID: number): boolean {
    return readers.every(
      (id) =>
        this.#readers.get(id)?.mode === 'working' &&
        this.#readers.get(id)?.prints.has(`${fingerPrintID}/${employeeNo}`) === true,
    );
  }

  change(
    readers: readonly number[],
    employeeNo: string,
    fingerPrintID: number,
    changes: { readonly fingerType: string; readonly leaderFP?: readonly number[] },
  ): void {
    for (const id of readers) {
      const reader = this.#readers.get(id);
      const print = reader?.prints.get(`${fingerPrintID}/${employeeNo}`);
      if (reader && print) store(reader, { ...print, ...changes });
    }
  }

  remove(readers: readonly number[], employeeNo: string, fingerPrintID: number): void {
    for (const id of readers) {
      const reader = this.#readers.get(id);
      const print = reader?.prints.get(`${fingerPrintID}/${employeeNo}`);
      if (reader && print) forget(reader, print);
    }
  }

  removeEmployee(employeeNo: string): void {
    for (const reader of this.#readers.values()) {
      for (let id = 1; id <= reader.highestId; id += 1) {
        const print = reader.prints.get(`${id}/${employeeNo}`);
        if (print) forget(reader, print);
      }
    }
  }

  close(): void {
    this.#closing.abort();
  }

  snapshot(): unknown {
    return {
      fingerprints: Object.fromEntries([...this.#readers].map(([id, reader]) => [id, reader.prints.size])),
    };
  }
}

export const FINGERPRINTS: PartKey<FingerprintReaders> = {
  name: 'fingerprints',
  create: (device) => new FingerprintReaders(device),
};

function newReader(id: number, highestId: number, types: readonly string[]): Reader {
  return {
    id,
    prints: new Map(),
    owners: new Map(),
    mode: 'working',
    capacity: 100_000,
    latencyMs: 0,
    free: Promise.resolve(),
    highestId,
    types: new Set(types),
  };
}

function store(reader: Reader, print: Fingerprint): void {
  const before = reader.prints.get(keyOf(print));
  if (before) reader.owners.delete(hashOf(before.fingerData));
  reader.prints.set(keyOf(print), print);
  reader.owners.set(hashOf(print.fingerData), print);
}

function forget(reader: Reader, print: Fingerprint): void {
  reader.prints.delete(keyOf(print));
  reader.owners.delete(hashOf(print.fingerData));
}

function keyOf(print: Fingerprint): string {
  return `${print.fingerPrintID}/${print.employeeNo}`;
}

/** Tells templates apart without showing them. */
export function hashOf(data: string): string {
  return createHash('sha256').update(data).digest('base64');
}
