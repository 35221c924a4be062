/** The device fetches the package: asked, served, watched from both sides until it has it. */
import { isDeviceLost, isWorthWaiting } from '#shared/error-meaning.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { createDetail } from '#shared/details.ts';
import { formatDeviceReason } from '#shared/device-reason.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { Conclusion } from '../write/settle-write.ts';
import { requireTaken } from './ai-calls.ts';
import { readPackages, readStorage } from './board.ts';
import { judge, type Judgement } from './judge.ts';
import { offer, pauseFor, transferOf } from './offer.ts';
import { endWith, pause, createDeviceError, type Send, type StepEnd } from './send.ts';
import type { PackageFile } from './serve/package-file.ts';
import type { Offer, Served } from './serve/types.ts';
import type { ModelResult } from './documents.ts';

const FIRST_LOOK_MS = 250;
const LONGEST_LOOK_MS = 2_000;
/** A device may say a little more than was handed over: the last bytes are on their way. */
const AHEAD_PERCENT = 10;

type Ended = StepEnd | { readonly kind: 'again' };

/** Never cut off before the journal knows what was begun. */
export async function transferStep(send: Send): Promise<StepEnd> {
  const before = send.units.of('transfer').transfer;
  if ((before?.asked ?? 0) > 0 && (await isThere(send)))
    return { kind: 'done', outcome: 'effective', patch: { stage: 'received' } };
  for (;;) {
    const file = await send.file();
    const offered = await offer(send, file);
    if ('kind' in offered) return offered;
    const serving = new Serving(send, file, offered);
    let end: Ended;
    try {
      end = await serving.run();
    } finally {
      await offered.close();
      serving.note();
    }
    if (end.kind !== 'again') return end;
    if (send.context.job.cancelled) return { kind: 'stopped' };
  }
}

/** An earlier run came as far as its restart, or the device needed none. */
async function isThere({ calls, body }: Send): Promise<boolean> {
  return !body.update && (await readPackages(calls)).some(({ MPID }) => MPID === body.mpid);
}

/** One offer while it is open. */
class Serving {
  readonly #send: Send;
  readonly #file: PackageFile;
  readonly #offer: Offer;
  readonly #servedBefore: boolean;
  /** Number of requests in earlier runs. */
  readonly #requestsBefore: number;
  #askedAt: number;
  #asks = 0;
  #percent: number | undefined;
  #percentAt: number | undefined;
  #awaySince: number | undefined;
  #droppedSince: number | undefined;
  #completeAt: number | undefined;
  #lastAt: number | undefined;
  /** Description of its last request, as the server reports it. */
  #asked: string | undefined;
  #bytes = 0;
  #examined = false;
  /** Causes that the doctor found. */
  #causes: readonly ErrorShape[] = [];
  #refusal: ErrorShape | undefined;
  #askRefused = false;
  readonly #noted = new Set<string>();

  constructor(send: Send, file: PackageFile, offer: Offer) {
    this.#send = send;
    this.#file = file;
    this.#offer = offer;
    this.#servedBefore = transferOf(this.#unit).asked > 0;
    this.#requestsBefore = transferOf(this.#unit).requests ?? 0;
    this.#askedAt = this.#now();
  }

  async run(): Promise<Ended> {
    const { context } = this.#send;
    // An earlier run gave the device this very address: it continues by itself, or is asked if it does not.
    const isKnown =
      this.#servedBefore &&
      this.#offer.port === this.#unit.transfer?.port &&
      this.#offer.address === this.#unit.transfer.address;
    if (!isKnown) {
      const refused = await this.#ask();
      if (refused !== undefined) return refused;
    }
    let wait = FIRST_LOOK_MS;
    for (;;) {
      const end = await this.#look();
      if (end !== undefined) return end;
      if (!(await pause(this.#send, wait))) return { kind: 'stopped' };
      wait = Math.min(wait * 1.3, LONGEST_LOOK_MS);
      if (context.job.cancelled) return { kind: 'stopped' };
    }
  }

  /** Records what was served at the end, for the next run. */
  note(): void {
    this.#tell(this.#offer.served());
  }

  get #unit(): ModelResult {
    return this.#send.units.of('transfer');
  }

  /** The end, or undefined to go on looking. */
  async #look(): Promise<Ended | undefined> {
    const served = this.#offer.served();
    await this.#readPercent();
    this.#tell(served);
    if (served.end === 'address-gone' || served.end === 'file-unreadable') {
      const error = served.problem ?? createDeviceError(this.#send, 'not-available', 'model.serving-ended');
      return (await pauseFor(this.#send, { ...error, device: this.#send.device.url }))
        ? { kind: 'again' }
        : { kind: 'stopped' };
    }
    if (served.end !== undefined)
      return {
        kind: 'failed',
        error: served.problem ?? createDeviceError(this.#send, 'changed-meanwhile', 'model.serving-ended'),
      };
    return this.#act(
      judge({
        now: this.#now(),
        askedAt: this.#askedAt,
        asks: this.#asks,
        servedBefore: this.#servedBefore,
        complete: served.complete,
        handedOver: served.bytes === served.total,
        requests: served.requests,
        open: served.open,
        examined: this.#examined,
        refused: this.#askRefused,
        lastAt: this.#lastAt,
        completeAt: this.#completeAt,
        percent: this.#percent,
        percentAt: this.#percentAt,
        awaySince: this.#awaySince,
        droppedSince: this.#droppedSince,
      }),
      served,
    );
  }

  async #act(judgement: Judgement, served: Served): Promise<Ended | undefined> {
    const fail = (error: ErrorShape): StepEnd => ({ kind: 'failed', error: this.#withCauses(error) });
    const { units } = this.#send;
    const percent = this.#percent ?? 0;
    const numbers = { percent, served: megabytes(served.bytes), total: megabytes(served.total) };
    switch (judgement) {
      case 'wait':
        return undefined;
      case 'examine':
        await this.#examine();
        return undefined;
      case 'ask':
        return this.#ask();
      case 'received':
        return { kind: 'done', outcome: 'effective', patch: this.#received(served) };
      case 'received-unproved':
      case 'received-unseen':
        units.log(
          judgement === 'received-unseen'
            ? createDetail('model.received-unseen', numbers)
            : createDetail('model.received-unproved'),
        );
        return { kind: 'done', outcome: 'accepted', patch: this.#received(served) };
      case 'lies':
        return fail(createDeviceError(this.#send, 'refused', 'model.percent-lies', numbers));
      case 'never-called':
        return fail(
          createDeviceError(this.#send, 'timeout', 'model.never-called', { address: this.#offer.address }),
        );
      case 'stalled':
        return fail(
          (await this.#fullStorage()) ??
            this.#refusal ??
            createDeviceError(this.#send, 'timeout', 'model.stalled', numbers),
        );
      case 'stuck':
        return fail(createDeviceError(this.#send, 'refused', 'model.stuck', numbers));
      case 'dropped':
        return fail(
          (await this.#fullStorage()) ??
            this.#refusal ??
            createDeviceError(this.#send, 'refused', 'model.dropped', numbers),
        );
      case 'away':
        return { kind: 'later', error: createDeviceError(this.#send, 'timeout', 'model.away', numbers) };
    }
  }

  /** Asks the device to fetch; an end where it will not. */
  async #ask(): Promise<Ended | undefined> {
    const { units, device } = this.#send;
    const before = transferOf(this.#unit);
    const isFirst = before.asked === 0;
    const { address, port } = this.#offer;
    await units.begin(this.#unit, {
      stage: 'serving',
      transfer: { ...before, asked: before.asked + 1, address, port },
    });
    units.log(
      isFirst
        ? createDetail('model.asked', { address, port })
        : createDetail('model.asked-again', { count: before.asked + 1 }),
    );
    this.#asks += 1;
    this.#askedAt = this.#now();
    this.#droppedSince = undefined;
    this.#askRefused = false;
    try {
      const { outcome } = await this.#sendAddress(isFirst);
      // A device that fetches the file has received the address, even if the outcome of this request is unknown.
      if (outcome === 'unknown') units.log(createDetail('model.ask-unheard'));
      this.#refusal = undefined;
      return undefined;
    } catch (thrown) {
      const error = { device: device.url, ...toErrorShape(thrown) };
      if (isDeviceLost(error)) return endWith(this.#send, thrown);
      // A device that is still at it refuses to begin anew.
      this.#refusal = error;
      this.#askRefused = true;
      if (isFirst) return { kind: 'failed', error };
      units.log(
        createDetail('model.ask-refused', { reason: formatDeviceReason(error.status) ?? error.message }),
      );
      return undefined;
    }
  }

  /** A package that the device knows already gets its address by an update (part 1, 4). */
  async #sendAddress(isFirst: boolean): Promise<Conclusion> {
    const { calls, body } = this.#send;
    const facts = { MPID: body.mpid, URL: this.#offer.url, ...removeUndefined({ MPName: body.mpName }) };
    const update = { operation: 'aiPlatform.models.update', body: facts };
    if (body.update) return requireTaken(await calls.settle(update));
    const created = await calls.settle({ operation: 'aiPlatform.models.create', body: facts });
    const isKnown = !isFirst && created.outcome === 'refused';
    return requireTaken(isKnown ? await calls.settle(update) : created);
  }

  /** Reads the percentage; if the device does not answer, the time is recorded. */
  async #readPercent(): Promise<void> {
    const { calls, body, units } = this.#send;
    try {
      const { percent } = await calls.read<{ readonly percent?: number }>('aiPlatform.modelProgress.get', {
        MPID: body.mpid,
      });
      this.#awaySince = undefined;
      this.#droppedSince = undefined;
      if (typeof percent !== 'number' || percent === this.#percent) return;
      if (this.#percent !== undefined && percent < this.#percent)
        units.log(createDetail('model.percent-back', { from: this.#percent, to: percent }));
      this.#percent = percent;
      this.#percentAt = this.#now();
    } catch (thrown) {
      const error = toErrorShape(thrown);
      if (error.code === 'cancelled') return;
      if (isDeviceLost(error)) {
        this.#once('away', () => units.log(createDetail('model.away-meanwhile', { reason: error.message })));
        this.#awaySince ??= this.#now();
      } else if (!isWorthWaiting(error)) {
        this.#once('dropped', () =>
          units.log(
            createDetail('model.progress-refused', {
              reason: formatDeviceReason(error.status) ?? error.message,
            }),
          ),
        );
        this.#refusal ??= { device: this.#send.device.url, ...error };
        this.#droppedSince ??= this.#now();
      }
    }
  }

  #tell(served: Served): void {
    const { units } = this.#send;
    const unit = this.#unit;
    const now = this.#now();
    if (served.bytes !== this.#bytes || served.open > 0) this.#lastAt = now;
    if (served.lastAt !== this.#asked) this.#lastAt = now;
    this.#asked = served.lastAt;
    if (served.complete) this.#completeAt ??= now;
    if (served.requests > 0) this.#droppedSince = undefined;
    this.#bytes = served.bytes;
    const share = percentOf(served.bytes, served.total);
    if (this.#percent !== undefined && this.#percent > share + AHEAD_PERCENT && !this.#servedBefore)
      this.#once('ahead', () =>
        units.log(createDetail('model.percent-ahead', { percent: this.#percent ?? 0, share })),
      );
    units.show(unit, {
      stage: 'serving',
      progress: { done: served.bytes, total: served.total },
      transfer: {
        ...transferOf(unit),
        served: served.bytes,
        total: served.total,
        rate: Math.round(served.rate),
        requests: this.#requestsBefore + served.requests,
        ranges: served.spans,
        ...removeUndefined({ percent: this.#percent, fetchedSha256: served.sha256 }),
      },
    });
  }

  async #examine(): Promise<void> {
    this.#examined = true;
    const { units, examine } = this.#send;
    units.log(createDetail('model.silent'));
    const causes = (
      await examine({ served: this.#offer.served(), address: this.#offer.address, peer: this.#offer.peer })
    ).filter(({ tone }) => tone !== 'good');
    for (const { detail } of causes) units.log(detail);
    this.#causes = causes.map(({ message, hint, detail }) => ({
      code: 'not-available',
      source: 'app',
      message,
      detail,
      hint,
    }));
  }

  /** The room for the rest is not there any more, whatever was said before. */
  async #fullStorage(): Promise<ErrorShape | undefined> {
    const left = Math.ceil((this.#file.size - this.#bytes) / 1_048_576);
    const storage = await readStorage(this.#send.calls).catch(() => undefined);
    return storage === undefined || storage.free >= left
      ? undefined
      : createDeviceError(this.#send, 'refused', 'model.full', { left, free: storage.free });
  }

  #received(served: Served) {
    const unit = this.#unit;
    this.#send.units.log(
      createDetail('model.received', { served: megabytes(served.bytes), requests: served.requests }),
    );
    return {
      stage: 'received' as const,
      transfer: { ...transferOf(unit), rate: 0 },
      progress: { done: served.bytes, total: served.total },
    };
  }

  #withCauses(error: ErrorShape): ErrorShape {
    return this.#causes.length === 0 ? error : { ...error, others: this.#causes };
  }

  #once(what: string, tell: () => void): void {
    if (this.#noted.has(what)) return;
    this.#noted.add(what);
    tell();
  }

  #now(): number {
    return this.#send.time.now();
  }
}

function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((part / whole) * 100);
}

function megabytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1);
}
