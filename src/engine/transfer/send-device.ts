/** A device's turn: from its check to its proof, each step journalled, from wherever an earlier run came. */
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import { haveAllSucceeded } from '../jobs/job-state.ts';
import { createJobCancelledError, runTurn, type Later } from '../jobs/device-turn.ts';
import type { JobContext } from '../jobs/job-kind.ts';
import { OUTCOMES } from '#shared/outcomes.ts';
import { readBoard, readPercent } from './board.ts';
import { checkBoard } from './check-step.ts';
import type { ModelResult } from './documents.ts';
import { runEngineStep } from './engine-step.ts';
import { deletePreviousPackages, runProofStep } from './proof-step.ts';
import { restartStep } from './restart-step.ts';
import { endWith, type Send, type StepEnd } from './send.ts';
import { pushStep } from './push-step.ts';
import { transferStep } from './transfer-step.ts';

interface SendPlace {
  readonly position: number;
  readonly deviceId: string;
  readonly url: string;
}

/**
 * Sends to a device in its wave. Returns false on failure, also if it had to be restarted to prove the
 * package and was not restarted in time.
 */
export async function sendToDevice(
  place: SendPlace,
  context: JobContext,
  prepare: () => Send,
): Promise<boolean> {
  let held = false;
  const good = await runTurn({ ...place, secrets: [], putsOffItself: true }, context, async () => {
    const send = prepare();
    const { waitSeconds } = send.body;
    const ended = await goThrough(send, waitSeconds * 1000);
    held = waitSeconds > 0 && send.units.all.some(({ outcome }) => outcome === 'needs-reboot');
    send.units.flush();
    return ended;
  });
  return good && !held;
}

/** After the others: it waits for its restart, and goes on from there. Never throws. */
export async function followDevice(
  { position }: SendPlace,
  context: JobContext,
  { prepare, waitMs }: { readonly prepare: () => Send; readonly waitMs: number },
): Promise<boolean> {
  const { job, journal, clock } = context;
  const isHeld = (): boolean =>
    (job.results[position]?.units ?? []).some(({ outcome }) => outcome === 'needs-reboot');
  if (!isHeld()) return true;
  job.device(position, 'running');
  const ended = await follow(prepare, waitMs);
  const error = ended === undefined || ended === 'stopped' ? undefined : ended;
  const good = error === undefined && haveAllSucceeded(job.results[position]?.units ?? []);
  const state = good || isHeld() ? 'done' : 'failed';
  journal.device(job.id, position, job.device(position, state, error), clock.now().toISOString());
  return good && !isHeld();
}

async function follow(prepare: () => Send, waitMs: number): Promise<ErrorShape | 'stopped' | undefined> {
  try {
    const send = prepare();
    const ended = await goThrough(send, waitMs);
    send.units.flush();
    if (ended === undefined) return undefined;
    if ('later' in ended) return ended.later;
    return ended.code === 'cancelled' ? 'stopped' : ended;
  } catch (thrown) {
    return toErrorShape(thrown);
  }
}

async function goThrough(send: Send, waitMs: number): Promise<ErrorShape | Later | undefined> {
  const { units, context, time } = send;
  const { job } = context;
  using _awake = time.watch();
  for (const { index } of units.all) {
    const unit = units.at(index);
    if (isThrough(unit)) continue;
    if (job.cancelled) return createJobCancelledError();
    await job.whileUnpaused();
    if (job.cancelled) return createJobCancelledError();
    const end = await work(send, unit, waitMs);
    switch (end.kind) {
      case 'done':
        units.settle(unit, { stage: unit.stage, ...end.patch, outcome: end.outcome });
        break;
      case 'waits':
        units.holdForRestart(end.error);
        return undefined;
      case 'failed':
        // Steps behind this one continue when the job is resumed.
        for (const behind of units.all)
          if (behind.outcome === 'needs-reboot') units.settle(behind, { outcome: 'pending' });
        units.settle(unit, { outcome: 'failed', stage: 'failed', error: end.error });
        if (end.error.detail !== undefined) units.log(end.error.detail);
        return end.error;
      case 'later':
        units.settle(unit, { stage: 'when-seen', error: end.error });
        if (end.error.detail !== undefined) units.log(end.error.detail);
        return { later: end.error };
      case 'stopped':
        return createJobCancelledError();
    }
  }
  return undefined;
}

function isThrough({ outcome }: ModelResult): boolean {
  return outcome !== 'needs-reboot' && OUTCOMES[outcome].good;
}

function work(send: Send, unit: ModelResult, waitMs: number): Promise<StepEnd> {
  switch (unit.step) {
    case 'check':
      return checkStep(send);
    case 'transfer':
      return send.body.mode === 'push' ? pushStep(send) : transferStep(send);
    case 'restart':
      return restartStep(send, waitMs);
    case 'engine':
      return runEngineStep(send, unit, waitMs);
    case 'proof':
      return runProofStep(send);
    case 'previous':
      return deletePreviousPackages(send);
  }
}

/**
 * Repeats the checks of the plan on the device. After it was asked to fetch, its package counts as this
 * job's.
 */
async function checkStep(send: Send): Promise<StepEnd> {
  const { calls, body, device, units, context } = send;
  const done: StepEnd = { kind: 'done', outcome: 'unchanged', patch: { stage: 'checked', did: 'checked' } };
  if ((units.of('transfer').transfer?.asked ?? 0) > 0) return done;
  try {
    const { id: deviceId, name, url } = device;
    const board = await readBoard(calls, { deviceId, name, url, at: context.clock.now().toISOString() });
    const { errors } = checkBoard(
      board,
      { ...body, size: body.file.size },
      await readPercent(calls, body.mpid),
    );
    const [first, ...others] = errors;
    if (first === undefined) return done;
    return { kind: 'failed', error: { ...first, ...(others.length === 0 ? {} : { others }) } };
  } catch (thrown) {
    return endWith(send, thrown);
  }
}
