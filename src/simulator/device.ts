/** One virtual device: its server, its state, and what a test may ask of it or do to it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DeviceKind } from '#shared/model.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { SignIn } from './auth/sign-in.ts';
import type { SiteClock } from './clock.ts';
import { dispatch } from './dispatch.ts';
import { exchange } from './exchange.ts';
import { Faults, type FaultScope } from './faults.ts';
import type { Handlers } from './handler.ts';
import { KINDS } from './kinds/index.ts';
import type { Model } from './kinds/models.ts';
import type { CheckedOptions } from './options.ts';
import { deriveSeed } from './random.ts';
import { RequestLog, type LoggedRequest } from './request-log.ts';
import { createCertificate, type Certificate } from './server/certificate.ts';
import { Listener } from './server/listener.ts';
import { DeviceState, type DeviceSnapshot, type Part, type PartKey } from './state/device-state.ts';

/** Milliseconds by which the clock of a device with the fault `wrong-clock` is behind. */
const WRONG_CLOCK_MS = 7 * 3_600_000;

interface VirtualDeviceOptions {
  readonly name: string;
  readonly kind: DeviceKind;
  readonly model: Model;
  readonly port: number;
  readonly namespace: string;
  readonly handlers: Handlers;
  readonly onViolation: (entry: LoggedRequest) => void;
  readonly password: string;
  readonly seed: number;
  readonly clock: SiteClock;
  readonly certificate?: Certificate;
  readonly site: CheckedOptions;
}

export class VirtualDevice {
  readonly name: string;
  readonly kind: DeviceKind;
  /** Follows the site's clock and can be moved further on. */
  readonly clock: SiteClock;
  readonly #options: VirtualDeviceOptions;
  readonly #state: DeviceState;
  readonly #signIn: SignIn;
  readonly #faults: Faults;
  readonly #log: RequestLog;
  readonly #listener: Listener;
  readonly #closing = new AbortController();
  #restarting = false;

  constructor(options: VirtualDeviceOptions) {
    const { name, model, namespace, handlers, seed, site, certificate } = options;
    this.name = name;
    this.kind = options.kind;
    this.clock = options.clock.follow();
    this.#options = options;
    this.#log = new RequestLog(options.onViolation);
    const kind = KINDS[options.kind];
    this.#faults = new Faults(seed);
    for (const fault of site.faults) this.#faults.set(fault.kind, fault.rate, fault.scope);
    const own = { clock: this.clock, faults: this.#faults, site };
    this.#state = new DeviceState({
      ...own,
      facts: kind.facts,
      model,
      name,
      channels: kind.channels[model],
      firstChannel: kind.firstChannel?.[model] ?? 1,
      namespace,
      seed,
      restartSelf: () => {
        this.restart(site.awayMs).catch(() => undefined);
      },
      restartDue: () => {
        this.#restartLater();
      },
    });
    this.#signIn = new SignIn({
      ...own,
      password: options.password,
      realm: `Device ${deriveSeed(seed, 'realm').toString(16).padStart(8, '0')}`,
    });
    const context = {
      ...own,
      device: this.#state,
      handlers,
      signIn: this.#signIn,
      log: this.#log,
      signal: this.#closing.signal,
      onDeferred: () => {
        this.#restartLater();
      },
    };
    this.#listener = new Listener({
      host: site.host,
      port: options.port,
      ...removeUndefined({ certificate }),
      onRequest: (request, response) => {
        response.setHeader('Date', new Date(this.#readClock()).toUTCString());
        exchange(context, request, response).catch(() => {
          response.destroy();
        });
      },
    });
  }

  /** Returns the time that the device shows, in milliseconds. */
  #readClock(): number {
    return this.clock.now() - (this.#faults.strike('wrong-clock') === undefined ? 0 : WRONG_CLOCK_MS);
  }

  get port(): number {
    return this.#listener.port;
  }

  /** `http(s)://host:port`, as a client on this machine reaches it. */
  get url(): string {
    const { certificate, site } = this.#options;
    const { host } = site;
    const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
    return `${certificate ? 'https' : 'http'}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${this.port}`;
  }

  /** Requests that reached the device, oldest first, challenges included. */
  get requests(): readonly LoggedRequest[] {
    return this.#log.entries;
  }

  /** Requests whose body the specification does not allow. */
  get violations(): readonly LoggedRequest[] {
    return this.#log.violations;
  }

  /** Returns what the device holds now. */
  state(): DeviceSnapshot {
    return this.#state.snapshot();
  }

  /** A part of the state to look into or to change from a test: `device.part(GATE_PARTS)`. */
  part<T extends Part>(key: PartKey<T>): T {
    this.#state.settle();
    return this.#state.part(key);
  }

  /**
   * Makes the device hold this document, which may have what no specification lists, as devices have it from their
   * makers. @throws TypeError where it would be refused all the same.
   */
  async hold(path: string, text: string): Promise<void> {
    const { handlers, site } = this.#options;
    const { reply } = await dispatch(
      { method: 'PUT', target: path, contentType: undefined, bytes: Buffer.from(text) },
      { handlers, device: this.#state, site: { ...site, strict: false } },
    );
    if (reply.kind === 'refused')
      throw new TypeError(`The device does not hold this: ${reply.refusal.name}.`);
    reply.commit?.();
  }

  /** Forgets the requests so far. */
  clearRequests(): void {
    this.#log.clear();
  }

  /** Makes a fault happen from now on, with this chance per request; throws on an unknown kind. */
  setFault(kind: string, rate = 1, scope: FaultScope = {}): void {
    this.#faults.set(kind, rate, scope);
  }

  clearFaults(): void {
    this.#faults.clear();
  }

  /** Starts to listen. */
  open(): Promise<void> {
    return this.#listener.open();
  }

  /**
   * Drops every connection, refuses new ones for so many milliseconds of real time, then is back
   * with what waited for the restart. Settles when the device listens again.
   */
  async restart(milliseconds = 0): Promise<void> {
    await this.#listener.drop();
    await delay(milliseconds, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    if (this.#closing.signal.aborted) return;
    this.#signIn.restarted();
    this.#state.restart();
    await this.#listener.reopen();
  }

  /** It can be reached. */
  get plugged(): boolean {
    return this.#listener.listening;
  }

  /** The network cable is pulled: every connection ends and none can be made. What the device holds stays. */
  unplug(): Promise<void> {
    return this.#listener.drop();
  }

  /** The cable is back: the device listens again, as it was. */
  async plugIn(): Promise<void> {
    if (!this.#listener.listening) await this.#listener.reopen();
  }

  /** Once for all writes that wait by then. */
  #restartLater(): void {
    const { restartAfterMs, awayMs } = this.#options.site;
    if (restartAfterMs === undefined || this.#restarting) return;
    this.#restarting = true;
    void delay(restartAfterMs, undefined, { signal: this.#closing.signal })
      .then(() => {
        this.#restarting = false;
        return this.restart(awayMs);
      })
      // Closed meanwhile, or its port was taken: then it stays away.
      .catch(() => undefined);
  }

  /**
   * Makes itself another certificate, as devices do that are reset or whose certificate was replaced; every
   * connection ends. Throws where the device speaks plain HTTP.
   */
  async renewCertificate(): Promise<void> {
    const certificate = await createCertificate(this.name, this.#options.site.host);
    if (!this.#listener.renew(certificate))
      throw new TypeError('This device has no certificate: the site was started without tls.');
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#state.close();
    await this.#listener.close();
  }
}
