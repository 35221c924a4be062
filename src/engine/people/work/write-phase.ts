/**
 * Writes people to one device in batches: reads them, journals the intent, sends, and records the outcomes. A row whose
 * answer was lost, or that an earlier run did not finish, is looked up on the device before it is sent again.
 */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { say, type DetailId } from '#shared/details.ts';
import { answerKind } from '#shared/error-meaning.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { PersonChange, PersonPlan } from '#shared/people/people.ts';
import { runInPool } from '#engine/async/pool.ts';
import type { Sent } from '#engine/write/sent.ts';
import { concludeWrite, mayRepeat, SENDS, type Looked } from '#engine/write/settle-write.ts';
import { stateOf, filterVisiblePersonChanges } from '../compare.ts';
import type { Wanted } from '../file/read-rows.ts';
import { SET_UP } from '../operations.ts';
import type { Person } from '../person.ts';
import { completeNewPerson } from '../plan-device.ts';
import { AT_ONCE, countPeople, openView, readLimits, type Reach, type View } from '../view.ts';
import {
  buildChangeBody,
  buildAddBody,
  buildRemovalBody,
  fillOpenEnds,
  isDeviceFull,
  sendPerson,
} from '../write-person.ts';
import { comparePerson, toRowResult, addFingerprintResult, type ShownPerson } from './conclude-person.ts';
import type { FingerprintsOfPeople, OpenFingerprints } from '../fingerprints-of-people.ts';
import type { PersonRow, Outcome, Settled } from './rows.ts';
import type { WorkRows } from './work-rows.ts';

export interface Phase {
  readonly reach: Reach;
  readonly rows: WorkRows;
  readonly fingerprints: OpenFingerprints;
  readonly id: string;
  /** Index of the device in the job. */
  readonly device: number;
  readonly inFlight: number;
  /** True to write people even if others changed them since the plan was made. */
  readonly acceptDrift: boolean;
  /** Returns true if the job is to stop; requests under way are finished first. */
  readonly cancelled: () => boolean;
  /** Resolves when the job is not paused. */
  readonly ready: () => Promise<void>;
  readonly progress: (done: number) => void;
}

interface Task {
  readonly due: PersonRow;
  readonly shown: Person | undefined;
}
interface SentTask extends Task {
  readonly sent: Sent;
}

/** Plans that cause a request. */
export const MOVING = ['added', 'changed', 'removed'] as const satisfies readonly PersonPlan[];
/** Plans and outcomes of rows that are still to be written. */
export const UNWRITTEN = [...MOVING, 'sending', 'lost'] as const satisfies readonly (PersonPlan | Outcome)[];

/** Writes all open rows of a device; rows not reached before a cancel stay open. Throws what ends work on the device. */
export async function writePeople(phase: Phase): Promise<void> {
  const { rows, id, device, progress } = phase;
  if (rows.next(id, device, { after: 0, limit: 1, now: UNWRITTEN }).length === 0) return;
  const work = new Writing(
    phase,
    await openView(phase.reach, (await readLimits(phase.reach)).span),
    (await countPeople(phase.reach)) === 0,
  );
  let done = 0;
  for await (const batch of readDueBatches(phase, UNWRITTEN)) {
    await work.batch(batch);
    progress((done += batch.length));
  }
}

/** Yields batches of rows with these outcomes, or with these plans and no outcome, until the job is cancelled. */
export async function* readDueBatches(
  phase: Phase,
  now: readonly (PersonPlan | Outcome)[],
): AsyncGenerator<readonly PersonRow[]> {
  for (let after = 0; ;) {
    await phase.ready();
    if (phase.cancelled()) return;
    const batch = phase.rows.next(phase.id, phase.device, { after, limit: AT_ONCE, now });
    const last = batch.at(-1);
    if (last === undefined) return;
    after = last.nth;
    yield batch;
  }
}

class Writing {
  readonly #phase: Phase;
  readonly #view: View;
  readonly #wasEmpty: boolean;
  readonly #prints: FingerprintsOfPeople;
  #full: ErrorShape | undefined;
  #forbidden: ErrorShape | undefined;
  #stop: ErrorShape | undefined;

  constructor(phase: Phase, view: View, wasEmpty: boolean) {
    this.#phase = phase;
    this.#view = view;
    this.#wasEmpty = wasEmpty;
    this.#prints = phase.fingerprints(phase.reach);
  }

  async batch(batch: readonly PersonRow[]): Promise<void> {
    const { rows, id, device } = this.#phase;
    const shown = await this.#view.find(batch.map(({ key }) => key));
    const settled: Settled[] = [];
    let tasks: readonly Task[] = batch.flatMap((due) => {
      const person = shown.get(due.key);
      const known = this.#known(due, person);
      if (known === undefined) return { due: asShown(due, person), shown: person };
      settled.push({ nth: due.nth, ...known });
      return [];
    });
    rows.settle(id, device, settled);
    for (let attempt = 1; tasks.length > 0; attempt += 1) {
      await rows.begin(
        id,
        device,
        tasks.map(({ due }) => due.nth),
      );
      tasks = await this.#lookAfter(await this.#sendAll(tasks), attempt);
    }
    if (this.#stop !== undefined) throw new StoppedError(this.#stop);
  }

  /** Sends all tasks, settles those that need no check, and returns the others. */
  async #sendAll(tasks: readonly Task[]): Promise<readonly SentTask[]> {
    const { rows, id, device, inFlight } = this.#phase;
    const settled: Settled[] = [];
    const open: SentTask[] = [];
    const work = async (task: Task): Promise<void> => {
      const row = await this.#sendOne(task);
      if ('sent' in row) open.push(row);
      else settled.push({ nth: task.due.nth, ...row });
    };
    try {
      for await (const _done of runInPool(tasks, work, { concurrency: inFlight, signal: NEVER }));
    } finally {
      rows.settle(id, device, settled);
    }
    return open;
  }

  async #sendOne(task: Task): Promise<SentTask | Omit<Settled, 'nth'>> {
    const { due, shown } = task;
    if (this.#phase.cancelled() || this.#stop !== undefined)
      return { outcome: due.outcome, ...removeUndefined({ error: due.error, result: due.result }) };
    const refused = this.#refusesMore(task);
    if (refused !== undefined) return { outcome: 'refused', error: refused };
    if (due.plan !== 'removed') return this.#conclude(task, await this.#send(task));
    try {
      const prints = await this.#prints.remove(due.key, shown, due.result?.prints);
      if (shown === undefined) return addFingerprintResult({ outcome: 'done' }, prints);
      // Store the result for the fingerprints before the person is removed: it cannot be read afterwards.
      const withThem = { ...task, due: { ...due, result: { prints } } };
      this.#phase.rows.settle(this.#phase.id, this.#phase.device, [
        { nth: due.nth, outcome: 'sending', result: { prints } },
      ]);
      return this.#conclude(withThem, await sendPerson(this.#phase.reach, buildRemovalBody(shown)));
    } catch (thrown) {
      this.#stop ??= toErrorShape(thrown);
      return { outcome: 'sending', ...removeUndefined({ result: due.result }) };
    }
  }

  #send({ due, shown }: Task): Promise<Sent> {
    const { reach } = this.#phase;
    const { value = { employeeNo: due.key }, other } = due.secret()?.wanted ?? {};
    const wanted: Wanted = { value, other };
    if (shown !== undefined) return sendPerson(reach, buildChangeBody(wanted, shown));
    // Skip the duplicate check only if the device was empty and the row cannot have arrived before.
    const unchecked = value['checkUser'] === false && this.#wasEmpty && due.outcome === undefined;
    const whole = fillOpenEnds(completeNewPerson(wanted), { value: {}, span: this.#view.span });
    return sendPerson(reach, buildAddBody(whole, unchecked));
  }

  /** Returns the result of a row, or the task if the device must be checked first. */
  #conclude(task: Task, sent: Sent): SentTask | Omit<Settled, 'nth'> {
    const { outcome, result } = task.due;
    const sentBefore = outcome !== undefined;
    const known = removeUndefined({ result });
    switch (sent.kind) {
      case 'yes':
        return { outcome: 'sent', ...known };
      case 'not-sent': {
        const concluded = concludeWrite<ShownPerson>(sent, undefined, sentBefore);
        this.#stop ??= concluded.stop;
        // The row stays open until the device can be used again.
        return concluded.stop !== undefined && !sentBefore
          ? { outcome: undefined, ...known }
          : { ...toRowResult(task.due, concluded), ...known };
      }
      case 'busy':
        if (!sentBefore)
          return { ...toRowResult(task.due, concludeWrite<ShownPerson>(sent, undefined, false)), ...known };
        break;
      case 'no':
        if (answerKind(sent.error) === 'no-permission') this.#forbidden ??= sent.error;
        if (isDeviceFull(sent.error) && task.shown === undefined) this.#full ??= sent.error;
        break;
      default:
    }
    return { ...task, sent };
  }

  /** Returns why a row is not sent: the device is full, or the account lacks the permission. */
  #refusesMore({ shown, due }: Task): ErrorShape | undefined {
    if (this.#forbidden !== undefined) return this.#forbidden;
    if (this.#full === undefined || shown !== undefined || due.plan === 'removed') return undefined;
    return { ...this.#full, ...say('people-full') };
  }

  /** Checks rows whose answer was not a readable success, and returns those to be sent again. */
  async #lookAfter(tasks: readonly SentTask[], attempt: number): Promise<readonly Task[]> {
    if (tasks.length === 0) return [];
    const { rows, id, device } = this.#phase;
    const settle = ({ due, sent }: SentTask, seen: Looked<ShownPerson>): Settled => ({
      nth: due.nth,
      ...addFingerprintResult(
        toRowResult(due, concludeWrite(sent, seen, due.outcome !== undefined)),
        due.result?.prints,
      ),
    });
    let shown: ReadonlyMap<string, Person>;
    try {
      if (this.#stop !== undefined) throw new StoppedError(this.#stop);
      shown = await this.#view.find(tasks.map(({ due }) => due.key));
    } catch (thrown) {
      const error = thrown instanceof StoppedError ? thrown.shape : toErrorShape(thrown);
      rows.settle(
        id,
        device,
        tasks.map((task) => settle(task, { kind: 'lost', error })),
      );
      throw thrown;
    }
    const again: Task[] = [];
    const settled = tasks.flatMap((task): Settled | [] => {
      const { due, sent } = task;
      const person = shown.get(due.key);
      const seen = comparePerson(due, person);
      if (sent.kind !== 'unclear' || seen.kind === 'taken') return settle(task, seen);
      if (seen.kind === 'untouched' && attempt < SENDS && mayRepeat(sent, SET_UP)) {
        again.push({ due: { ...due, outcome: 'lost', error: sent.error }, shown: person });
        return [];
      }
      // The prove phase checks it again, with the usual waits.
      return {
        nth: due.nth,
        outcome: 'unclear',
        error: sent.error,
        ...removeUndefined({ result: due.result }),
      };
    });
    rows.settle(id, device, settled);
    return again;
  }

  /** Returns the result of a row that needs no request; undefined if it must be sent. */
  #known(due: PersonRow, person: Person | undefined): Omit<Settled, 'nth'> | undefined {
    const { plan, result, outcome } = due;
    const { kind, shown } = comparePerson(due, person);
    if (plan === 'removed')
      return kind === 'taken' && result?.prints?.state === 'gone'
        ? addFingerprintResult({ outcome: 'done' }, result.prints)
        : undefined;
    if (kind === 'taken') return { outcome: 'done' };
    // An earlier attempt may have written a part of the row: finish it.
    if (outcome !== undefined || this.#phase.acceptDrift) return undefined;
    if (person === undefined) return plan === 'changed' ? refusal('people-gone-meanwhile') : undefined;
    const isAsPlanned = plan === 'changed' && (kind === 'untouched' || kind === 'hidden');
    return isAsPlanned
      ? undefined
      : refusal('people-changed-meanwhile', shown && filterVisiblePersonChanges(shown.changes));
  }
}

/** Returns the row with the current state of the person as the state before the write: others may have changed it. */
function asShown(due: PersonRow, person: Person | undefined): PersonRow {
  return due.plan === 'removed' || person === undefined
    ? due
    : { ...due, resultSecret: () => ({ state: stateOf(person) }) };
}

/** Error that ends the work on a device; open rows stay open. */
export class StoppedError extends Error {
  readonly shape: ErrorShape;

  constructor(shape: ErrorShape) {
    super(shape.message);
    this.name = 'StoppedError';
    this.shape = shape;
  }
}

/** Signal that never aborts, for requests that must be finished. */
export const NEVER = new AbortController().signal;

type Bare = Extract<DetailId, 'people-changed-meanwhile' | 'people-gone-meanwhile'>;

function refusal(id: Bare, changes?: readonly PersonChange[]): Omit<Settled, 'nth'> {
  return {
    outcome: 'refused',
    error: { code: 'changed-meanwhile', source: 'app', ...say(id) },
    ...(changes === undefined ? {} : { secret: { changes } }),
  };
}
