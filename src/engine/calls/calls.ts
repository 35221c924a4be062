/** Single calls that may change a device. Each is a job of kind `call`: journalled before it is sent, checked afterwards. */
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { answerKind, isDeviceLost } from '#shared/error-meaning.ts';
import { FieldwrightError, toErrorShape, userError, type ErrorShape } from '#shared/errors.ts';
import type { Device, Params, SectionResult } from '#shared/model.ts';
import { decode, type Operation } from '#protocol/index.ts';
import type { Answer, RequestOptions } from '../device/client-types.ts';
import { redactError, redactResult } from '../device/redact-result.ts';
import { readPatiently } from '../device/transport/patient-read.ts';
import { refuseTurn, runTurn } from '../jobs/device-turn.ts';
import type { ContinuedTurn, JobContext, JobKind, JobTurn } from '../jobs/job-kind.ts';
import { isUnfinished, listRemainingUnits } from '../jobs/job-state.ts';
import { createJobId, type Jobs } from '../jobs/jobs.ts';
import type { Intent } from '../jobs/journal.ts';
import { toConnectionRecord, locate, type Finder } from '../jobs/locate-device.ts';
import type { StoredJob, UnitKey } from '../jobs/types.ts';
import type { DeviceState } from '../planning/pure/desired.ts';
import { mayHoldSecrets } from '../write/holds-secrets.ts';
import type { LookFor } from '../write/look-for.ts';
import { settingsHistory } from '../write/settings-history.ts';
import { concludeWrite, lookUntilTaken, settleWrite, type Conclusion } from '../write/settle-write.ts';
import {
  callSchemas,
  findStoredOperation,
  findReplacedResource,
  setOf,
  type CallDocuments,
  type CallUnit,
} from './documents.ts';
import { lookOfCall, findReadOperation, type CallLook, type Sending } from './look.ts';

interface CallsOptions {
  readonly finder: Finder;
  readonly jobs: () => Pick<Jobs, 'begin' | 'cancel'>;
  /** @throws `vault-locked` if documents with secrets cannot be stored */
  readonly canSeal: () => void;
  /** Returns the check of an operation whose effect shows elsewhere than at its own path. */
  readonly looks: (operationId: string) => LookFor | undefined;
  /** Undo and follow-up of jobs that write settings; calls that replace a document use them too. */
  readonly settings: () => Pick<JobKind<CallDocuments>, 'undo' | 'followUp'>;
}

/** A request that may change a device. */
export interface SingleCall {
  readonly device: Device;
  readonly operation: Operation;
  readonly params: Params;
  /** Body as it is sent, encoded. */
  readonly text: string | undefined;
  /** True if its text or the document on the device may hold secrets. */
  readonly sensitive: boolean;
  /** Secrets in the text, to be masked in answers and errors. */
  readonly secrets: readonly string[];
  /** Sends the request once. Throws if no answer came; a refusal is an answer. */
  readonly send: (options: RequestOptions) => Promise<Answer>;
}

export interface SettledCall {
  readonly jobId: string;
  readonly conclusion: Conclusion<object>;
  /** The last answer, a refusal included; absent if none came. */
  readonly answer?: Answer;
}

interface Caller {
  settled?: Omit<SettledCall, 'jobId'>;
  failed?: unknown;
  readonly resolve: (settled: SettledCall) => void;
  readonly reject: (error: unknown) => void;
}

/** Signal that never aborts: a request under way is finished even if its caller stops waiting. */
const NEVER = new AbortController().signal;

export class Calls {
  readonly #options: CallsOptions;
  /** Callers that wait for a call, by job id. */
  readonly #callers = new Map<string, Caller>();
  readonly kind: JobKind<CallDocuments>;

  constructor(options: CallsOptions) {
    this.#options = options;
    this.kind = {
      name: 'call',
      whenBusy: 'behind-own-kind',
      interrupted: 'unknown',
      schemas: callSchemas,
      history: settingsHistory,
      get undo() {
        return options.settings().undo;
      },
      followUp: (...given) => options.settings().followUp?.(...given) ?? [],
      resume: (job) => this.#resume(job),
      ended: (id) => this.#ended(id),
    };
  }

  /**
   * Journals a call, sends it and returns its outcome once that is journalled too. Throws if nothing was sent, and
   * `cancelled` when the signal aborts: a call that was sent by then is settled anyway.
   */
  run(call: SingleCall, signal: AbortSignal): Promise<SettledCall> {
    if (signal.aborted) return Promise.reject(stoppedWaiting());
    const id = createJobId();
    const { promise, resolve, reject } = Promise.withResolvers<SettledCall>();
    const caller: Caller = { resolve, reject };
    this.#callers.set(id, caller);
    try {
      this.#begin(id, call, caller);
    } catch (error) {
      this.#callers.delete(id);
      throw error;
    }
    const stop = (): void => {
      if (this.#callers.has(id)) this.#options.jobs().cancel({ id });
      reject(stoppedWaiting());
    };
    signal.addEventListener('abort', stop, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', stop));
  }

  #begin(id: string, call: SingleCall, caller: Caller): void {
    const { device, operation, params } = call;
    const result: SectionResult = {
      index: 0,
      set: setOf(operation),
      label: operation.label,
      params,
      outcome: 'pending',
      changes: [],
    };
    this.#options.jobs().begin({
      id,
      kind: 'call',
      title: operation.label,
      about: {
        call: {
          operation: operation.id,
          ...(findReplacedResource(operation.id) === undefined ? {} : { document: true }),
        },
      },
      body: {},
      options: {},
      devices: [
        {
          deviceId: device.id,
          name: device.name,
          url: device.url,
          state: 'pending',
          connection: toConnectionRecord(device),
          units: [{ result }],
          turn: this.#turn(call, result, caller),
        },
      ],
    });
  }

  #ended(id: string): void {
    const caller = this.#callers.get(id);
    if (caller === undefined) return;
    this.#callers.delete(id);
    const { settled, failed } = caller;
    if (settled !== undefined) caller.resolve({ jobId: id, ...settled });
    else caller.reject(failed ?? stoppedWaiting());
  }

  #turn(call: SingleCall, pending: SectionResult, caller: Caller): JobTurn {
    const { device, secrets } = call;
    return (context) =>
      runTurn({ position: 0, deviceId: device.id, url: device.url, secrets }, context, async () => {
        try {
          caller.settled = await this.#send(call, pending, context);
        } catch (thrown) {
          caller.failed = thrown;
          const error = toErrorShape(thrown);
          record({ ...pending, outcome: 'failed', error: redactError(error, secrets) }, context);
        }
        return undefined;
      });
  }

  /** Sends a call and returns its outcome. Throws if nothing was sent. */
  async #send(
    call: SingleCall,
    pending: SectionResult,
    context: JobContext,
  ): Promise<Omit<SettledCall, 'jobId'>> {
    const { device, operation, params, text, sensitive, secrets } = call;
    const { job, journal, clock, clients } = context;
    const client = clients.get(device.id);
    const sending: Sending = { operation, params, text, resource: findReplacedResource(operation.id) };
    const place = { client, clock, device: device.url, looks: this.#options.looks };
    job.phase(0, 0, 'reading');
    const before = await readBefore(sending, { ...place, signal: job.stopped });
    const shows = await fromNowOn(operation, lookOfCall(sending, before, { ...place, signal: NEVER }));
    const asked = { ...pending, changes: shows.changes };
    const documents = this.#documents(before, text, sensitive);
    let answer: Answer | undefined;

    const settled = await settleWrite<object>({
      operation,
      device: device.url,
      intend: () => {
        if (job.cancelled) throw stoppedWaiting();
        return journal.intent(keyOf(context), asked, clock.now().toISOString(), documents);
      },
      send: async () => {
        answer = undefined;
        // A secret goes only to the address that the person confirmed.
        return (answer = await call.send({ signal: NEVER, ...(sensitive && { address: device.url }) }));
      },
      look: shows.look,
      clock,
      signal: NEVER,
      phase: (phase) => job.phase(0, 0, phase),
    });
    const conclusion = withReason(settled, shows);
    const { outcome, status, error } = conclusion;
    if (outcome === 'failed') throw new FieldwrightError(error ?? stoppedWaiting().shape);
    const shown = shows.text(conclusion.shown);
    record(
      redactResult({ ...asked, outcome, ...removeUndefined({ status, error }) }, secrets),
      context,
      shown === undefined ? undefined : { text: shown, sensitive },
    );
    return { conclusion, answer };
  }

  /** Returns the documents to store; undefined if they hold secrets and the vault is locked. */
  #documents(
    before: DeviceState | undefined,
    text: string | undefined,
    sensitive: boolean,
  ): Intent | undefined {
    if (before === undefined && text === undefined) return undefined;
    if (sensitive) {
      try {
        this.#options.canSeal();
      } catch {
        // The call is sent anyway: it is journalled without its documents, so it cannot be undone.
        return undefined;
      }
    }
    return {
      sent: text ?? '',
      renew: false,
      sensitive,
      before: before?.document.text,
    };
  }

  /** Resumes a call without sending: an unsent call fails, the outcome of a sent one is read from the device. */
  #resume(job: StoredJob<CallDocuments>): readonly ContinuedTurn[] {
    return job.devices.filter(isUnfinished).map((device): ContinuedTurn => {
      const { position } = device;
      const located = locate(device, this.#options.finder);
      if (!located.ok) return { position, turn: (context) => refuseTurn(position, located.error, context) };
      const { id: deviceId, url } = located.device;
      return {
        position,
        turn: (context) =>
          runTurn({ position, deviceId, url, secrets: [] }, context, async () => {
            for (const unit of listRemainingUnits(device))
              await this.#findOut(unit, { deviceId, url }, context);
            return undefined;
          }),
      };
    });
  }

  async #findOut(
    unit: CallUnit,
    { deviceId, url }: { readonly deviceId: string; readonly url: string },
    context: JobContext,
  ): Promise<void> {
    const { label, detail, error, outcome } = unit;
    const asked: SectionResult = { index: unit.key.index, label, ...detail, outcome: 'pending' };
    const operation = findStoredOperation(detail.set);
    if (outcome !== 'unknown')
      return record({ ...asked, outcome: 'failed', error: neverSent(detail.set, url) }, context);
    const cut: ErrorShape = error ?? { code: 'cancelled', source: 'app', ...say('ended-meanwhile') };
    const left = { ...asked, outcome: 'unknown' as const, error: cut };
    if (operation === undefined) return record(left, context);

    const { before, sent } = unit.documents();
    const sending: Sending = {
      operation,
      params: detail.params,
      resource: findReplacedResource(operation.id),
      text: operation.request === undefined ? undefined : sent,
    };
    const { clock, clients, job } = context;
    const place = {
      client: clients.get(deviceId),
      clock,
      signal: job.stopped,
      device: url,
      looks: this.#options.looks,
    };
    const shows = lookOfCall(sending, keptState(sending, before), place);
    const seen = await lookUntilTaken({ ...place, look: shows.look });
    const found = withReason(concludeWrite({ kind: 'unclear', error: cut }, seen, true), shows);
    if (found.outcome === 'unknown')
      return record({ ...left, ...removeUndefined({ error: found.error }) }, context);
    const shown = shows.text(found.shown);
    record(
      {
        ...asked,
        outcome: found.outcome,
        note: 'settled-by-reading',
        ...removeUndefined({ error: found.error }),
      },
      context,
      shown === undefined ? undefined : { text: shown, sensitive: mayHoldSecrets(operation) },
    );
  }
}

/** Reads what the call replaces or deletes; undefined if the device does not show it. Throws if it cannot be read. */
async function readBefore(
  sending: Sending,
  context: Parameters<typeof readPatiently>[2],
): Promise<DeviceState | undefined> {
  const reader = findReadOperation(sending);
  if (reader === undefined) return undefined;
  try {
    const { document, value, lossy } = await readPatiently(reader, sending.params, context);
    return document === undefined || lossy ? undefined : { document, value };
  } catch (thrown) {
    if (answerKind(toErrorShape(thrown)) === 'unreadable') return undefined;
    throw thrown;
  }
}

/**
 * Reads the device before a deletion, because an absent item proves the deletion only if it was present before. Throws if
 * the connection is lost.
 */
async function fromNowOn({ method }: Operation, shows: CallLook): Promise<CallLook> {
  const { look } = shows;
  if (method !== 'DELETE' || look === undefined) return shows;
  try {
    if ((await look()).kind !== 'taken') return shows;
  } catch (thrown) {
    if (isDeviceLost(toErrorShape(thrown))) throw thrown;
  }
  return { ...shows, look: async () => ({ ...(await look()), kind: 'hidden' }) };
}

function keptState(sending: Sending, text: string | undefined): DeviceState | undefined {
  const payload = findReadOperation(sending)?.response;
  if (payload === undefined || text === undefined) return undefined;
  const { document, value } = decode(payload, text);
  return { document, value };
}

function withReason(conclusion: Conclusion<object>, shows: CallLook): Conclusion<object> {
  return conclusion.outcome === 'ignored' ? { ...conclusion, error: shows.ignored(conclusion) } : conclusion;
}

function keyOf({ job }: JobContext): UnitKey {
  return { jobId: job.id, position: 0, index: 0 };
}

function record(
  result: SectionResult,
  context: JobContext,
  shown?: { readonly text: string; readonly sensitive: boolean },
): void {
  const { job, journal, clock } = context;
  job.unit(0, result);
  journal.settled(keyOf(context), result, clock.now().toISOString(), shown);
}

function neverSent(set: string, device: string): ErrorShape {
  return {
    code: 'not-available',
    source: 'app',
    operation: findStoredOperation(set)?.id ?? set,
    device,
    ...say('call-never-sent'),
  };
}

function stoppedWaiting(): FieldwrightError {
  return userError('cancelled', say('cancelled'));
}
