/** The engines of an AI device: which package each has, and what it says of itself (part 1, 2.5 and 3). */
import { ENGINES } from '../../documents/ai.ts';
import type { DeviceState } from '../../state/device-state.ts';

interface Engine {
  MPID: string | undefined;
  since: number;
  resetting: boolean;
  undecryptable: boolean;
}

/** How long an engine initializes. */
const INITIALIZING_MS = 5000;

/** States that these devices take. */
const STATUS = { empty: 0, running: 1, abnormal: 2, decryptionFailed: 3, initializing: 10 } as const;

/** What an engine sees of its package. */
export interface Content {
  readonly bytes: number;
  readonly damaged: boolean;
}

export class Engines {
  readonly #device: Pick<DeviceState, 'clock' | 'faults'>;
  readonly #engines = new Map<number, Engine>();

  constructor(device: Pick<DeviceState, 'clock' | 'faults'>) {
    this.#device = device;
    for (const id of ENGINES) this.#set(id, undefined, Number.NEGATIVE_INFINITY);
  }

  has(engine: number): boolean {
    return this.#engines.has(engine);
  }

  loadedOn(engine: number): string | undefined {
    return this.#engines.get(engine)?.MPID;
  }

  /** Those that have it. */
  of(MPID: string): readonly number[] {
    return ENGINES.filter((engine) => this.loadedOn(engine) === MPID);
  }

  /** `settled`: it has been running for long. */
  load(engine: number, MPID: string, settled = false): void {
    if (settled) this.#set(engine, MPID, Number.NEGATIVE_INFINITY);
    else this.#set(engine, MPID, this.#now(), this.#device.faults.strike('decrypt-fails') !== undefined);
  }

  unload(engine: number): void {
    this.#set(engine, undefined, this.#now());
  }

  reset(engine: number): void {
    const state = this.#engines.get(engine);
    if (state) this.#engines.set(engine, { ...state, since: this.#now(), resetting: true });
  }

  restarted(): void {
    for (const engine of this.#engines.values()) if (engine.MPID !== undefined) engine.since = this.#now();
  }

  /** State number of an engine; `content` is that of the package it has. */
  status(engine: number | undefined, content: Content | undefined): number {
    const state = engine === undefined ? undefined : this.#engines.get(engine);
    const busy = state !== undefined && this.#now() - state.since < INITIALIZING_MS;
    if (state && busy && (state.resetting || state.MPID !== undefined)) return STATUS.initializing;
    if (state?.MPID === undefined) return STATUS.empty;
    // nothing in the file: nothing that could be decrypted
    if (state.undecryptable || content === undefined || content.bytes === 0) return STATUS.decryptionFailed;
    return content.damaged ? STATUS.abnormal : STATUS.running;
  }

  snapshot(): Readonly<Record<string, string | undefined>> {
    return Object.fromEntries([...this.#engines].map(([id, engine]) => [id, engine.MPID]));
  }

  #set(engine: number, MPID: string | undefined, since: number, undecryptable = false): void {
    this.#engines.set(engine, { MPID, since, resetting: false, undecryptable });
  }

  #now(): number {
    return this.#device.clock.now();
  }
}
