/** What work on people means for one device: every row checked against the specification and that device before anything is sent. */
import { isPlain, validate, type Issue } from '../../protocol/index.ts';
import { userInfoSetUp } from '../../protocol/definitions/access-control-users.ts';
import { defined } from '../../shared/defined.ts';
import { detailOf, detailText, say, sentences } from '../../shared/details.ts';
import type { ErrorShape } from '../../shared/errors.ts';
import type { PeoplePlanDevice, PersonPlan } from '../../shared/people.ts';
import { differences, stateOf } from './compare.ts';
import type { Wanted } from './file/read-rows.ts';
import type { Person } from './person.ts';
import { RemovalPlan } from './plan-removal.ts';
import { beyondSpan, type Span } from './validity.ts';
import { AT_ONCE, countPeople, openView, readLimits, type PeopleLimits, type Reach } from './view.ts';
import { inBatches } from '../store/index.ts';
import type { PersonRow, Settled, WorkHead } from './work/rows.ts';
import type { WorkRows } from './work/work-rows.ts';
import { completed } from './write-person.ts';

export interface PlanDevice {
  readonly rows: WorkRows;
  readonly id: string;
  readonly head: WorkHead;
  /** Place of the device in the work. */
  readonly device: number;
  readonly progress: (done: number, total: number) => void;
}

export type Planned = Pick<PeoplePlanDevice, 'people' | 'capacity' | 'counts' | 'notes'>;

/** Plans every good row anew. Throws what stands between us and the device. */
export async function planDevice(
  reach: Reach,
  { rows, id, head, device, progress }: PlanDevice,
): Promise<Planned> {
  const people = await countPeople(reach);
  const limits = await readLimits(reach);
  const view = await openView(reach, limits.span);
  const room = new Room(limits.capacity, people);
  const unshown = new Map<string, number>();
  let taken = 0;
  const removal = head.work === 'remove' ? new RemovalPlan(reach) : undefined;
  const total = head.rows - head.bad;
  await rows.unplan(id, device);
  let done = 0;
  for (const batch of inBatches(
    0,
    (after) => rows.next(id, device, { after, limit: AT_ONCE, now: [''] }),
    ({ nth }) => nth,
  )) {
    if (reach.signal.aborted) throw reach.signal.reason;
    const shown = await view.find(batch.map(({ key }) => key));
    const plan = ({ nth, key: employeeNo, secret }: PersonRow): Settled => {
      const wanted = secret()?.wanted;
      const planned = planPerson(wanted ?? { value: { employeeNo } }, shown.get(employeeNo), limits, {
        device: reach.device,
        mayReplace: head.work !== 'copy' || head.replaceOthers === true,
      });
      if (planned.error?.detail?.id === 'people-number-taken') taken += 1;
      if (head.work === 'copy' && planned.plan !== 'refused') noteUnshown(wanted, view.sample, unshown);
      return { nth, ...(planned.plan === 'added' ? room.take(planned) : planned) };
    };
    rows.settle(id, device, (await removal?.plan(batch, shown)) ?? batch.map(plan));
    done += batch.length;
    progress(done, total);
  }
  return {
    counts: plannedCounts(rows, id, device),
    notes: [
      ...(taken === 0 ? [] : [detailOf('people-numbers-taken', { count: taken })]),
      ...(removal?.notes() ?? (limits.capacity === undefined ? [detailOf('people-no-capacity')] : [])),
      ...[...unshown].map(([name, count]) => detailOf('people-may-be-lost', { name, count })),
    ],
    ...defined({ people, capacity: limits.capacity }),
  };
}

function plannedCounts(rows: WorkRows, id: string, device: number): Partial<Record<PersonPlan, number>> {
  const counts: Partial<Record<PersonPlan, number>> = {};
  for (const { plan, count } of rows.tally(id, device)) counts[plan] = (counts[plan] ?? 0) + count;
  return counts;
}

type PlannedPerson = Omit<Settled, 'nth'>;

/** New people of no type are taken for normal ones. */
export function asNew({ value, other }: Wanted): Wanted {
  return { value: { userType: 'normal', ...value }, ...defined({ other }) };
}

function planPerson(
  wanted: Wanted,
  shown: Person | undefined,
  { constraints, span }: PeopleLimits,
  { device, mayReplace }: { readonly device: string; readonly mayReplace: boolean },
): PlannedPerson {
  const { value } = completed(shown === undefined ? asNew(wanted) : wanted, shown ?? { value: {}, span });
  const mode = shown === undefined ? 'whole' : 'patch';
  const valid = value['Valid'];
  const end = isPlain(valid) ? beyondSpan(valid, span) : undefined;
  const issues = [
    ...validate(userInfoSetUp, value, { mode, ...defined({ constraints }) }),
    ...(end === undefined ? [] : [spanIssue(end, span)]),
  ];
  const refused = (issue: Issue): PlannedPerson => ({
    plan: 'refused',
    error: { ...issue, source: 'user', device },
  });
  if (shown === undefined) return issues[0] === undefined ? { plan: 'added' } : refused(issues[0]);
  const changes = differences(wanted, shown);
  if (changes.length === 0) return { plan: 'unchanged' };
  if (!mayReplace && isSomeoneElse(wanted, shown)) {
    const error = { code: 'not-allowed', source: 'app', ...say('people-number-taken'), device } as const;
    return { plan: 'refused', error, secret: { changes } };
  }
  const named = new Set(changes.map(({ field }) => field));
  const issue = issues.find(({ path }) => named.has(path.split(/[.[]/, 1)[0] ?? ''));
  if (issue !== undefined) return { ...refused(issue), secret: { changes } };
  return { plan: 'changed', secret: { changes, state: stateOf(shown) } };
}

/** Returns true if the two have different names; spacing and case do not count, and a missing name says nothing. */
function isSomeoneElse({ value: wanted }: Wanted, { value: shown }: Person): boolean {
  const [one, other] = [wanted, shown].map(({ name }) =>
    typeof name === 'string' ? name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase() : '',
  );
  return one !== '' && other !== '' && one !== other;
}

function spanIssue(end: 'beginTime' | 'endTime', { beginTime, endTime }: Span): Issue {
  const detail = detailOf('people-beyond-span', {
    first: beginTime.replace('T', ' '),
    last: endTime.replace('T', ' '),
  });
  return { code: 'out-of-range', path: `Valid.${end}`, ...sentences(detailText(detail)), detail };
}

/** People that still fit. */
class Room {
  #left: number | undefined;
  readonly #capacity: number | undefined;

  constructor(capacity: number | undefined, people: number | undefined) {
    this.#capacity = capacity;
    this.#left = capacity === undefined ? undefined : capacity - (people ?? 0);
  }

  take(planned: PlannedPerson): PlannedPerson {
    if (this.#left === undefined) return planned;
    if (this.#left <= 0) return { plan: 'refused', error: noRoom(this.#capacity ?? 0) };
    this.#left -= 1;
    return planned;
  }
}

function noRoom(capacity: number): ErrorShape {
  const detail = detailOf('people-no-room', { capacity });
  return { code: 'out-of-range', source: 'app', message: detailText(detail), detail };
}

/** Members of copied people that nobody on the target shows: it may not keep them. */
function noteUnshown(
  wanted: Wanted | undefined,
  sample: ReadonlySet<string> | undefined,
  unshown: Map<string, number>,
): void {
  if (wanted === undefined || sample === undefined) return;
  for (const [name, value] of [...Object.entries(wanted.value), ...Object.entries(wanted.other ?? {})])
    if (!sample.has(name) && value !== '' && !(Array.isArray(value) && value.length === 0))
      unshown.set(name, (unshown.get(name) ?? 0) + 1);
}
