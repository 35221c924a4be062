/**
 * A package as a form: its members (part 1, 2.3) as JSON in one part, the file in another. The specification has a
 * flag for sending the file itself (part 1, 2.1) and does not show how; this is the form that such resources commonly take.
 */
import { randomBytes } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { say } from '../../../shared/details.ts';
import { FieldwrightError } from '../../../shared/errors.ts';
import type { BodyStream } from '../../device/client-types.ts';
import { BLOCK, identityOf, isSame, readBlock, type PackageFile } from '../serve/package-file.ts';
import { plainName } from '../serve/place.ts';

/** So many blocks may be on their way before one of them is used again. */
const RING = 4;

export interface FormRequest {
  readonly file: PackageFile;
  /** The package's own members: MPID, MPName, engine … */
  readonly model: Readonly<Record<string, unknown>>;
  /** Bytes of the file that were given to the system, in this attempt. */
  readonly onSent: (bytes: number) => void;
}

/** Each `open` reads the file anew, and fails where it is not the one that was hashed. */
export function formBody({ file, model, onSent }: FormRequest): BodyStream {
  const boundary = `----package${randomBytes(12).toString('hex')}`;
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="model"\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(model)}\r\n` +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${plainName(file.name)}"\r\nContent-Type: application/octet-stream\r\nContent-Length: ${file.size}\r\n\r\n`,
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
  const ring = Array.from({ length: RING }, () => Buffer.allocUnsafeSlow(BLOCK));
  const blockAt = (index: number): Promise<Buffer> => checkedBlock(handle, file, index, ring[index % RING]);
  let next = blockAt(0);
  for (let index = 0; index < file.sums.length; index += 1) {
    const block = await next;
    if (index + 1 < file.sums.length) {
      next = blockAt(index + 1);
      // Heard of when its turn comes.
      next.catch(() => undefined);
    } else await requireSame(handle, file);
    yield block;
    onSent(index * BLOCK + block.length);
  }
  yield tail;
}

async function checkedBlock(
  handle: FileHandle,
  file: PackageFile,
  index: number,
  buffer: Buffer = Buffer.allocUnsafeSlow(BLOCK),
): Promise<Buffer> {
  const position = index * BLOCK;
  const block = await readBlock(handle, buffer, position, Math.min(BLOCK, file.size - position));
  if (block === undefined || crc32(block) !== file.sums[index]) throw changed(file);
  return block;
}

async function requireSame(handle: FileHandle, file: PackageFile): Promise<void> {
  if (!isSame(await identityOf(handle), file.identity)) throw changed(file);
}

function changed({ name }: PackageFile): FieldwrightError {
  return new FieldwrightError({
    code: 'changed-meanwhile',
    source: 'user',
    path: 'file',
    ...say('serve.file-changed', { name }),
  });
}
