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
  const { file, parts, sent } = sending;
  const last = parts.findLastIndex((part) => 'start' in part);
  let sinceLook = 0;
  for (const [index, part] of parts.entries()) {
    if ('text' in part) {
      await write(response, socket, Buffer.from(part.text));
      continue;
    }
    for await (const block of blocksOf(part.start, part.end, sending)) {
      sinceLook += 1;
      const isLast = index === last && block.end === part.end;
      if (isLast || sinceLook >= BLOCKS_BETWEEN_LOOKS) {
        sinceLook = 0;
        await requireUnchanged(file, sending.handle);
      }
      await write(response, socket, block.bytes);
      sent(block.start, block.end);
    }
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

interface SentBlock {
  readonly start: number;
  readonly end: number;
  /** Good until the next block is asked for. */
  readonly bytes: Buffer;
}

/** Reads the next block while one is being sent, as long as there are buffers enough. */
async function* blocksOf(start: number, end: number, sending: Sending): AsyncGenerator<SentBlock> {
  const { buffers } = sending;
  let index = Math.floor(start / BLOCK);
  let ahead: Reading | undefined;
  try {
    while (index * BLOCK < end) {
      const reading = ahead ?? readInto(await buffers.take(), index, sending);
      ahead = undefined;
      try {
        const block = await reading.block;
        const next = index + 1;
        const spare = next * BLOCK < end ? buffers.spare() : undefined;
        if (spare !== undefined) ahead = readInto(spare, next, sending);
        const from = index * BLOCK;
        const bytes = block.subarray(Math.max(0, start - from), Math.min(block.length, end - from));
        yield { start: Math.max(start, from), end: Math.min(end, from + block.length), bytes };
      } finally {
        buffers.give(reading.buffer);
      }
      index += 1;
    }
  } finally {
    if (ahead !== undefined) {
      await ahead.block.catch(() => undefined);
      buffers.give(ahead.buffer);
    }
  }
}

interface Reading {
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
  return { buffer, block };
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
