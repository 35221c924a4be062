/** Sending a package itself to a device that says it takes one so. Not specified beyond that flag (part 1, 2.1). */
import { say } from '#shared/details.ts';
import { appError, deviceError, userError, type FieldwrightError } from '#shared/errors.ts';
import { toMegabytes } from '#shared/ai-models/ai-model-progress.ts';
import type { Answer, DeviceClient, BodyStream } from '#engine/device/client-types.ts';
import { type PackageFile, BLOCK, readFileIdentity, isSame } from '../serve/package-file.ts';
import { compareRest, CheckBudget, readBlocks } from '../serve/read-blocks.ts';
import { FileTrouble } from '../serve/file-trouble.ts';
import { getSpecifiedOperation } from '#engine/operations/specified.ts';
import { randomBytes } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { makePlainName } from '../serve/place.ts';

/** A device that takes no byte for so long is stuck. */
const STUCK_MS = 60_000;
/** After the last byte: it may write hundreds of megabytes to its storage first. */
const ANSWER_MS = 10 * 60_000;
/** Milliseconds for the whole upload; if nothing moves, the two limits above end it long before. */
const LONGEST_MS = 24 * 3_600_000;
const LOOK_MS = 250;

export interface PushRequest {
  readonly client: DeviceClient;
  readonly file: PackageFile;
  /** The package's own members (part 1, 2.3): MPID, MPName, engine … */
  readonly model: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** A few times a second. Falls back to 0 where the device asks for it again. */
  readonly onProgress?: (progress: PushProgress) => void;
  /** Milliseconds without progress before the upload fails; 60 s by default, changed by tests. */
  readonly stuckMs?: number;
}

export interface PushProgress {
  /** Bytes of the file handed to the system. */
  readonly bytes: number;
  readonly total: number;
  /** Bytes a second over the last few seconds. */
  readonly rate: number;
}

/**
 * Asks the device whether it takes packages so, which settles the sign-in too, and sends it. A refusal is an answer.
 * Throws `not-supported` where the device does not report it, `timeout` where it stops taking anything, `refused` where
 * it claims to have taken a package of which it was not sent all, `changed-meanwhile` where the file is another one by now, and what a write throws.
 */
export async function pushPackage(request: PushRequest): Promise<Answer> {
  const { client, file, signal } = request;
  await requireReported(client, signal);
  const watch = new Watch(file.size, request);
  try {
    const body = createFormBody({ file, model: request.model, onSent: (bytes) => watch.sent(bytes) });
    const answer = await client.upload(getSpecifiedOperation('aiPlatform.models.create'), {}, body, {
      signal: AbortSignal.any([signal, watch.signal]),
      deadlineMs: LONGEST_MS,
    });
    const { kind } = answer.status;
    if (kind !== 'ok' && kind !== 'needs-reboot') return answer;
    watch.requireWhole();
    await compareRest(file).catch((thrown: unknown) => {
      throw thrown instanceof FileTrouble ? createFileChangedError(file, thrown) : thrown;
    });
    return answer;
  } catch (error) {
    throw watch.signal.aborted && !signal.aborted ? watch.signal.reason : error;
  } finally {
    watch.close();
  }
}

async function requireReported(client: DeviceClient, signal: AbortSignal): Promise<void> {
  const answer = await client.read(getSpecifiedOperation('aiPlatform.capabilities.get'), {}, { signal });
  const { isSupportUploadModelwithPushBinaryData: reported } = (answer.value ?? {}) as Readonly<
    Record<string, unknown>
  >;
  if (reported === true) return;
  throw appError('not-supported', say('push.not-reported'));
}

/** Sees that it goes on, and tells how far it is. */
class Watch {
  readonly #stuck = new AbortController();
  readonly #request: PushRequest;
  readonly #total: number;
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;
  /** Undefined until its turn has come: it may wait for others, and for its connection. */
  #moved: number | undefined;
  #reported = -1;
  #samples: { readonly at: number; readonly bytes: number }[] = [];

  constructor(total: number, request: PushRequest) {
    this.#total = total;
    this.#request = request;
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  get signal(): AbortSignal {
    return this.#stuck.signal;
  }

  sent(bytes: number): void {
    if (bytes < this.#bytes) this.#samples = [];
    this.#bytes = bytes;
    this.#moved = performance.now();
  }

  /** Throws if the device answered before the whole file was sent: the connection ends with its answer. */
  requireWhole(): void {
    if (this.#bytes === this.#total) return;
    const [sent, total] = [toMegabytes(this.#bytes), toMegabytes(this.#total)];
    throw deviceError('refused', say('push.answered-early', { sent, total }), { sent: true });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#tell();
  }

  #look(): void {
    const now = performance.now();
    this.#samples = [...this.#samples.filter(({ at }) => now - at <= 5_000), { at: now, bytes: this.#bytes }];
    if (this.#bytes !== this.#reported) this.#tell();
    const limit = this.#bytes === this.#total ? ANSWER_MS : (this.#request.stuckMs ?? STUCK_MS);
    if (this.#moved === undefined || now - this.#moved <= limit) return;
    this.#stuck.abort(
      deviceError('timeout', say('push.stuck', { seconds: Math.round(limit / 1000) }), { sent: true }),
    );
  }

  #tell(): void {
    this.#reported = this.#bytes;
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    const ms = first === undefined || last === undefined ? 0 : last.at - first.at;
    const rate = ms === 0 ? 0 : (((last?.bytes ?? 0) - (first?.bytes ?? 0)) / ms) * 1000;
    this.#request.onProgress?.({
      bytes: this.#bytes,
      total: this.#total,
      rate: Math.max(0, Math.round(rate)),
    });
  }
}

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
function createFormBody({ file, model, onSent }: FormRequest): BodyStream {
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

function createFileChangedError({ name }: PackageFile, cause?: FileTrouble): FieldwrightError {
  const isLost = cause?.end === 'file-unreadable';
  return userError(
    isLost ? 'unreadable-file' : 'changed-meanwhile',
    say(isLost ? 'serve.file-lost' : 'serve.file-changed', { name }),
    { path: 'file', cause },
  );
}
