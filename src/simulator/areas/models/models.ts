/**
 * Model packages on the device: downloaded, waiting for a restart, installed, bound to engines
 * (part 1, 2.3 to 2.6 and 3).
 */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { DeviceState, Part, PartKey } from '#simulator/state/device-state.ts';
import { download, findOtherAddress, Received } from './download.ts';
import { Engines } from './engines.ts';
import { Trouble } from './trouble.ts';

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
  /** File that the engines use. */
  file: Received;
  /** Received part of the next file; kept if a download fails, so that the next one fetches only the rest. */
  incoming?: Received | undefined;
  sha256?: string;
  /** Engines to load it into after the restart. */
  engines: readonly number[];
  /** An installed package that is being replaced stays listed. */
  listed: boolean;
  /** Number of times its progress was asked for. */
  asked: number;
  abort?: AbortController;
}

const MEGABYTE = 1024 * 1024;

export class Models implements Part {
  readonly engines: Engines;
  readonly #device: DeviceState;
  readonly #packages = new Map<string, ModelPackage>();
  #closed = false;

  constructor(device: DeviceState) {
    this.#device = device;
    this.engines = new Engines(device);
    const delivered = this.#added('delivered-safety-helmet', {
      MPName: 'Safety helmet',
      description: [{ language: 'en', text: 'People without a helmet' }],
    });
    Object.assign(delivered, { stage: 'installed', listed: true, percent: 100 });
    delivered.file.bytes = 180 * MEGABYTE;
    this.engines.load(1, delivered.MPID, true);
  }

  package(MPID: string): ModelPackage | undefined {
    return this.#packages.get(MPID);
  }

  /** Returns 0 before the start, 100 when finished and waiting for the restart. */
  percent(MPID: string): number | undefined {
    const item = this.#packages.get(MPID);
    if (item?.stage !== 'downloading' || item.percent === 0) return item?.percent;
    item.asked += 1;
    const { faults } = this.#device;
    if (faults.strike('percent-lies')) return 100;
    const back = item.asked % 2 === 0 && faults.strike('percent-back') !== undefined;
    return back ? Math.floor(item.percent / 2) : item.percent;
  }

  get freeMegabytes(): number {
    const files = [...this.#packages.values()].flatMap(({ file, incoming }) => [file, incoming]);
    const used = files.reduce((sum, file) => sum + Math.ceil((file?.bytes ?? 0) / MEGABYTE), 0);
    return Math.max(0, this.#device.site.modelStorageMb - used);
  }

  get space(): { totalCapacity: number; surplusCapacity: number; MPNumbers: number } {
    return {
      totalCapacity: this.#device.site.modelStorageMb,
      surplusCapacity: this.freeMegabytes,
      MPNumbers: this.list().length,
    };
  }

  /** Begins to download a new package, or one whose download had failed; without an address it stays at 0. */
  begin(MPID: string, facts: PackageFacts, urls: readonly string[], engines: readonly number[]): void {
    const item = this.#packages.get(MPID) ?? this.#added(MPID, facts);
    Object.assign(item, { facts, engines });
    if (urls.length === 0) {
      Object.assign(item, { stage: 'announced', percent: 0, incoming: undefined });
    } else this.#download(item, urls);
  }

  /** Takes a file that was sent instead of an address. */
  take(MPID: string, facts: PackageFacts, engines: readonly number[], file: Received): void {
    const item = this.#packages.get(MPID) ?? this.#added(MPID, facts);
    Object.assign(item, {
      facts,
      engines,
      stage: 'waiting',
      percent: 100,
      incoming: file,
      sha256: file.sha256,
    });
    this.#device.restartDue();
  }

  /** Sets new facts at once, and a new file after its download and a restart. */
  update(MPID: string, facts: Partial<PackageFacts>, url: string | undefined): void {
    const item = this.#packages.get(MPID);
    if (!item) return;
    item.facts = { ...item.facts, ...facts };
    if (url === undefined) return;
    // The package keeps its current engines; one that was never downloaded keeps those it was announced for.
    if (item.stage !== 'announced') item.engines = this.engines.of(MPID);
    this.#download(item, [url]);
  }

  remove(MPID: string): void {
    this.#packages.get(MPID)?.abort?.abort();
    this.#packages.delete(MPID);
  }

  /**
   * Returns the loading information of an engine, once for each package that it has (part 1, 2.5); an engine
   * that takes several also counts channels.
   */
  loading(engine: number): readonly Record<string, unknown>[] {
    const loaded = this.engines.loadedOn(engine);
    const channels =
      this.#device.site.modelsPerEngine > 1
        ? {
            relVideoChannelNum: 0,
            surplusVideoChannelNum: 4,
            relPictureChannelNum: 0,
            surplusPictureChannelNum: 4,
          }
        : {};
    return (loaded.length === 0 ? [''] : loaded).map((MPID) => {
      const item = this.#packages.get(MPID);
      return {
        status: this.engines.status(engine, MPID, item?.file),
        MPID,
        MPName: item?.facts.MPName ?? '',
        ...described(item),
        ...channels,
      };
    });
  }

  list(): readonly Record<string, unknown>[] {
    return [...this.#packages.values()]
      .filter((item) => item.listed)
      .map((item) => {
        const engines = this.engines.of(item.MPID);
        return {
          MPID: item.MPID,
          MPName: item.facts.MPName,
          status: this.engines.status(engines[0], item.MPID, item.file),
          ...(engines.length > 0 ? { engine: engines } : {}),
          ...described(item),
        };
      });
  }

  /** Puts downloaded packages into effect; ends a running download and keeps its received part. */
  restarted(): void {
    for (const item of this.#packages.values()) {
      if (item.stage === 'downloading') {
        item.abort?.abort();
        Object.assign(item, { stage: 'failed', percent: 0 });
      } else if (item.stage === 'waiting') {
        item.stage = 'installed';
        item.listed = true;
        item.file = item.incoming ?? item.file;
        item.incoming = undefined;
        for (const engine of item.engines)
          if (this.engines.hasRoom(engine) && !this.engines.loadedOn(engine).includes(item.MPID))
            this.engines.load(engine, item.MPID);
        item.engines = [];
      }
    }
    this.engines.restarted();
  }

  close(): void {
    this.#closed = true;
    for (const item of this.#packages.values()) item.abort?.abort();
  }

  snapshot(): unknown {
    return {
      packages: [...this.#packages.values()].map(({ MPID, stage, percent, file, incoming, sha256 }) => ({
        MPID,
        stage,
        percent,
        bytes: (incoming ?? file).bytes,
        sha256,
      })),
      engines: this.engines.snapshot(),
    };
  }

  #added(MPID: string, facts: PackageFacts): ModelPackage {
    const item: ModelPackage = {
      MPID,
      facts,
      stage: 'downloading',
      percent: 0,
      file: new Received(),
      engines: [],
      listed: false,
      asked: 0,
    };
    this.#packages.set(MPID, item);
    return item;
  }

  /** Starts a download. The address stays in this function alone: it carries its own password. */
  #download(item: ModelPackage, urls: readonly string[]): void {
    if (this.#closed) return;
    item.abort?.abort();
    const abort = new AbortController();
    const { faults, site } = this.#device;
    // The part of another download is of use only if that was not finished.
    const file = item.stage === 'failed' ? (item.incoming ?? new Received()) : new Received();
    Object.assign(item, { stage: 'downloading', percent: 0, incoming: file, abort });
    const trouble = new Trouble(this.#device);
    const calls = faults.strike('download-never') === undefined;
    const [packageUrl = '', ...others] = urls;
    const from = faults.strike('download-elsewhere') ? findOtherAddress(packageUrl) : undefined;
    file.damaged = faults.strike('wrong-hash') !== undefined;

    const fetchAll = async (): Promise<void> => {
      const shared = { rate: site.downloadRate, from, signal: abort.signal };
      const limit = (this.freeMegabytes + Math.ceil(file.bytes / MEGABYTE)) * MEGABYTE;
      await download(packageUrl, file, {
        ...shared,
        limit,
        onProgress: () => {
          const part = file.total === undefined || file.total === 0 ? 0.5 : file.bytes / file.total;
          item.percent = Math.max(1, Math.min(99, Math.floor(part * 100)));
          return trouble.at(file.bytes, file.total);
        },
      });
      for (const url of others)
        await download(url, new Received(), { ...shared, limit: MEGABYTE, onProgress: () => undefined });
      Object.assign(item, { stage: 'waiting', percent: 100, sha256: file.sha256 });
      this.#device.restartDue();
    };
    if (!calls) return;
    fetchAll().catch(() => {
      if (item.abort === abort && item.stage === 'downloading') item.stage = 'failed';
    });
  }
}

function described(item: ModelPackage | undefined): Record<string, unknown> {
  return removeUndefined({
    description: item?.facts.description === undefined ? undefined : item.facts.description,
    algSortingParams: item?.facts.algSortingParams === undefined ? undefined : item.facts.algSortingParams,
  });
}

export const MODELS: PartKey<Models> = { name: 'models', create: (device) => new Models(device) };
