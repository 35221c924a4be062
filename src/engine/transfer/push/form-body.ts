/**
 * A package as a form: its members (part 1, 2.3) as JSON in one part, the file in another. The specification has a
 * flag for sending the file itself (part 1, 2.1) and does not show how; this is the form that such resources commonly take.
 */
import { randomBytes } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { say } from '#shared/details.ts';
import { userError, type FieldwrightError } from '#shared/errors.ts';
import type { BodyStream } from '#engine/device/client-types.ts';
import { CheckBudget, readBlocks } from '../serve/read-blocks.ts';
import { FileTrouble } from '../serve/file-trouble.ts';
import { BLOCK, readFileIdentity, isSame, type PackageFile } from '../serve/package-file.ts';
import { makePlainName } from '../serve/place.ts';

/** Blocks that are sent at once: with less in flight the connection waits for us, not we for it. */
const PIECE = 4;
/** Number of buffers: a buffer is used again after so many pieces. */
const RING = 3;

interface FormRequest {
  readonly file: PackageFile;
  /** The package's own members: MPID, MPName, engine … */
  readonly model: Readonly<Record<string, unknown>>;
  /** Bytes of the file that were given to the system, in this attempt. */
  readonly onSent: (bytes: number) => void;
}

/** Each `open` reads the file anew, and fails where it is not the one that was hashed. */
export function createFormBody({ file, model, onSent }: FormRequest): BodyStream {
  const boundary = `----package${randomBytes(12).toString('hex')}`;
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="model"\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(model)}\r\n` +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${makePlainName(file.name)}"\r\nContent-Type: application/octet-stream\r\nContent-Length: ${file.size}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    length: head.length + file.size + tail.length,
    contentType: `multipart/form-data; boundary=${boundary}`,
    open: () => pieces(file, { head, tail, onSent }),
  };
}

async function* pieces(
  file: PackageFile,
  { head, tail, onSent }: { readonly head: Buffer; readonly tail: Buffer } & Pick<FormRequest, 'onSent'>,
): AsyncGenerator<Buffer> {
  onSent(0);
  yield head;
  await using handle = await open(file.path);
  await requireSame(handle, file);
  const budget = new CheckBudget();
  const ring = Array.from({ length: RING }, () => Buffer.allocUnsafeSlow(PIECE * BLOCK));
  const pieceFrom = (first: number): Promise<Buffer> => {
    const buffer = ring[(first / PIECE) % RING] ?? Buffer.allocUnsafeSlow(PIECE * BLOCK);
    const piece = readBlocks(file, { fd: handle.fd, first, count: PIECE, buffer, budget });
    // An error is handled when the piece is awaited.
    piece.catch(() => undefined);
    return piece;
  };
  let next = pieceFrom(0);
  try {
    for (let first = 0; first < file.sums.length; first += PIECE) {
      const piece = await next;
      if (first + PIECE < file.sums.length) next = pieceFrom(first + PIECE);
      else await requireSame(handle, file);
      yield piece;
      onSent(first * BLOCK + piece.length);
    }
  } catch (thrown) {
    throw thrown instanceof FileTrouble ? createFileChangedError(file, thrown) : thrown;
  } finally {
    // The file must stay open while a piece is read.
    await next.catch(() => undefined);
  }
  yield tail;
}

async function requireSame(handle: FileHandle, file: PackageFile): Promise<void> {
  if (!isSame(await readFileIdentity(handle), file.identity)) throw createFileChangedError(file);
}

export function createFileChangedError({ name }: PackageFile, cause?: FileTrouble): FieldwrightError {
  const isLost = cause?.end === 'file-unreadable';
  return userError(
    isLost ? 'unreadable-file' : 'changed-meanwhile',
    say(isLost ? 'serve.file-lost' : 'serve.file-changed', { name }),
    { path: 'file', cause },
  );
}
