/** Serves files to devices: each at its own address, which answers only its device. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv4 } from 'node:net';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { Clock } from '#engine/api/host.ts';
import { listSystemInterfaces } from '#engine/discovery/network.ts';
import { guessAddress } from '#engine/device/transport/address.ts';
import { createCancelledError } from '#engine/device/transport/transport-errors.ts';
import { ActiveOffer, type Shared } from './active-offer.ts';
import { Blocks } from './blocks.ts';
import { openListener, type Line, type Listener } from './listener.ts';
import { Notes } from './notes.ts';
import { isToken, createToken, parseRequestPath, normaliseAddress, routeTo, type Route } from './place.ts';
import { Shares, type Asking } from './shares.ts';
import type { Offer, OfferRequest, ServeNote } from './types.ts';

const LOOK_MS = 3_000;
/** Milliseconds without a byte taken before a connection is closed. */
const STUCK_MS = 60_000;
/** Number of looks without the address before it counts as removed; once may be a change of network. */
const MISSED = 2;

export interface FileServerOptions {
  readonly clock: Clock;
  /** Logs requests that belong to no offer. */
  readonly log?: (line: ServeNote) => void;
  /** Addresses that this computer has now; the system's unless given. */
  readonly ownAddresses?: () => readonly string[];
  /** How often the own addresses are looked at; 3 s unless given. */
  readonly lookMs?: number;
  /** A connection that takes nothing for so long is closed; 60 s unless given. */
  readonly stuckMs?: number;
}

interface Place {
  readonly listener: Listener;
  readonly offers: Set<ActiveOffer>;
  missed: number;
}

/** One listening socket for each own address (and port that was asked for), open as long as something is offered at it. */
export class FileServer {
  readonly #shared: Shared;
  readonly #notes: Notes;
  readonly #shares: Shares;
  readonly #ownAddresses: () => readonly string[];
  readonly #options: FileServerOptions;
  readonly #places = new Set<Place>();
  /** Listeners that are being opened, so that two offers at once share one. */
  #opening: Promise<unknown> = Promise.resolve();
  #looking: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: FileServerOptions) {
    const now = () => performance.now();
    this.#options = options;
    this.#shared = { clock: options.clock, now, blocks: new Blocks() };
    this.#notes = new Notes(options.log, now);
    this.#shares = new Shares(now);
    this.#ownAddresses = options.ownAddresses ?? (() => listSystemInterfaces().map(({ address }) => address));
  }

  /**
   * Serves the file to the device from now on. Throws `unreachable` where there is no way to the device,
   * `not-available` where the address is not this computer's or no port is free, `cancelled`.
   */
  async offer(request: OfferRequest): Promise<Offer> {
    const route = await routeTo(request.peer.url, request);
    const address = request.address === undefined ? route.local : normaliseAddress(request.address);
    if (request.address !== undefined) this.requireOwn(address);
    const opened = this.#opening.then(() => this.#placeAt(address, route, request));
    this.#opening = opened.catch(() => undefined);
    const place = await opened;
    const token = request.token !== undefined && isToken(request.token) ? request.token : createToken();
    const { port } = place.listener;
    const offer: ActiveOffer = new ActiveOffer(
      request,
      { address, port, token, peer: route.peer },
      this.#shared,
      () => this.#release(place, offer),
    );
    place.offers.add(offer);
    // One address cannot lead to two files: a new offer replaces the earlier one.
    const earlier = [...this.#places]
      .flatMap(({ offers }) => [...offers])
      .filter((other) => other !== offer && other.token === token);
    for (const other of earlier) await other.close();
    if (this.#closed || request.signal?.aborted === true) {
      await offer.close();
      throw createCancelledError(false);
    }
    this.#looking ??= setInterval(() => this.#look(), this.#options.lookMs ?? LOOK_MS).unref();
    return offer;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening;
    await Promise.all([...this.#places].flatMap(({ offers }) => [...offers]).map((offer) => offer.close()));
  }

  async #placeAt(address: string, route: Route, { port }: OfferRequest): Promise<Place> {
    if (this.#closed) throw createCancelledError(false);
    const known = [...this.#places].find(
      ({ listener }) => listener.address === address && (port === undefined || listener.port === port),
    );
    if (known !== undefined) return known;
    const offers = new Set<ActiveOffer>();
    const listener = await openListener({
      address,
      port,
      zone: /^fe[89ab]/i.test(address) ? route.zone : undefined,
      stuckMs: this.#options.stuckMs ?? STUCK_MS,
      offeredTo: (peer) => [...offers].filter((offer) => offer.peer === peer).length,
      onRequest: (request, response, line) => void this.#handle(offers, request, response, line),
    });
    const place = { listener, offers, missed: 0 };
    this.#places.add(place);
    return place;
  }

  async #handle(
    offers: ReadonlySet<ActiveOffer>,
    request: IncomingMessage,
    response: ServerResponse,
    line: Line,
  ): Promise<void> {
    const path = parseRequestPath(request.url ?? '');
    const offer = [...offers].find((one) => one.path === path);
    if (offer === undefined || offer.peer !== line.peer || offer.isOver) {
      if (offer !== undefined && offer.peer !== line.peer) offer.refused(line.peer);
      else this.#noteUnknown(offers, line.peer);
      response.writeHead(404, { 'content-length': '0', connection: 'close' }).end();
      return;
    }
    const asking: Asking = { offer, peer: line.peer, breakOff: () => void request.socket.destroy() };
    if (!this.#shares.begin(asking)) {
      response.writeHead(503, { 'retry-after': '5', 'content-length': '0', connection: 'close' }).end();
      return;
    }
    try {
      await offer.answer(request, response, { line, moved: () => this.#shares.moved(asking) });
    } catch {
      request.socket.destroy();
    } finally {
      this.#shares.end(asking);
    }
  }

  #noteUnknown(offers: ReadonlySet<ActiveOffer>, address: string): void {
    const own = [...offers].filter(({ peer }) => peer === address);
    if (own.length === 0) this.#notes.write('serve.unknown', { address });
    for (const offer of own) offer.notes.write('serve.other-path');
  }

  /** Throws `not-available` where it is no address of this computer. */
  requireOwn(given: string): void {
    const address = normaliseAddress(given);
    if (this.#has(address)) return;
    throw userError('not-available', say('serve.not-own-address', { address }), {
      path: 'address',
      nearest: guessAddress(given),
    });
  }

  /** Every address of 127.0.0.0/8 is this computer's, whether or not the system lists it. */
  #has(address: string): boolean {
    return (
      (isIPv4(address) && address.startsWith('127.')) ||
      address === '::1' ||
      this.#ownAddresses().some((own) => normaliseAddress(own) === address)
    );
  }

  /**
   * Checks for vanished addresses: a socket goes on listening, without an event, after its network was
   * removed.
   */
  #look(): void {
    for (const place of this.#places) {
      place.missed = this.#has(place.listener.address) ? 0 : place.missed + 1;
      if (place.missed >= MISSED) for (const offer of place.offers) offer.fail('address-gone');
    }
  }

  async #release(place: Place, offer: ActiveOffer): Promise<void> {
    place.offers.delete(offer);
    if (place.offers.size > 0 || !this.#places.delete(place)) return;
    if (this.#places.size === 0) {
      clearInterval(this.#looking);
      this.#looking = undefined;
      this.#shared.blocks.shrink();
    }
    await place.listener.close();
  }
}
