/** Connections to one device: which of those kept from earlier requests a request may go over. */
import type { Client } from 'undici';

/** Requests that may be sent again go over any kept connection; others only over one that is sure to work. */
export type Trust = 'kept' | 'proven' | 'fresh';

/** Longest pause after which a connection to a device that keeps connections still counts as sure to work. */
const PROVEN_MS = 1_000;
/** Milliseconds without an answer on a kept connection, after which a new one is tried beside it. */
const SILENT_MS = 2_000;
/** Times in a row that a connection was lost at once, after which none is kept. */
const MOST_LOST = 2;
/** Writes that each opened a connection for want of a proven one, after which a read is worth its time. */
const WRITES_BEFORE_PROOF = 3;

/** One client with one socket. undici's own pool holds a queue of 16 KB besides, and there may be one for each of thousands of devices. */
class KeptClient {
  readonly client: Client;
  /** Answers that came over the socket it has now. */
  answers = 0;
  #idleSince = 0;

  constructor(client: Client) {
    this.client = client;
    client.on('disconnect', () => {
      this.answers = 0;
    });
  }

  get isKept(): boolean {
    return this.answers > 0;
  }

  get idleMs(): number {
    return performance.now() - this.#idleSince;
  }

  answered(): void {
    this.answers += 1;
    this.#idleSince = performance.now();
  }
}

export class KeptClients {
  readonly #open: () => Client;
  readonly #all = new Set<KeptClient>();
  readonly #idle: KeptClient[] = [];
  /** The device has shown that connections idle for longer do not work. */
  #usableMs = Number.POSITIVE_INFINITY;
  #slowMs = 0;
  #lost = 0;
  /** One of its connections answered twice, and none was lost since. */
  #keepsConnections = false;
  /** Writes since the last proof that closed a connection only because it had answered once. */
  #unproven = 0;

  constructor(open: () => Client) {
    this.#open = open;
  }

  /**
   * Milliseconds of silence on a kept connection before a new one is tried; less of a short deadline. A device that is
   * known to be slow has longer, but the new one keeps time to answer.
   */
  silentMs(deadlineMs: number): number {
    return Math.max(Math.min(SILENT_MS, deadlineMs / 4), Math.min(this.#slowMs, deadlineMs * 0.6));
  }

  /** Returns the client used last, or a new one. It has to be `served` or `drop`ped. */
  take(trust: Trust): KeptClient {
    const last = trust === 'fresh' ? undefined : this.#idle.pop();
    if (last !== undefined) {
      if (!last.isKept || this.#isUsable(last, trust)) return last;
      if (this.#isUsable(last, 'kept')) this.#unproven += 1;
      // Devices with few connections need the place.
      this.drop(last);
    }
    const opened = new KeptClient(this.#open());
    this.#all.add(opened);
    return opened;
  }

  #isUsable({ idleMs }: KeptClient, trust: Trust): boolean {
    if (idleMs >= this.#usableMs) return false;
    return trust === 'kept' || (this.#keepsConnections && idleMs < PROVEN_MS);
  }

  /** Returns true once after several writes that opened a connection each: a read would show whether that is needed. */
  shouldProve(): boolean {
    if (this.#keepsConnections || this.#unproven < WRITES_BEFORE_PROOF) return false;
    this.#unproven = 0;
    return true;
  }

  served(used: KeptClient): void {
    if (used.isKept) {
      this.#lost = 0;
      this.#keepsConnections = true;
    }
    used.answered();
    if (this.#all.has(used)) this.#idle.push(used);
  }

  /** The next request does not wait for whatever it still does. */
  drop(used: KeptClient): void {
    this.#all.delete(used);
    used.client.destroy().catch(() => undefined);
  }

  /** A kept connection was lost, or stayed silent while a new one answered: others that are idle are not trusted either. */
  distrust(how: 'lost' | 'silent', idleMs: number): void {
    this.#lost += 1;
    this.#keepsConnections = false;
    if (idleMs >= PROVEN_MS) this.#usableMs = Math.min(this.#usableMs, idleMs / 2);
    else if (how === 'silent' || this.#lost >= MOST_LOST) this.#usableMs = 0;
    for (const idle of this.#idle.splice(0)) this.drop(idle);
  }

  /** The device is slow, not silent: it answered after `ms`. */
  isSlow(ms: number): void {
    this.#slowMs = Math.max(this.#slowMs, ms * 2);
  }

  /** Lets what is under way end. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#all].map(({ client }) => client.close()));
  }

  async destroy(): Promise<void> {
    await Promise.allSettled([...this.#all].map(({ client }) => client.destroy()));
  }
}
