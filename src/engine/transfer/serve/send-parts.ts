/** The bytes of an answer: read block by block, compared with what was hashed, sent as fast as the other side takes them. */
import type { FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AnswerPart } from './answer-plan.ts';
import type { Block, Blocks, Reader } from './blocks.ts';
import { requireUnchanged } from './file-trouble.ts';
import { BLOCK, type PackageFile } from './package-file.ts';

/** Blocks between two checks of the file itself: 32 MB. */
const BLOCKS_BETWEEN_LOOKS = 128;
/** Blocks of one answer that are being read or sent: as much as the system takes at once. */
const MOST_IN_FLIGHT = 6;

/** The client has closed the connection. */
class ClientGone extends Error {}

export interface Sending {
  readonly file: PackageFile;
  readonly handle: FileHandle;
  readonly parts: readonly AnswerPart[];
  readonly blocks: Blocks;
  readonly sent: (start: number, end: number) => void;
}

/**
 * Sends the parts. The last block follows a last check of the file, so that a changed file never arrives in
 * whole. Throws FileTrouble, ClientGone.
 */
export async function sendParts(response: ServerResponse, socket: Socket, sending: Sending): Promise<void> {
  const { parts } = sending;
  const last = parts.findLastIndex((part) => 'start' in part);
  for (const [index, part] of parts.entries()) {
    if ('text' in part) await write(response, socket, Buffer.from(part.text));
    else await new SpanSender(response, socket, sending, part).run(index === last);
  }
}

/** One span: some blocks are read ahead and some are on their way, as far as there is memory enough. */
class SpanSender {
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  readonly #sending: Sending;
  readonly #start: number;
  readonly #end: number;
  readonly #reader: Reader;
  readonly #readings: Block[] = [];
  readonly #flushes: Promise<void>[] = [];
  #failure: unknown;

  constructor(
    response: ServerResponse,
    socket: Socket,
    sending: Sending,
    { start, end }: { readonly start: number; readonly end: number },
  ) {
    const { blocks, file, handle } = sending;
    this.#response = response;
    this.#socket = socket;
    this.#sending = sending;
    this.#start = start;
    this.#end = end;
    this.#reader = blocks.open(file, handle.fd, Math.floor(start / BLOCK));
  }

  /** `looks`: the file is looked at before the last block of this span. */
  async run(looks: boolean): Promise<void> {
    const { file, handle, blocks } = this.#sending;
    try {
      for (let sinceLook = 1; await this.#readAhead(); sinceLook += 1) {
        if (this.#failure !== undefined) throw this.#failure;
        const [reading] = this.#readings;
        if (reading === undefined) {
          await this.#flushes.shift();
          continue;
        }
        const bytes = await reading.bytes;
        const from = reading.index * BLOCK;
        const end = Math.min(this.#end, from + bytes.length);
        if ((looks && end === this.#end) || sinceLook % BLOCKS_BETWEEN_LOOKS === 0)
          await requireUnchanged(file, handle);
        this.#readings.shift();
        this.#flush(reading, bytes.subarray(Math.max(0, this.#start - from), end - from), end);
      }
    } finally {
      await Promise.allSettled(this.#flushes);
      for (const reading of this.#readings) {
        await reading.bytes.catch(() => undefined);
        blocks.release(reading);
      }
      blocks.close(this.#reader);
    }
  }

  /** Begins to read as much as may be in flight; returns false if all is sent. */
  async #readAhead(): Promise<boolean> {
    const { blocks } = this.#sending;
    while (this.#reader.next * BLOCK < this.#end && this.#inFlight < MOST_IN_FLIGHT) {
      const block = this.#inFlight === 0 ? await blocks.take(this.#reader) : blocks.takeAhead(this.#reader);
      if (block === undefined) break;
      this.#readings.push(block);
    }
    return this.#inFlight > 0;
  }

  get #inFlight(): number {
    return this.#readings.length + this.#flushes.length;
  }

  #flush(block: Block, bytes: Buffer, end: number): void {
    const { blocks, sent } = this.#sending;
    const flush = write(this.#response, this.#socket, bytes)
      .then(() => sent(end - bytes.length, end))
      .finally(() => {
        blocks.release(block);
        const at = this.#flushes.indexOf(flush);
        if (at >= 0) void this.#flushes.splice(at, 1);
      });
    this.#flushes.push(flush);
    flush.catch((error: unknown) => {
      this.#failure ??= error;
    });
  }
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
