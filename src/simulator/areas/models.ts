/**
 * Model packages on the device: downloaded, waiting for a restart, installed, bound to engines
 * (part 1, 2.3 to 2.6 and 3).
 */
import { defined } from '../../shared/defined.ts';
import { ENGINES } from '../documents/ai.ts';
import type { SiteClock } from '../clock.ts';
import type { DeviceState, Part, PartKey } from '../state/device-state.ts';
import { download } from './download.ts';

/** `announced` has no address to download from yet. */
type Stage = 'announced' | 'downloading' | 'waiting' | 'installed' | 'failed';

export interface PackageFacts {
  readonly MPName: string;
  readonly description?: unknown;
  readonly algSortingParams?: unknown;
}

interface ModelPackage {
  readonly MPID: string;
  facts: PackageFacts;
  stage: Stage;
  percent: number;
  bytes: number;
  sha256?: string;
  /** Engines to load it into after the restart. */
  engines: readonly number[];
  /** An installed package that is being replaced stays listed. */
  listed: boolean;
  abort?: AbortController;
}

interface Engine {
  MPID: string | undefined;
  since: number;
  resetting: boolean;
}

const MEGABYTE = 1024 * 1024;
const CAPACITY_MB = 4096;
/** How long an engine initializes. */
const INITIALIZING_MS = 5000;

/** Engine states of part 1, 3 that this device takes. */
const ENGINE_STATUS = { empty: 0, running: 1, decryptionFailed: 3, initializing: 10 } as const;

export class Models implements Part {
  readonly #clock: SiteClock;
  readonly #packages = new Map<string, ModelPackage>();
  readonly #engines = new Map<number, Engine>();
  #closed = false;

  constructor(device: DeviceState) {
    this.#clock = device.clock;
    for (const id of ENGINES)
      this.#engines.set(id, { MPID: undefined, since: Number.NEGATIVE_INFINITY, resetting: false });
    const delivered = 'delivered-safety-helmet';
    this.#packages.set(delivered, {
      MPID: delivered,
      stage: 'installed',
      listed: true,
      percent: 100,
      bytes: 180 * MEGABYTE,
      engines: [],
      facts: { MPName: 'Safety helmet', description: [{ language: 'en', text: 'People without a helmet' }] },
    });
    this.#engines.set(1, { MPID: delivered, since: Number.NEGATIVE_INFINITY, resetting: false });
  }

  hasEngine(engine: number): boolean {
    return this.#engines.has(engine);
  }

  package(MPID: string): ModelPackage | undefined {
    return this.#packages.get(MPID);
  }

  /** 0 not started, 100 finished and waiting for the restart. */
  percent(MPID: string): number | undefined {
    return this.#packages.get(MPID)?.percent;
  }

  get freeMegabytes(): number {
    return Math.max(
      0,
      CAPACITY_MB -
        [...this.#packages.values()].reduce((sum, item) => sum + Math.ceil(item.bytes / MEGABYTE), 0),
    );
  }

  get space(): { totalCapacity: number; surplusCapacity: number; MPNumbers: number } {
    return { totalCapacity: CAPACITY_MB, surplusCapacity: this.freeMegabytes, MPNumbers: this.list().length };
  }

  /** Begins to download a new package, or one whose download had failed; without an address it stays at 0. */
  begin(MPID: string, facts: PackageFacts, urls: readonly string[], engines: readonly number[]): void {
    const known = this.#packages.get(MPID);
    const item: ModelPackage = known ?? {
      MPID,
      facts,
      stage: 'downloading',
      percent: 0,
      bytes: 0,
      engines,
      listed: false,
    };
    item.facts = facts;
    item.engines = engines;
    this.#packages.set(MPID, item);
    if (urls.length === 0) Object.assign(item, { stage: 'announced', percent: 0, bytes: 0 });
    else this.#download(item, urls);
  }

  /** New facts at once, a new file after its download and a restart. */
  update(MPID: string, facts: Partial<PackageFacts>, url: string | undefined): void {
    const item = this.#packages.get(MPID);
    if (!item) return;
    item.facts = { ...item.facts, ...facts };
    if (url === undefined) return;
    // those it runs on now; one that never came yet keeps those it was announced for
    if (item.stage !== 'announced')
      item.engines = ENGINES.filter((engine) => this.#engines.get(engine)?.MPID === MPID);
    this.#download(item, [url]);
  }

  remove(MPID: string): void {
    this.#packages.get(MPID)?.abort?.abort();
    this.#packages.delete(MPID);
  }

  isLoaded(MPID: string): boolean {
    return [...this.#engines.values()].some((engine) => engine.MPID === MPID);
  }

  loadedOn(engine: number): string | undefined {
    return this.#engines.get(engine)?.MPID;
  }

  load(engine: number, MPID: string): void {
    this.#engines.set(engine, { MPID, since: this.#clock.now(), resetting: false });
  }

  unload(engine: number): void {
    this.#engines.set(engine, { MPID: undefined, since: this.#clock.now(), resetting: false });
  }

  reset(engine: number): void {
    const state = this.#engines.get(engine);
    if (state) this.#engines.set(engine, { ...state, since: this.#clock.now(), resetting: true });
  }

  /** Loading information of one engine (part 1, 2.5); the engines take one model, so there are no channel counts. */
  loading(engine: number): Record<string, unknown> {
    const state = this.#engines.get(engine);
    const item = state?.MPID === undefined ? undefined : this.#packages.get(state.MPID);
    return {
      status: this.#status(state, item),
      MPID: item?.MPID ?? '',
      MPName: item?.facts.MPName ?? '',
      ...described(item),
    };
  }

  list(): readonly Record<string, unknown>[] {
    return [...this.#packages.values()]
      .filter((item) => item.listed)
      .map((item) => {
        const engines = ENGINES.filter((engine) => this.#engines.get(engine)?.MPID === item.MPID);
        const first = engines[0] === undefined ? undefined : this.#engines.get(engines[0]);
        return {
          MPID: item.MPID,
          MPName: item.facts.MPName,
          status: this.#status(first, item),
          ...(engines.length > 0 ? { engine: engines } : {}),
          ...described(item),
        };
      });
  }

  /** Downloaded packages take effect; a download that was under way is lost. */
  restarted(): void {
    for (const item of this.#packages.values()) {
      if (item.stage === 'downloading') {
        item.abort?.abort();
        Object.assign(item, { stage: 'failed', percent: 0, bytes: 0 });
      } else if (item.stage === 'waiting') {
        item.stage = 'installed';
        item.listed = true;
        for (const engine of item.engines)
          if (this.#engines.get(engine)?.MPID === undefined) this.load(engine, item.MPID);
        item.engines = [];
      }
    }
    for (const engine of this.#engines.values())
      if (engine.MPID !== undefined) engine.since = this.#clock.now();
  }

  close(): void {
    this.#closed = true;
    for (const item of this.#packages.values()) item.abort?.abort();
  }

  snapshot(): unknown {
    return {
      packages: [...this.#packages.values()].map(({ MPID, stage, percent, bytes, sha256 }) => ({
        MPID,
        stage,
        percent,
        bytes,
        sha256,
      })),
      engines: Object.fromEntries([...this.#engines].map(([id, engine]) => [id, engine.MPID])),
    };
  }

  #status(engine: Engine | undefined, item: ModelPackage | undefined): number {
    const busy = engine !== undefined && this.#clock.now() - engine.since < INITIALIZING_MS;
    if (engine && busy && (engine.resetting || engine.MPID !== undefined)) return ENGINE_STATUS.initializing;
    if (!engine || engine.MPID === undefined) return ENGINE_STATUS.empty;
    // nothing in the file: nothing that could be decrypted
    return item === undefined || item.bytes === 0 ? ENGINE_STATUS.decryptionFailed : ENGINE_STATUS.running;
  }

  /** The address stays in this function alone: it carries its own password. */
  #download(item: ModelPackage, urls: readonly string[]): void {
    if (this.#closed) return;
    item.abort?.abort();
    const abort = new AbortController();
    Object.assign(item, { stage: 'downloading', percent: 0, bytes: 0, abort });
    const fetchAll = async (): Promise<void> => {
      const limit = this.freeMegabytes * MEGABYTE;
      const [packageUrl = '', ...others] = urls;
      const result = await download(
        packageUrl,
        limit,
        ({ received, total }) => {
          item.percent =
            total === undefined || total === 0
              ? 50
              : Math.max(1, Math.min(99, Math.floor((received / total) * 100)));
        },
        abort.signal,
      );
      for (const url of others) await download(url, MEGABYTE, () => undefined, abort.signal);
      Object.assign(item, { stage: 'waiting', percent: 100, bytes: result.bytes, sha256: result.sha256 });
    };
    fetchAll().catch(() => {
      if (item.abort === abort && item.stage === 'downloading') item.stage = 'failed';
    });
  }
}

function described(item: ModelPackage | undefined): Record<string, unknown> {
  return defined({
    description: item?.facts.description === undefined ? undefined : item.facts.description,
    algSortingParams: item?.facts.algSortingParams === undefined ? undefined : item.facts.algSortingParams,
  });
}

export const MODELS: PartKey<Models> = { name: 'models', create: (device) => new Models(device) };
