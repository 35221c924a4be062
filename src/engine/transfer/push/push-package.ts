/** Sending a package itself to a device that says it takes one so. Not specified beyond that flag (part 1, 2.1). */
import { say } from '#shared/details.ts';
import { appError, deviceError } from '#shared/errors.ts';
import { toMegabytes } from '#shared/ai-models/ai-model-progress.ts';
import type { Answer, DeviceClient } from '#engine/device/client-types.ts';
import type { PackageFile } from '../serve/package-file.ts';
import { compareRest } from '../serve/read-blocks.ts';
import { FileTrouble } from '../serve/file-trouble.ts';
import { createFileChangedError, createFormBody } from './form-body.ts';
import { getSpecifiedOperation } from '#engine/operations/specified.ts';

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
