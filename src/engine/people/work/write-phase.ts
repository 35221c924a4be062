/**
 * People written to one device, some at a time: looked at, on disk that they are on their way, sent, settled. A row
 * whose answer was lost, or that an earlier run left on its way, is looked for before it is sent again.
 */
import { defined } from '../../../shared/defined.ts';
import { say, type DetailId } from '../../../shared/details.ts';
import type { ErrorShape } from '../../../shared/errors.ts';
import type { PersonChange, PersonPlan } from '../../../shared/people.ts';
import { inPool } from '../../pool.ts';
import { differences, stateOf, visible } from '../compare.ts';
import type { Wanted } from '../file/read-rows.ts';
import type { Person } from '../person.ts';
import { asNew } from '../plan-device.ts';
import { AT_ONCE, countPeople, openView, type Reach, type View } from '../view.ts';
import { bodyOfChanged, bodyOfNew, bodyOfRemoved, send, type Sent } from '../write-person.ts';
import type { PersonRow, Outcome, Settled } from './rows.ts';
import type { WorkRows } from './work-rows.ts';

export interface Phase {
  readonly reach: Reach;
  readonly rows: WorkRows;
  readonly id: string;
  /** Place of the device. */
  readonly device: number;
  /** Requests at a time. */
  readonly inFlight: number;
  /** People that others changed since the plan are written all the same. */
  readonly acceptDrift: boolean;
  /** Somebody wants it to stop; what was sent is settled first. */
  readonly cancelled: () => boolean;
  /** Resolves when it may go on. */
  readonly ready: () => Promise<void>;
  readonly progress: (done: number) => void;
}

/** A device that was not heard gets so long to do what it was told. */
const LOOK_AGAIN_MS = 1000;
/** How often somebody whose answer was lost is sent once more, after it was seen that they are not there. */
const AGAIN = 3;

/** Plans of which something is sent. */
export const MOVING: readonly PersonPlan[] = ['added', 'changed', 'removed'];

interface Task {
  readonly due: PersonRow;
  readonly shown: Person | undefined;
}

/** Ends with the rows that are not settled still open where it was stopped. Throws what ends the work on the device. */
export async function writePeople(phase: Phase): Promise<void> {
  const work = new Writing(phase, await openView(phase.reach), (await countPeople(phase.reach)) === 0);
  for await (const batch of dueBatches(phase, [...MOVING, 'sending', 'lost'])) await work.batch(batch);
}

/** Rows with these outcomes, or these plans and none yet, batch after batch, until somebody stops it. */
export async function* dueBatches(
  phase: Phase,
  now: readonly (PersonPlan | Outcome)[],
): AsyncGenerator<readonly PersonRow[]> {
  let [after, done] = [0, 0];
  for (;;) {
    await phase.ready();
    if (phase.cancelled()) return;
    const batch = phase.rows.next(phase.id, phase.device, { after, limit: AT_ONCE, now });
    const last = batch.at(-1);
    if (last === undefined) return;
    after = last.nth;
    yield batch;
    done += batch.length;
    phase.progress(done);
  }
}

class Writing {
  readonly #phase: Phase;
  readonly #view: View;
  readonly #wasEmpty: boolean;
  #full: ErrorShape | undefined;
  #stop: ErrorShape | undefined;

  constructor(phase: Phase, view: View, wasEmpty: boolean) {
    this.#phase = phase;
    this.#view = view;
    this.#wasEmpty = wasEmpty;
  }

  async batch(batch: readonly PersonRow[]): Promise<void> {
    const { rows, id, device } = this.#phase;
    const shown = await this.#view.find(batch.map(({ key }) => key));
    const settled: Settled[] = [];
    const tasks: Task[] = [];
    for (const due of batch) {
      const person = shown.get(due.key);
      const known = this.#known(due, person);
      if (known === undefined) tasks.push({ due, shown: person });
      else settled.push({ nth: due.nth, ...known });
    }
    rows.settle(id, device, settled);
    if (tasks.length === 0) return;
    await rows.begin(
      id,
      device,
      tasks.map(({ due }) => due.nth),
    );
    const lost = await this.#sendAll(tasks);
    if (lost.length > 0) await this.#lookAfter(lost);
    if (this.#stop !== undefined) throw new StoppedError(this.#stop);
  }

  /** Gives the tasks of which nobody knows whether the device did them. */
  async #sendAll(tasks: readonly Task[]): Promise<readonly (Task & { readonly error: ErrorShape })[]> {
    const { rows, id, device, inFlight } = this.#phase;
    const settled: Settled[] = [];
    const lost: (Task & { readonly error: ErrorShape })[] = [];
    const work = async (task: Task): Promise<void> => {
      if (this.#phase.cancelled() || this.#stop !== undefined) {
        settled.push({ nth: task.due.nth, outcome: undefined });
        return;
      }
      const result = this.#refusesMore(task) ?? (await this.#send(task));
      if (result.kind === 'open') lost.push({ ...task, error: result.error });
      else settled.push({ nth: task.due.nth, ...settledBy(result) });
      if (result.kind === 'unsent') this.#stop ??= result.error;
      if (result.kind === 'refused' && result.isFull && task.shown === undefined) this.#full ??= result.error;
    };
    try {
      for await (const _done of inPool(tasks, work, { concurrency: inFlight, signal: NEVER }));
    } finally {
      rows.settle(id, device, settled);
    }
    return lost;
  }

  #send({ due, shown }: Task): Promise<Sent> {
    const { reach } = this.#phase;
    const { value = { employeeNo: due.key }, other } = due.secret()?.wanted ?? {};
    const wanted: Wanted = { value, ...defined({ other }) };
    if (due.plan === 'removed' && shown !== undefined) return send(reach, bodyOfRemoved(shown));
    if (shown !== undefined) return send(reach, bodyOfChanged(wanted, shown));
    // Only where the device held nobody, and never for a row that may have arrived already.
    const unchecked = value['checkUser'] === false && this.#wasEmpty && due.attempts === 0;
    return send(reach, bodyOfNew(asNew(wanted), unchecked));
  }

  /** A device that said it was full is not asked for every further person. */
  #refusesMore({ shown, due }: Task): Sent | undefined {
    if (this.#full === undefined || shown !== undefined || due.plan === 'removed') return undefined;
    return { kind: 'refused', isFull: true, error: { ...this.#full, ...say('people-full') } };
  }

  async #lookAfter(lost: readonly (Task & { readonly error: ErrorShape })[], round = 0): Promise<void> {
    const { rows, id, device, reach } = this.#phase;
    const open = (): Settled[] => lost.map(({ due, error }) => ({ nth: due.nth, outcome: 'lost', error }));
    let shown: ReadonlyMap<string, Person>;
    try {
      await reach.clock.delay(LOOK_AGAIN_MS, reach.signal).catch(() => undefined);
      shown = await this.#view.find(lost.map(({ due }) => due.key));
    } catch (thrown) {
      rows.settle(id, device, open());
      throw thrown;
    }
    const again: Task[] = [];
    const settled: Settled[] = [];
    for (const { due, error } of lost) {
      const person = shown.get(due.key);
      const known = this.#known({ ...due, outcome: 'sending' }, person);
      if (known !== undefined) settled.push({ nth: due.nth, ...known });
      else if (round >= AGAIN) settled.push({ nth: due.nth, outcome: 'lost', error });
      else again.push({ due: { ...due, attempts: due.attempts + 1 }, shown: person });
    }
    rows.settle(id, device, settled);
    if (again.length === 0) return;
    await rows.begin(
      id,
      device,
      again.map(({ due }) => due.nth),
    );
    const left = await this.#sendAll(again);
    if (left.length > 0) await this.#lookAfter(left, round + 1);
  }

  /** What is known of a row without sending anything; undefined: it is to be sent. */
  #known(due: PersonRow, shown: Person | undefined): Omit<Settled, 'nth'> | undefined {
    const begun = due.outcome !== undefined;
    if (due.plan === 'removed') return shown === undefined ? { outcome: 'done' } : undefined;
    const wanted = due.secret()?.wanted ?? { value: {} };
    if (shown !== undefined) {
      const changes = differences(wanted, shown);
      if (changes.length === 0) return { outcome: 'done' };
      const isAsPlanned = due.plan === 'changed' && stateOf(shown) === due.resultSecret()?.state;
      // What an earlier attempt of ours left half done is ours to finish.
      if (!isAsPlanned && !begun && !this.#phase.acceptDrift)
        return refusal('people-changed-meanwhile', visible(changes));
      return undefined;
    }
    return due.plan === 'changed' && !begun && !this.#phase.acceptDrift
      ? refusal('people-gone-meanwhile')
      : undefined;
  }
}

/** What ends the work on a device; it stays open. */
export class StoppedError extends Error {
  readonly shape: ErrorShape;

  constructor(shape: ErrorShape) {
    super(shape.message);
    this.name = 'StoppedError';
    this.shape = shape;
  }
}

const NEVER = new AbortController().signal;

function settledBy(sent: Exclude<Sent, { readonly kind: 'open' }>): Omit<Settled, 'nth'> {
  switch (sent.kind) {
    case 'taken':
      return { outcome: 'sent' };
    case 'refused':
      return { outcome: 'refused', error: sent.error };
    case 'unsent':
      return { outcome: undefined };
  }
}

type Bare = Extract<DetailId, 'people-full' | 'people-changed-meanwhile' | 'people-gone-meanwhile'>;

function refusal(id: Bare, changes?: readonly PersonChange[]): Omit<Settled, 'nth'> {
  return {
    outcome: 'refused',
    error: { code: 'changed-meanwhile', source: 'app', ...say(id) },
    ...(changes === undefined ? {} : { secret: { changes } }),
  };
}
