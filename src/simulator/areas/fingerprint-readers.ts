/** Readers 1 and 2 and the fingerprints on them (part 2, 2.7). */
import { createHash } from 'node:crypto';
import { defined } from '../../shared/defined.ts';
import type { DeviceState, Part, PartKey } from '../state/device-state.ts';
import { generatedPerson } from './person.ts';

/** cardReaderRecvStatus of part 2, 2.7. */
export const RECEIVED = {
  failed: 0,
  success: 1,
  offline: 2,
  poorQuality: 3,
  memoryFull: 4,
  exists: 5,
  illegalId: 7,
  nothingToDo: 8,
  readerTooOld: 10,
} as const;
export type ReaderMode = 'working' | 'offline' | 'failing';

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
  /** The highest fingerprint number this reader keeps. */
  readonly highestId: number;
  /** Finger types that its version knows. */
  readonly types: ReadonlySet<string>;
}

const SHORTEST_TEMPLATE_BYTES = 32;
const ALL_TYPES = ['normalFP', 'hijackFP', 'patrolFP', 'superFP', 'dismissingFP'];
const DELIVERED = 3;

export class FingerprintReaders implements Part {
  readonly #readers: ReadonlyMap<number, Reader>;

  constructor(device: DeviceState) {
    // reader 2 is of an older make: five fingers a person, no super and no dismissing fingerprints
    this.#readers = new Map([
      [1, newReader(1, 10, ALL_TYPES)],
      [2, newReader(2, 5, ALL_TYPES.slice(0, 3))],
    ]);
    for (let index = 0; index < Math.min(DELIVERED, device.users); index += 1) {
      const { employeeNo } = generatedPerson(device, index);
      const fingerData = createHash('sha512').update(`${device.name}/${employeeNo}`).digest('base64');
      for (const reader of this.#readers.values())
        store(reader, { employeeNo, fingerPrintID: 1, fingerType: 'normalFP', fingerData });
    }
  }

  /** What a reader does from now on; capacity 0 makes its memory full. */
  setReader(id: number, change: { readonly mode?: ReaderMode; readonly capacity?: number }): void {
    const reader = this.#readers.get(id);
    if (!reader) throw new RangeError('Readers are 1 and 2.');
    reader.mode = change.mode ?? reader.mode;
    reader.capacity = change.capacity ?? reader.capacity;
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

  /** Different fingers of a person, on whichever reader. */
  countOf(employeeNo: string): number {
    const fingers = new Set<number>();
    for (const reader of this.#readers.values()) {
      for (let id = 1; id <= reader.highestId; id += 1)
        if (reader.prints.has(`${id}/${employeeNo}`)) fingers.add(id);
    }
    return fingers.size;
  }

  /** What the reader would answer to this fingerprint; changes nothing. */
  judge(readerId: number, print: Fingerprint): ReaderResult {
    const reader = this.#readers.get(readerId);
    const result = (status: number, errorMsg?: string): ReaderResult => ({
      id: readerId,
      cardReaderRecvStatus: status,
      ...defined({ errorMsg }),
    });
    if (!reader || reader.mode === 'offline') return result(RECEIVED.offline);
    if (reader.mode === 'failing') return result(RECEIVED.failed);
    if (!reader.types.has(print.fingerType)) return result(RECEIVED.readerTooOld);
    if (print.fingerPrintID > reader.highestId) return result(RECEIVED.illegalId);
    if (Buffer.from(print.fingerData, 'base64').length < SHORTEST_TEMPLATE_BYTES)
      return result(RECEIVED.poorQuality);
    const owner = reader.owners.get(hashOf(print.fingerData));
    if (owner && keyOf(owner) === keyOf(print)) return result(RECEIVED.nothingToDo);
    if (owner) return result(RECEIVED.exists, owner.employeeNo.slice(0, 32));
    if (!reader.prints.has(keyOf(print)) && reader.prints.size >= reader.capacity)
      return result(RECEIVED.memoryFull);
    return result(RECEIVED.success);
  }

  put(readerId: number, print: Fingerprint): void {
    const reader = this.#readers.get(readerId);
    if (reader) store(reader, print);
  }

  /** True where every one of these readers works and has the fingerprint. */
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

function hashOf(data: string): string {
  return createHash('sha256').update(data).digest('base64');
}
