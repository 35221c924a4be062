/**
 * Keeps one wire open: reopens it with growing pauses after it was lost, reports its state, and passes
 * requests to the peer of the current wire.
 */
import { ClientPeer } from '@orpc/standard-server-peer';
import { FieldwrightError } from '#shared/errors.ts';
import { MAX_MESSAGE_BYTES } from '#shared/transport.ts';
import {
  createClientClosedError,
  createConnectionLostError,
  createNotConnectedError,
  createSessionRefusedError,
} from './errors.ts';
import type { Transport, Wire } from './transport.ts';

/**
 * `connecting` until the first wire is open, `lost` while a new one is sought, `refused` when the
 * face no longer accepts this page (final until `retryNow`), `closed` by the page itself.
 */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'refused' | 'closed';

export interface ConnectionOptions {
  /** Pause before the first new attempt, in milliseconds; doubles up to `longestPauseMs`. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
}

type PeerRequest = Parameters<ClientPeer['request']>[0];
type PeerResponse = Awaited<ReturnType<ClientPeer['request']>>;

export class Connection {
  readonly #transport: Transport;
  readonly #listeners = new Set<(state: ConnectionState) => void>();
  readonly #firstPauseMs: number;
  readonly #longestPauseMs: number;
  #state: ConnectionState = 'connecting';
  #wire: Wire | undefined;
  #peer: ClientPeer | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #generation = 0;

  constructor(transport: Transport, options: ConnectionOptions = {}) {
    this.#transport = transport;
    this.#firstPauseMs = options.firstPauseMs ?? 250;
    this.#longestPauseMs = options.longestPauseMs ?? 10_000;
    this.#open();
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Counts the wires lost so far: a stream of an older generation is over. */
  get generation(): number {
    return this.#generation;
  }

  /** Calls the listener on every change; returns a function that takes it away. */
  onChange(listener: (state: ConnectionState) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Resolves when a wire is open; rejects when it is refused or closed, or when `signal` aborts. */
  whenOpen(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        removeListener();
        signal?.removeEventListener('abort', aborted);
      };
      const check = (state: ConnectionState): void => {
        if (state === 'connecting' || state === 'lost') return;
        stop();
        if (state === 'open') resolve();
        else reject(state === 'refused' ? createSessionRefusedError() : createClientClosedError());
      };
      const aborted = (): void => {
        stop();
        reject(new FieldwrightError({ code: 'cancelled', source: 'user', message: 'Cancelled.' }));
      };
      const removeListener = this.onChange(check);
      signal?.addEventListener('abort', aborted, { once: true });
      if (signal?.aborted) aborted();
      else check(this.#state);
    });
  }

  /** Waits for the very first wire; later a missing one fails at once, so that no screen hangs. */
  async request(request: PeerRequest): Promise<PeerResponse> {
    if (this.#state === 'connecting') await this.whenOpen(request.signal);
    const peer = this.#peer;
    if (peer === undefined)
      throw this.#state === 'refused'
        ? createSessionRefusedError()
        : this.#state === 'closed'
          ? createClientClosedError()
          : createNotConnectedError();
    try {
      return await peer.request(request);
    } catch (error) {
      // The library's own words for "closed meanwhile" differ by moment; the fact is the same.
      throw error instanceof FieldwrightError || peer === this.#peer || request.signal?.aborted
        ? error
        : createConnectionLostError();
    }
  }

  /** Tries now instead of after the pause, for instance when the network came back. */
  retryNow(): void {
    if (this.#state !== 'lost' && this.#state !== 'refused') return;
    clearTimeout(this.#timer);
    if (this.#wire === undefined) this.#open();
  }

  close(): void {
    if (this.#state === 'closed') return;
    clearTimeout(this.#timer);
    this.#become('closed');
    this.#peer?.close({ reason: createClientClosedError() });
    this.#peer = undefined;
    this.#wire?.close();
  }

  #open(): void {
    const peer = new ClientPeer((message) => {
      if (typeof message === 'string') sendBounded(wire, message);
    });
    const wire = this.#transport.open({
      opened: () => {
        if (this.#state === 'closed') return;
        this.#failures = 0;
        this.#peer = peer;
        this.#become('open');
      },
      message: (message) => {
        // A face that sends what is no message is not our face: start afresh.
        peer.message(message).catch(() => {
          wire.close();
        });
      },
      closed: (reason) => {
        if (this.#wire === wire) this.#wire = undefined;
        if (this.#peer === peer) this.#peer = undefined;
        this.#generation += 1;
        peer.close({ reason: createConnectionLostError() });
        if (this.#state === 'closed') return;
        if (reason === 'refused') this.#become('refused');
        else this.#lost();
      },
    });
    this.#wire = wire;
  }

  #lost(): void {
    const pause = Math.min(this.#longestPauseMs, this.#firstPauseMs * 2 ** this.#failures);
    this.#failures += 1;
    // Spread, so that many pages do not return in the same instant.
    this.#timer = setTimeout(
      () => {
        this.#open();
      },
      pause * (0.75 + Math.random() / 2),
    );
    this.#become('lost');
  }

  #become(state: ConnectionState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const listener of [...this.#listeners]) listener(state);
  }
}

function sendBounded(wire: Wire, message: string): void {
  // A text is measured exactly only if it could be too long.
  if (
    message.length * 3 > MAX_MESSAGE_BYTES &&
    new TextEncoder().encode(message).length > MAX_MESSAGE_BYTES
  ) {
    throw new FieldwrightError({
      code: 'input-too-large',
      source: 'user',
      message: `This is more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB at once; nothing was sent.`,
    });
  }
  wire.send(message);
}
