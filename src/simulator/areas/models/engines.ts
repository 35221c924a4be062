/** The engines of an AI device: which package each has, and what it says of itself (part 1, 2.5 and 3). */
import { ENGINES } from '#simulator/device-documents/ai.ts';
import type { DeviceState } from '#simulator/state/device-state.ts';

interface Engine {
  readonly loaded: readonly Loaded[];
  /** Time when it was last emptied or reset. */
  readonly since: number;
  readonly resetting: boolean;
}
interface Loaded {
  readonly MPID: string;
  readonly since: number;
  readonly undecryptable: boolean;
}

/** Time that an engine needs to initialize. */
const INITIALIZING_MS = 5000;

/** States that these devices take. */
const STATUS = { empty: 0, running: 1, abnormal: 2, decryptionFailed: 3, initializing: 10 } as const;

/** Content of a package as an engine sees it. */
export interface Content {
  readonly bytes: number;
  readonly damaged: boolean;
}

export class Engines {
  readonly #device: Pick<DeviceState, 'clock' | 'faults' | 'site'>;
  readonly #engines = new Map<number, Engine>();

  constructor(device: Pick<DeviceState, 'clock' | 'faults' | 'site'>) {
    this.#device = device;
    for (const id of ENGINES)
      this.#engines.set(id, { loaded: [], since: Number.NEGATIVE_INFINITY, resetting: false });
  }

  has(engine: number): boolean {
    return this.#engines.has(engine);
  }

  /** Returns the packages that an engine has, in the order in which they were loaded. */
  loadedOn(engine: number): readonly string[] {
    return (this.#engines.get(engine)?.loaded ?? []).map(({ MPID }) => MPID);
  }

  /** Tells whether an engine takes one more package (`loadMPMaxNum`, part 1, 2.2). */
  hasRoom(engine: number): boolean {
    return this.loadedOn(engine).length < this.#device.site.modelsPerEngine;
  }

  /** Returns the engines that have the package. */
  of(MPID: string): readonly number[] {
    return ENGINES.filter((engine) => this.loadedOn(engine).includes(MPID));
  }

  /** Loads a package. `settled`: it has been running for long. */
  load(engine: number, MPID: string, settled = false): void {
    const undecryptable = !settled && this.#device.faults.strike('decrypt-fails') !== undefined;
    const since = settled ? Number.NEGATIVE_INFINITY : this.#now();
    this.#change(engine, ({ loaded }) => ({ loaded: [...loaded, { MPID, since, undecryptable }] }));
  }

  /** Empties the engine: the request names no package (part 1, 4). */
  unload(engine: number): void {
    this.#change(engine, () => ({ loaded: [], since: this.#now(), resetting: false }));
  }

  reset(engine: number): void {
    this.#change(engine, () => ({ since: this.#now(), resetting: true }));
  }

  restarted(): void {
    for (const engine of this.#engines.keys())
      this.#change(engine, ({ loaded }) => ({
        loaded: loaded.map((each) => ({ ...each, since: this.#now() })),
      }));
  }

  /**
   * Returns the state number of an engine with one package, or without any; `content` is that of the package.
   */
  status(engine: number | undefined, MPID?: string, content?: Content): number {
    const state = engine === undefined ? undefined : this.#engines.get(engine);
    const mine = state?.loaded.find((each) => each.MPID === MPID);
    const isBusy = (since: number): boolean => this.#now() - since < INITIALIZING_MS;
    if (state?.resetting === true && isBusy(state.since)) return STATUS.initializing;
    if (mine === undefined) return STATUS.empty;
    if (isBusy(mine.since)) return STATUS.initializing;
    // A package without content has no part that could be decrypted.
    if (mine.undecryptable || content === undefined || content.bytes === 0) return STATUS.decryptionFailed;
    return content.damaged ? STATUS.abnormal : STATUS.running;
  }

  snapshot(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries([...this.#engines.keys()].map((id) => [id, this.loadedOn(id)]));
  }

  #change(engine: number, make: (before: Engine) => Partial<Engine>): void {
    const before = this.#engines.get(engine);
    if (before !== undefined) this.#engines.set(engine, { ...before, ...make(before) });
  }

  #now(): number {
    return this.#device.clock.now();
  }
}
