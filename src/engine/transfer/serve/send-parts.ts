/** The bytes of an answer: read block by block, compared with what was hashed, sent as fast as the other side takes them. */
import type { FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { crc32 } from 'node:zlib';
import type { AnswerPart } from './answer-plan.ts';
import type { Buffers } from './buffers.ts';
import type { CheckBudget } from './check-budget.ts';
import { BLOCK, identityOf, isSame, readBlock, type PackageFile } from './package-file.ts';
import type { OfferEnd } from './types.ts';

/** Between two looks at the file itself: 32 MB. */
const BLOCKS_BETWEEN_LOOKS = 128;
/** Blocks of one answer that are being read or sent: as much as the system takes at once. */
const MOST_IN_FLIGHT = 6;

/** The file is not what was hashed any more. */
export class FileTrouble extends Error {
  readonly end: OfferEnd;

  constructor(end: OfferEnd, options?: { readonly cause?: unknown }) {
    super(end, options);
    this.end = end;
  }
}

/** The client has closed the connection. */
export class ClientGone extends Error {}

export interface Sending {
  readonly file: PackageFile;
  readonly handle: FileHandle;
  readonly parts: readonly AnswerPart[];
  readonly buffers: Buffers;
  readonly budget: CheckBudget;
  readonly sent: (start: number, end: number) => void;
}

/**
 * Sends the parts, the last block only after a last look at the file: nobody gets to the end of one that has
 * changed. Throws FileTrouble, ClientGone.
 */
export async function sendParts(response: ServerResponse, socket: Socket, sending: Sending): Promise<void> {
  const { parts } = sending;
  const last = parts.findLastIndex((part) => 'start' in part);
  for (const [index, part] of parts.entries()) {
    if ('text' in part) await write(response, socket, Buffer.from(part.text));
    else await new SpanSender(response, socket, sending, part).run(index === last);
  }
}

/** One span: some blocks are read ahead and some are on their way, as far as there are buffers enough. */
class SpanSender {
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  readonly #sending: Sending;
  readonly #start: number;
  readonly #end: number;
  readonly #readings: Reading[] = [];
  readonly #flushes: Promise<void>[] = [];
  #next: number;
  #failure: unknown;

  constructor(
    response: ServerResponse,
    socket: Socket,
    sending: Sending,
    { start, end }: { readonly start: number; readonly end: number },
  ) {
    this.#response = response;
    this.#socket = socket;
    this.#sending = sending;
    this.#start = start;
    this.#end = end;
    this.#next = Math.floor(start / BLOCK);
  }

  /** `looks`: the file is looked at before the last block of this span. */
  async run(looks: boolean): Promise<void> {
    const { file, handle } = this.#sending;
    try {
      for (let sinceLook = 1; await this.#readAhead(); sinceLook += 1) {
        if (this.#failure !== undefined) throw this.#failure;
        const reading = this.#readings[0];
        if (reading === undefined) {
          await this.#flushes.shift();
          continue;
        }
        const block = await reading.block;
        const from = reading.index * BLOCK;
        const end = Math.min(this.#end, from + block.length);
        if ((looks && end === this.#end) || sinceLook % BLOCKS_BETWEEN_LOOKS === 0)
          await requireUnchanged(file, handle);
        this.#readings.shift();
        this.#flush(reading.buffer, block.subarray(Math.max(0, this.#start - from), end - from), end);
      }
    } finally {
      await Promise.allSettled(this.#flushes);
      for (const { block, buffer } of this.#readings) {
        await block.catch(() => undefined);
        this.#sending.buffers.give(buffer);
      }
    }
  }

  /** Begins to read as much as may be in flight; false where nothing is left to be done. */
  async #readAhead(): Promise<boolean> {
    const { buffers } = this.#sending;
    while (this.#next * BLOCK < this.#end && this.#inFlight < MOST_IN_FLIGHT) {
      const buffer = this.#inFlight === 0 ? await buffers.take() : buffers.spare();
      if (buffer === undefined) break;
      this.#readings.push(readInto(buffer, this.#next, this.#sending));
      this.#next += 1;
    }
    return this.#inFlight > 0;
  }

  get #inFlight(): number {
    return this.#readings.length + this.#flushes.length;
  }

  #flush(buffer: Buffer, bytes: Buffer, end: number): void {
    const { buffers, sent } = this.#sending;
    const flush = write(this.#response, this.#socket, bytes)
      .then(() => sent(end - bytes.length, end))
      .finally(() => {
        buffers.give(buffer);
        const at = this.#flushes.indexOf(flush);
        if (at >= 0) void this.#flushes.splice(at, 1);
      });
    this.#flushes.push(flush);
    flush.catch((error: unknown) => {
      this.#failure ??= error;
    });
  }
}

/** Throws FileTrouble where the path or the open file is another one than was hashed. */
export async function requireUnchanged(file: PackageFile, handle: FileHandle): Promise<void> {
  const [opened, named] = await Promise.all([identityOf(handle), identityOf(file.path)]).catch(unreadable);
  if (!isSame(opened, file.identity) || !isSame(named, file.identity)) throw new FileTrouble('file-changed');
}

export function unreadable(cause: unknown): never {
  throw new FileTrouble('file-unreadable', { cause });
}

interface Reading {
  readonly index: number;
  readonly buffer: Buffer;
  readonly block: Promise<Buffer>;
}

function readInto(buffer: Buffer, index: number, { file, handle, budget }: Sending): Reading {
  const position = index * BLOCK;
  const length = Math.min(BLOCK, file.size - position);
  const block = readBlock(handle, buffer, position, length)
    .catch(unreadable)
    .then((read) => {
      if (read === undefined) throw new FileTrouble('file-changed');
      if (budget.allows(length) && crc32(read) !== file.sums[index]) throw new FileTrouble('file-changed');
      return read;
    });
  // Whoever waits for it hears of it; while another block is being sent nobody does.
  block.catch(() => undefined);
  return { index, buffer, block };
}

/** Resolves when the system has taken the bytes, and rejects only when it does not look at them any more. */
function write(response: ServerResponse, socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.destroyed) return reject(new ClientGone());
    const gone = () => reject(new ClientGone());
    socket.once('close', gone);
    response.write(bytes, (error) => {
      socket.off('close', gone);
      if (error) reject(new ClientGone());
      else resolve();
    });
  });
}
