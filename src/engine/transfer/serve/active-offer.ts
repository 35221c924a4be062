/** One file for one device, from its offer to its end. */
import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { say } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { Clock } from '#engine/api/host.ts';
import { answerPlan, type AnswerPlan } from './answer-plan.ts';
import type { Blocks } from './blocks.ts';
import { compareRest } from './read-blocks.ts';
import { Delivery, type Pass } from './delivery.ts';
import type { Line } from './listener.ts';
import { FileTrouble, requireUnchanged, throwUnreadableFile } from './file-trouble.ts';
import { Notes } from './notes.ts';
import type { PackageFile } from './package-file.ts';
import { buildFilePath, buildFileUrl } from './place.ts';
import { sendParts } from './send-parts.ts';
import type { Offer, OfferEnd, OfferRequest, Served } from './types.ts';

const PROGRESS_MS = 500;

/** State that the offers of one server share. */
export interface Shared {
  readonly clock: Clock;
  readonly now: () => number;
  readonly blocks: Blocks;
}

/** The connection of a request. */
interface Asked {
  readonly line: Line;
  /** Called whenever bytes were taken. */
  readonly moved: () => void;
}

interface OfferPlace {
  readonly address: string;
  readonly port: number;
  readonly token: string;
  readonly peer: string;
}

export class ActiveOffer implements Offer {
  readonly url: string;
  readonly path: string;
  readonly address: string;
  readonly port: number;
  readonly token: string;
  readonly peer: string;
  readonly notes: Notes;
  readonly #file: PackageFile;
  readonly #shared: Shared;
  readonly #delivery: Delivery;
  readonly #onProgress: (served: Served) => void;
  readonly #release: () => Promise<void>;
  readonly #sockets = new Set<Socket>();
  #times: { first?: string; last?: string } = {};
  #stranger: Served['stranger'];
  #end: { readonly end: OfferEnd; readonly problem: ErrorShape } | undefined;
  /** All of the file was compared with what was hashed, after the device had all of it. */
  #compared: boolean | undefined;
  #closing: Promise<void> | undefined;
  #ticking: NodeJS.Timeout | undefined;

  constructor(request: OfferRequest, place: OfferPlace, shared: Shared, release: () => Promise<void>) {
    this.address = place.address;
    this.port = place.port;
    this.token = place.token;
    this.peer = place.peer;
    this.path = buildFilePath(place.token, request.file.name);
    this.url = buildFileUrl(place.address, place.port, this.path);
    this.#file = request.file;
    this.#shared = shared;
    this.#delivery = new Delivery(request.file.size, shared.now, request.before);
    this.#onProgress = request.onProgress ?? (() => undefined);
    this.#release = release;
    this.notes = new Notes(request.log, shared.now);
  }

  /** Nothing is served any more. */
  get isOver(): boolean {
    return this.#end !== undefined || this.#closing !== undefined;
  }

  served(): Served {
    const { bytes, spans, rate, requests, open: underWay } = this.#delivery;
    const complete = this.#compared === true;
    return {
      bytes,
      total: this.#file.size,
      spans,
      rate,
      requests,
      open: underWay,
      complete,
      firstAt: this.#times.first,
      lastAt: this.#times.last,
      sha256: complete ? this.#file.sha256 : undefined,
      stranger: this.#stranger,
      end: this.#end?.end,
      problem: this.#end?.problem,
    };
  }

  /** Counts a request for this path from another address. */
  refused(address: string): void {
    this.#stranger = { address, count: (this.#stranger?.count ?? 0) + 1, at: this.#time() };
    this.notes.write('serve.stranger', { address });
    this.#tell();
  }

  /**
   * Ends the offer with a reason and breaks off its answers, so that no device takes a part for the whole.
   */
  fail(end: OfferEnd): void {
    if (this.isOver) return;
    this.#end = { end, problem: problemOf(end, this.#file.name, this.address) };
    this.notes.write('serve.ended', { reason: this.#end.problem.message });
    this.#drop();
    this.#tell();
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      this.#drop();
      await this.#release();
    })();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Answers a request of this device for this path. */
  async answer(request: IncomingMessage, response: ServerResponse, asked: Asked): Promise<void> {
    const plan = answerPlan(
      { method: request.method ?? '', headers: request.headers },
      this.#file,
      randomBytes(16).toString('hex'),
    );
    this.#times = { first: this.#times.first ?? this.#time(), last: this.#time() };
    this.notes.write('serve.asked', {
      method: request.method ?? '',
      range: request.headers.range ?? '–',
      status: plan.status,
    });
    const { socket } = request;
    this.#sockets.add(socket);
    this.#tick();
    try {
      await (plan.parts.length === 0
        ? this.#answerHead(response, plan)
        : this.#answerBytes(response, socket, asked, plan));
    } finally {
      this.#sockets.delete(socket);
      this.#tell();
    }
  }

  /** HEAD, 304, 405, 412, 416. */
  async #answerHead(response: ServerResponse, { status, headers }: AnswerPlan): Promise<void> {
    response.writeHead(status, headers).end();
    return Promise.resolve();
  }

  async #answerBytes(
    response: ServerResponse,
    socket: Socket,
    { line, moved }: Asked,
    plan: AnswerPlan,
  ): Promise<void> {
    const file = this.#file;
    const spans = plan.parts.flatMap((part) => ('start' in part ? [part] : []));
    let pass: Pass | undefined;
    try {
      await using handle = await open(file.path).catch(throwUnreadableFile);
      await requireUnchanged(file, handle);
      if (this.isOver || socket.destroyed) return void socket.destroy();
      const begun = this.#delivery.begin(spans);
      pass = begun;
      const sent = (start: number, end: number): void => {
        moved();
        begun.sent(start, end);
      };
      response.writeHead(plan.status, {
        ...plan.headers,
        // The connection closes after the end of the file: how it closes shows whether everything arrived.
        ...(spans.some(({ end }) => end === file.size) ? { connection: 'close' } : {}),
      });
      const { blocks } = this.#shared;
      await sendParts(response, socket, { file, handle, parts: plan.parts, blocks, sent });
      response.once('finish', () =>
        line.finished({
          ...begun,
          arrived: () => {
            begun.arrived();
            this.#tell();
          },
        }),
      );
      response.once('close', () => {
        if (!response.writableFinished) begun.lost();
      });
      response.end();
    } catch (error) {
      pass?.lost();
      socket.destroy();
      if (error instanceof FileTrouble) this.fail(error.end);
      else this.notes.write('serve.broke-off');
    }
  }

  #drop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Reports progress while answers are under way, also if it does not advance. */
  #tick(): void {
    this.#tell();
    this.#ticking ??= setInterval(() => {
      this.#tell();
      if (this.#delivery.open > 0) return;
      clearInterval(this.#ticking);
      this.#ticking = undefined;
    }, PROGRESS_MS).unref();
  }

  /** Once it has arrived. */
  async #compare(): Promise<void> {
    this.#compared = false;
    try {
      await compareRest(this.#file);
      this.#compared = true;
      this.#tell();
    } catch (error) {
      this.fail(error instanceof FileTrouble ? error.end : 'file-unreadable');
    }
  }

  #tell(): void {
    if (this.#delivery.complete && this.#compared === undefined) void this.#compare();
    if (this.#closing === undefined) this.#onProgress(this.served());
  }

  #time(): string {
    return this.#shared.clock.now().toISOString();
  }
}

function problemOf(end: OfferEnd, name: string, address: string): ErrorShape {
  switch (end) {
    case 'file-changed':
      return {
        code: 'changed-meanwhile',
        source: 'user',
        path: 'file',
        ...say('serve.file-changed', { name }),
      };
    case 'file-unreadable':
      return { code: 'unreadable-file', source: 'user', path: 'file', ...say('serve.file-lost', { name }) };
    case 'address-gone':
      return { code: 'not-available', source: 'app', ...say('serve.address-gone', { address }) };
  }
}
