/** State of one virtual device. Each part is made when it is first asked for. */
import type { SiteClock } from '../clock.ts';
import type { Faults } from '../faults.ts';
import type { KindFacts } from '../kinds/facts.ts';
import type { Model } from '../kinds/models.ts';
import type { CheckedOptions } from '../options.ts';
import { createRandom, deriveSeed, type Random } from '../random.ts';
import { Documents } from './documents.ts';

/** A part of the state that an area keeps for itself. */
export interface Part {
  /** The device has restarted. */
  restarted?(): void;
  /** Called when the device is closed: stops whatever still runs. */
  close?(): void;
  /** Plain data for tests; no secret in it. */
  snapshot?(): unknown;
}

/** Names a part and makes it for a device. */
export interface PartKey<T extends Part> {
  readonly name: string;
  readonly create: (device: DeviceState) => T;
}

interface DeviceStateOptions {
  readonly facts: KindFacts;
  readonly model: Model;
  readonly name: string;
  /** The last channel. */
  readonly channels: number;
  readonly firstChannel: number;
  readonly namespace: string;
  readonly seed: number;
  readonly clock: SiteClock;
  readonly faults: Pick<Faults, 'strike' | 'first'>;
  readonly site: CheckedOptions;
  /** Restarts the device on its own. */
  readonly restartSelf: () => void;
  /** Called when something waits for a restart: it comes by itself if the site is set so. */
  readonly restartDue: () => void;
}

export class DeviceState {
  readonly facts: KindFacts;
  readonly model: Model;
  readonly name: string;
  readonly channels: number;
  readonly firstChannel: number;
  readonly namespace: string;
  readonly clock: SiteClock;
  readonly faults: DeviceStateOptions['faults'];
  readonly site: CheckedOptions;
  readonly restartSelf: () => void;
  readonly restartDue: () => void;
  readonly documents = new Documents();
  readonly startedAt: number;
  readonly #seed: number;
  readonly #parts = new Map<string, Part>();
  #afterRestart: (() => void)[] = [];
  #late: { readonly change: () => void; readonly dueAt: number; requests: number | undefined }[] = [];

  constructor(options: DeviceStateOptions) {
    this.facts = options.facts;
    this.model = options.model;
    this.name = options.name;
    this.channels = options.channels;
    this.firstChannel = options.firstChannel;
    this.namespace = options.namespace;
    this.clock = options.clock;
    this.faults = options.faults;
    this.site = options.site;
    this.restartSelf = options.restartSelf;
    this.restartDue = options.restartDue;
    this.startedAt = options.clock.now();
    this.#seed = options.seed;
  }

  /** Returns the random numbers for one purpose, the same in every order of calls. */
  random(purpose: string): Random {
    return createRandom(deriveSeed(this.#seed, purpose));
  }

  part<T extends Part>(key: PartKey<T>): T {
    const known = this.#parts.get(key.name);
    if (known) return known as T;
    const made = key.create(this);
    this.#parts.set(key.name, made);
    return made;
  }

  /** Returns true for a channel that does what the kind does, written as a plain number. */
  hasChannel(channel: string | undefined): boolean {
    return (
      channel !== undefined &&
      /^[1-9]\d{0,5}$/.test(channel) &&
      Number(channel) >= this.firstChannel &&
      Number(channel) <= this.channels
    );
  }

  /**
   * Delays a change by so many milliseconds of the device's clock, or until so many requests have come since.
   * The next `settle` makes it, which is called before every request and before a test looks.
   */
  later(change: () => void, { ms, requests }: { readonly ms: number; readonly requests?: number }): void {
    this.#late.push({ change, dueAt: this.clock.now() + ms, requests });
  }

  /** Makes the changes that are due. `isRequest`: a request has come. */
  settle(isRequest = false): void {
    const waiting = this.#late;
    this.#late = [];
    for (const late of waiting) {
      const isDue = late.requests === undefined ? late.dueAt <= this.clock.now() : late.requests <= 0;
      if (isDue) late.change();
      else this.#late.push(late);
      if (isRequest && late.requests !== undefined) late.requests -= 1;
    }
  }

  /** Puts a change off to the next restart. */
  defer(change: () => void): void {
    this.#afterRestart.push(change);
  }

  restart(): void {
    const changes = this.#afterRestart;
    this.#afterRestart = [];
    for (const change of changes) change();
    for (const part of this.#parts.values()) part.restarted?.();
  }

  close(): void {
    for (const part of this.#parts.values()) part.close?.();
  }

  /** Documents that were written, and what the areas show of themselves. */
  snapshot(): DeviceSnapshot {
    this.settle();
    const parts = [...this.#parts].flatMap(([name, part]) =>
      part.snapshot ? [[name, part.snapshot()] as const] : [],
    );
    return {
      documents: this.documents.all(),
      parts: Object.fromEntries(parts),
      waitingForRestart: this.#afterRestart.length,
    };
  }
}

export interface DeviceSnapshot {
  /** Text by name, the name being the resource and its variables: `thermal.thermometryMode/1`. */
  readonly documents: Readonly<Record<string, string>>;
  readonly parts: Readonly<Record<string, unknown>>;
  readonly waitingForRestart: number;
}
