/**
 * A device whose writes count only after a restart: waits for it gently, then reads what it shows.
 * The person restarts the device; it may be away for minutes. Nothing is ever written here.
 */
import { answerKind, isGone, isWorthWaiting } from '#shared/error-meaning.ts';
import { say, formatSomeNames } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { decode, findResource, isRelated, listSecrets, type Payload } from '#protocol/index.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { Change, SectionResult } from '#shared/model.ts';
import type { Clock } from '#engine/api/host.ts';
import { computeDesiredState, type DeviceState } from '#engine/planning/pure/desired.ts';
import type { SectionRead } from '#engine/planning/pure/plan-section.ts';
import type { ResolvedSection } from '#engine/template/document.ts';
import type { JobContext } from '#engine/jobs/job-kind.ts';
import { isRestartDue } from '#engine/jobs/restarts.ts';
import { haveAllSucceeded } from '#engine/jobs/job-state.ts';
import { createReader, type SectionReader } from '#engine/planning/read-section.ts';
import { Absence } from '#engine/device/absence.ts';
import { redactResult } from '#engine/device/redact-result.ts';
import { holdsSecrets } from '#engine/write/holds-secrets.ts';
import type { StoredDevice, StoredUnit } from '#engine/jobs/types.ts';
import { restoreSection, type Undoable } from '../settings-documents.ts';
import { filterVisibleChanges } from '#engine/write/write-section.ts';

export interface FollowUpTask {
  readonly device: StoredDevice<Undoable>;
  /** How it is reached now. */
  readonly deviceId: string;
  readonly url: string;
  readonly waitMs: number;
  /** Its restart was noticed before. */
  readonly hasRestarted?: boolean;
  /** Hundreds of devices are waited for at once, but looked at a few at a time. */
  readonly inTurn: <T>(look: () => Promise<T>) => Promise<T>;
  readonly onRestarted: (deviceId: string) => void;
}

/** Changes of one section that wait for the restart. */
interface Awaited {
  readonly stored: StoredUnit<Undoable>;
  readonly section: ResolvedSection;
  readonly payload: Payload;
  readonly sent: DeviceState;
  /** The device showed it right after the write: seeing it says nothing of a restart. */
  readonly shownEarly: boolean;
  readonly secrets: readonly string[];
}

/** Gently: a device that starts has other things to do. */
const FIRST_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 15_000;
const GROWTH = 1.5;
/** Looks at a device that is back before an old value counts: some load their settings late. */
const LOOKS_AFTER_RESTART = 4;

/** Checks a device after its restart. Returns true if there is nothing more to wait for. Never throws. */
export async function followUpDevice(task: FollowUpTask, context: JobContext): Promise<boolean> {
  const { job, journal, clock } = context;
  const { position } = task.device;
  // A restart does not repair the error that ended the device's turn early, in whatever run.
  const error = job.results[position]?.error;
  job.device(position, 'running');
  await waitAndSettle(task, context, awaited(task, context));
  const units = job.results[position]?.units ?? [];
  const state = error === undefined && haveAllSucceeded(units) ? 'done' : 'failed';
  journal.device(job.id, position, job.device(position, state, error), clock.now().toISOString());
  if (units.some(isRestartDue)) return false;
  task.onRestarted(task.deviceId);
  return true;
}

/** Records why a device cannot be checked any more; it goes on waiting. */
export function recordFollowUpFailure(
  device: StoredDevice<Undoable>,
  error: ErrorShape,
  context: JobContext,
): Promise<boolean> {
  for (const stored of device.units.filter(isRestartDue))
    record({ stored, secrets: [] }, { outcome: 'needs-reboot', error }, { device }, context);
  return Promise.resolve(false);
}

/**
 * Returns what each section is to show. A section for which that is not known stays unchanged, with the
 * reason.
 */
function awaited(task: FollowUpTask, context: JobContext): readonly Awaited[] {
  return task.device.units.filter(isRestartDue).flatMap((stored) => {
    const keep = (error: ErrorShape): [] => {
      record({ stored, secrets: [] }, { outcome: 'needs-reboot', error }, task, context);
      return [];
    };
    const resource = findResource(stored.detail.set);
    try {
      const { sent, after } = stored.documents();
      if (resource === undefined || sent === undefined)
        return keep({
          code: 'not-available',
          source: 'app',
          device: task.url,
          ...say('sent-not-kept'),
        });
      const payload = resource.put.request;
      const wanted = decode(payload, sent);
      const shownEarly =
        after !== undefined &&
        missingIn({ payload, stored, sent: wanted }, decode(payload, after)).length === 0;
      const section = restoreSection(stored, resource);
      return [
        { stored, section, payload, sent: wanted, shownEarly, secrets: listSecrets(payload, wanted.value) },
      ];
    } catch (thrown) {
      return keep({ ...toErrorShape(thrown), device: task.url });
    }
  });
}

/** Returns when every section is settled, or waited for no longer. */
async function waitAndSettle(
  task: FollowUpTask,
  context: JobContext,
  all: readonly Awaited[],
): Promise<void> {
  const { job, clock } = context;
  const reader = createReader({
    client: context.clients.get(task.deviceId),
    clock,
    signal: job.stopped,
    device: task.url,
  });
  const patience = createPatience(clock, task.waitMs);
  let left = all;
  const absence = new Absence(task.hasRestarted);
  for (const { stored } of left) job.phase(task.device.position, stored.key.index, 'waiting');
  const leave = (reason: (item: Awaited) => ErrorShape): void => {
    for (const item of left) record(item, { outcome: 'needs-reboot', error: reason(item) }, task, context);
  };
  while (left.length > 0) {
    const over = patience.isOver();
    const wanted = left;
    const look = await task.inTurn(() => lookAt(wanted, reader));
    if (job.cancelled) return;
    if (look.kind === 'stopped') return leave(() => ({ device: task.url, ...look.error }));
    if (look.kind === 'away') absence.away(look.error);
    else if (look.kind === 'read') {
      absence.there();
      const seen = { restarted: absence.hasLeft, final: absence.looksSince >= LOOKS_AFTER_RESTART };
      left = settleRead(look.reads, seen, task, context);
    }
    if (left.length === 0) return;
    if (over) return leave((item) => notRestarted(task, look, item));
    await patience.wait({ soon: absence.looksSince === 1, signal: job.stopped });
    if (job.cancelled) return;
  }
}

type Look =
  | { readonly kind: 'read'; readonly reads: readonly (readonly [Awaited, SectionRead])[] }
  /** It does not answer: perhaps it restarts right now. */
  | { readonly kind: 'away'; readonly error: ErrorShape }
  /** It answers, but nothing that can be used yet. */
  | { readonly kind: 'unready'; readonly error: ErrorShape }
  /** Going on asking would do harm or no good: a failed sign-in is not tried again. */
  | { readonly kind: 'stopped'; readonly error: ErrorShape };

/** Looks at the first section alone, so that a device that is away is asked once. */
async function lookAt(wanted: readonly Awaited[], reader: SectionReader): Promise<Look> {
  const reads: (readonly [Awaited, SectionRead])[] = [];
  try {
    for (const item of wanted) {
      const read = await reader.read(item.section);
      if (read.kind === 'refused' && answerKind(read.error) === 'busy')
        return { kind: 'unready', error: read.error };
      reads.push([item, read]);
    }
    return { kind: 'read', reads };
  } catch (thrown) {
    const error = toErrorShape(thrown);
    if (!isWorthWaiting(error)) return { kind: 'stopped', error };
    return { kind: isGone(error) ? 'away' : 'unready', error };
  }
}

/** Records the results that are known now; the other sections keep waiting. */
function settleRead(
  reads: readonly (readonly [Awaited, SectionRead])[],
  seen: { readonly restarted: boolean; readonly final: boolean },
  task: FollowUpTask,
  context: JobContext,
): readonly Awaited[] {
  return reads.flatMap(([item, read]) => {
    const { put } = item.section.resource;
    if (read.kind !== 'state') {
      if (!seen.final) return [item];
      record(
        item,
        { outcome: 'accepted', error: { ...read.error, operation: put.id, device: task.url } },
        task,
        context,
      );
      return [];
    }
    const missing = missingIn(item, read.state);
    const shown = read.state.document.text;
    const { changes } = item.stored.detail;
    const isSeen = filterVisibleChanges(changes).length > 0;
    const hasSecret = !isSeen || filterVisibleChanges(changes).length < changes.length;
    if (missing.length === 0 && ((isSeen && !item.shownEarly) || seen.restarted)) {
      record(item, { outcome: hasSecret ? 'accepted' : 'effective' }, task, context, shown);
      return [];
    }
    if (!seen.final) return [item];
    record(item, { outcome: 'ignored', error: stillOld(missing, put.id, task.url) }, task, context, shown);
    return [];
  });
}

/** Returns the changes of the job in this section that the device does not show; secrets are never shown. */
function missingIn(
  { payload, sent, stored }: Pick<Awaited, 'payload' | 'sent' | 'stored'>,
  state: DeviceState,
): readonly Change[] {
  if (state.document.text === sent.document.text) return [];
  const ours = filterVisibleChanges(stored.detail.changes).map(({ path }) => path);
  return filterVisibleChanges(computeDesiredState(payload, sent.value, state).changes).filter(({ path }) =>
    ours.some((mine) => isRelated(mine, path)),
  );
}

function record(
  { stored, secrets }: Pick<Awaited, 'stored' | 'secrets'>,
  verdict: Pick<SectionResult, 'outcome' | 'error'>,
  task: Pick<FollowUpTask, 'device'>,
  { job, journal, clock }: JobContext,
  shown?: string,
): void {
  const result: SectionResult = redactResult(
    { index: stored.key.index, ...stored.detail, label: stored.label, ...removeUndefined(verdict) },
    secrets,
  );
  const resource = findResource(stored.detail.set);
  job.unit(task.device.position, result);
  journal.settled(
    stored.key,
    result,
    clock.now().toISOString(),
    shown === undefined || resource === undefined
      ? undefined
      : { text: shown, sensitive: holdsSecrets(resource) },
  );
}

/**
 * Creates the remaining waiting time. Time that a sleeping computer slept counts too, but the device is
 * always checked once more before it is given up.
 */
function createPatience(clock: Clock, waitMs: number) {
  const until = clock.now().getTime() + waitMs;
  let waited = 0;
  let next = FIRST_DELAY_MS;
  return {
    isOver: () => waited >= waitMs || clock.now().getTime() >= until,
    /** Waits until the next look; not called when the time is over. */
    async wait({ soon, signal }: { readonly soon: boolean; readonly signal: AbortSignal }): Promise<void> {
      if (soon) next = FIRST_DELAY_MS;
      const delay = Math.min(next, waitMs - waited);
      next = Math.min(next * GROWTH, LONGEST_DELAY_MS);
      waited += delay;
      await clock.delay(delay, signal).catch(() => undefined);
    },
  };
}

function notRestarted(task: FollowUpTask, look: Look, { shownEarly }: Awaited): ErrorShape {
  if (look.kind === 'unready') return { device: task.url, ...look.error };
  const minutes = Math.max(1, Math.round(task.waitMs / 60_000));
  const place = { device: task.url };
  return look.kind === 'away'
    ? { ...place, code: look.error.code, source: look.error.source, ...say('went-away', { minutes }) }
    : {
        ...place,
        code: 'timeout',
        source: 'app',
        ...say(shownEarly ? 'restart-unseen' : 'not-restarted', { minutes }),
      };
}

function stillOld(missing: readonly Change[], operation: string, device: string): ErrorShape {
  return {
    code: 'refused',
    source: 'app',
    operation,
    device,
    ...removeUndefined({ path: missing[0]?.path }),
    ...say('old-after-restart', { names: formatSomeNames(missing.map(({ path }) => path)) }),
  };
}
