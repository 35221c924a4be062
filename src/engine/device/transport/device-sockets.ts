/** Sockets to one device: made for its current settings, and dropped when they are no longer used. */
import { DEFAULT_LIMITS } from '#protocol/index.ts';
import { parseAddress, type Address } from './address.ts';
import type { DeviceDirectory, DeviceSettings } from '../directory.ts';
import type { Queue } from '../queue.ts';
import { Leaving } from './leaving.ts';
import type { Sockets } from './sockets.ts';
import type { JudgeCertificate } from './tls.ts';
import { createTransport, LONGEST_KEEP_ALIVE_MS, type Transport } from './transport.ts';

export interface OpenTransport {
  readonly address: Address;
  readonly http: Transport;
}

interface Made extends OpenTransport {
  readonly key: string;
  /** The certificate that every one of its sockets has shown; undefined where they need not show a certain one. */
  pinned: string | undefined;
}

interface DeviceSocketsOptions {
  readonly devices: DeviceDirectory;
  readonly sockets: Sockets;
  /** Has as many turns as there are sockets. */
  readonly queue: Pick<Queue, 'resize'>;
}

export class DeviceSockets {
  readonly #deviceId: string;
  readonly #options: DeviceSocketsOptions;
  /** Sockets of older settings. */
  readonly #leaving = new Leaving();
  #made: Made | undefined;
  #users = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(deviceId: string, options: DeviceSocketsOptions) {
    this.#deviceId = deviceId;
    this.#options = options;
  }

  /** Returns the sockets for these settings. Those of older settings end by themselves. */
  for(settings: DeviceSettings): OpenTransport {
    const { deadlineMs, inFlight } = settings.profile;
    const key = `${settings.url} ${inFlight} ${deadlineMs}`;
    if (this.#made?.key === key && this.#made.pinned === settings.certificate) return this.#made;
    const { queue, sockets } = this.#options;
    queue.resize(inFlight);
    this.#leaving.add(this.#made?.http);
    const address = parseAddress(settings.url);
    const accepted = new Set<string>();
    const judge: JudgeCertificate = (shown) => {
      const { devices } = this.#options;
      const offer = devices.judge(this.#deviceId, settings.url, shown);
      if (offer === undefined) accepted.add(shown.info.fingerprint);
      // Pinned by this very handshake: the sockets need not be opened anew, unless an earlier one showed another certificate.
      const pin = devices.settings(this.#deviceId).certificate;
      if (made.pinned === undefined && pin !== undefined && accepted.size === 1 && accepted.has(pin))
        made.pinned = pin;
      return offer;
    };
    const made: Made = {
      key,
      address,
      pinned: settings.certificate,
      http: createTransport({
        address,
        judge,
        connectTimeoutMs: deadlineMs,
        maxBytes: DEFAULT_LIMITS.bytes,
        sockets,
      }),
    };
    return (this.#made = made);
  }

  /** Keeps the sockets until `end`. */
  begin(): void {
    this.#users += 1;
  }

  end(): void {
    this.#users -= 1;
    this.#dropWhenIdle();
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#made?.http.close();
  }

  async destroy(): Promise<void> {
    clearTimeout(this.#idle);
    await Promise.all([this.#made?.http.destroy(), this.#leaving.destroy()]);
  }

  /**
   * Drops the sockets, which have ended by then. Thousands of devices are talked to in a day, and what is
   * kept for sockets weighs more than all the rest.
   */
  #dropWhenIdle(): void {
    this.#idle ??= setTimeout(() => {
      if (this.#users > 0) return;
      // Refused where all connections were ended meanwhile.
      this.#made?.http.close().catch(() => undefined);
      this.#made = undefined;
    }, LONGEST_KEEP_ALIVE_MS).unref();
    this.#idle.refresh();
  }
}
