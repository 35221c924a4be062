/**
 * Plans work on people for one device: every row is checked against the specification and that device before
 * anything is sent.
 */
import { isPlain, validate, type Issue, type Plain } from '#protocol/index.ts';
import { userInfoSetUp } from '#protocol/definitions/access-control-users.ts';
import { createDetail, say, type Detail } from '#shared/details.ts';
import type { PeoplePlanDevice, PersonPlan } from '#shared/people/people.ts';
import { comparePersonFields, stateOf } from './compare.ts';
import type { Wanted } from './file/read-rows.ts';
import { SECRETS, type Person } from './person.ts';
import type { OpenFingerprints, FingerprintsOfPeople } from './fingerprints-of-people.ts';
import { findUnsupportedEnd } from './validity.ts';
import { AT_ONCE, countPeople, openView, readLimits, type PeopleLimits, type Reach } from './view.ts';
import { readInBatches } from '../store/index.ts';
import type { PersonRow, Settled, WorkHead } from './work/rows.ts';
import type { WorkRows } from './work/work-rows.ts';
import { fillOpenEnds } from './write-person.ts';
import { runInPool } from '../async/pool.ts';

export interface PlanDevice {
  readonly rows: WorkRows;
  readonly fingerprints: OpenFingerprints;
  readonly id: string;
  readonly head: WorkHead;
  /** Place of the device in the work. */
  readonly device: number;
  readonly progress: (done: number, total: number) => void;
}

export type Planned = Pick<PeoplePlanDevice, 'people' | 'capacity' | 'counts' | 'notes'>;

/** Plans every good row anew. Throws the error that prevents reaching the device. */
export async function planDevice(
  reach: Reach,
  { rows, fingerprints, id, head, device, progress }: PlanDevice,
): Promise<Planned> {
  const people = await countPeople(reach);
  const limits = await readLimits(reach);
  const view = await openView(reach, limits.span);
  let added = 0;
  let claimed = 0;
  const against: Against = {
    limits,
    onClaim: () => (claimed += 1),
    mayReplace: head.work !== 'copy' || head.replaceOthers === true,
    device: reach.device,
  };
  const unshown = new Map<string, number>();
  let taken = 0;
  const unseen = new Map<string, number>();
  const removal = head.work === 'remove' ? new RemovalPlan(fingerprints(reach), reach.signal) : undefined;
  const total = head.rows - head.bad;
  await rows.unplan(id, device);
  let done = 0;
  for (const batch of readInBatches(
    0,
    (after) => rows.next(id, device, { after, limit: AT_ONCE, now: [''] }),
    ({ nth }) => nth,
  )) {
    if (reach.signal.aborted) throw reach.signal.reason;
    const shown = await view.find(batch.map(({ key }) => key));
    const plan = ({ nth, key: employeeNo, secret }: PersonRow): Settled => {
      const wanted = secret()?.wanted;
      const planned = planPerson(wanted ?? { value: { employeeNo } }, shown.get(employeeNo), against);
      if (planned.plan === 'added') added += 1;
      if (planned.error?.detail?.id === 'people-number-taken') taken += 1;
      if (planned.plan === 'changed') noteUnseen(wanted, view.sample, unseen);
      if (head.work === 'copy' && planned.plan !== 'refused') noteUnshown(wanted, view.sample, unshown);
      return { nth, ...planned };
    };
    rows.settle(id, device, (await removal?.plan(batch, shown)) ?? batch.map(plan));
    done += batch.length;
    progress(done, total);
  }
  const unsent = [...unseen.keys()].map((name) => ({ device, name }));
  const others = (rows.head(id).unsent ?? []).filter((one) => one.device !== device);
  if (others.length + unsent.length > 0) rows.update(id, { unsent: [...others, ...unsent] });
  return {
    counts: plannedCounts(rows, id, device),
    notes: [
      ...(taken === 0 ? [] : [createDetail('people-numbers-taken', { count: taken })]),
      ...(removal?.notes() ?? capabilityNotes(limits, { claimed, people: (people ?? 0) + added })),
      ...[...unseen].map(([name, count]) => createDetail('people-unseen-left-out', { name, count })),
      ...[...unshown].map(([name, count]) => createDetail('people-may-be-lost', { name, count })),
    ],
    people,
    capacity: limits.capacity,
  };
}

/** Says what the capability claims, which the specification does not have; its count alone rules out no person. */
function capabilityNotes(
  { constraints, capacity, isSilent }: PeopleLimits,
  { claimed, people }: { readonly claimed: number; readonly people: number },
): readonly Detail[] {
  const claims =
    claimed > 0 ? createDetail('people-claimed', { count: claimed }) : createDetail('people-own-capability');
  return [
    ...(constraints === undefined ? [] : [claims]),
    ...(isSilent === true ? [createDetail('people-capability-silent')] : []),
    ...(capacity === undefined
      ? [createDetail('people-no-capacity')]
      : people > capacity
        ? [createDetail('people-no-room', { capacity, people })]
        : []),
  ];
}

function plannedCounts(rows: WorkRows, id: string, device: number): Partial<Record<PersonPlan, number>> {
  const counts: Partial<Record<PersonPlan, number>> = {};
  for (const { plan, count } of rows.tally(id, device)) counts[plan] = (counts[plan] ?? 0) + count;
  return counts;
}

type PlannedPerson = Omit<Settled, 'nth'>;

/** Completes a new person: one of no type is taken for a normal one. */
export function completeNewPerson({ value, other }: Wanted): Wanted {
  return { value: { userType: 'normal', ...value }, other };
}

interface Against {
  readonly limits: PeopleLimits;
  /** True if a person may replace another who has their number on the device. */
  readonly mayReplace: boolean;
  /** Address of the device, for errors. */
  readonly device: string;
  /** Called for a person with values that the terminal's own capability does not have. */
  readonly onClaim: () => void;
}

function planPerson(
  wanted: Wanted,
  shown: Person | undefined,
  { limits, mayReplace, device, onClaim }: Against,
): PlannedPerson {
  const { span } = limits;
  const { value } = fillOpenEnds(
    shown === undefined ? completeNewPerson(wanted) : wanted,
    shown ?? { value: {}, span },
  );
  const mode = shown === undefined ? 'whole' : 'patch';
  const issues = validate(userInfoSetUp, value, { mode });
  const refused = (issue: Issue) =>
    ({ plan: 'refused', error: { ...issue, source: 'user', device } }) satisfies PlannedPerson;
  const claimed = listClaimed(value, mode, limits);
  if (shown === undefined) {
    if (issues[0] !== undefined) return refused(issues[0]);
    if (claimed.length > 0) onClaim();
    return { plan: 'added' };
  }
  const changes = comparePersonFields(wanted, shown);
  if (changes.length === 0) return { plan: 'unchanged' };
  if (!mayReplace && isSomeoneElse(wanted, shown)) {
    const error = { code: 'not-allowed', source: 'app', ...say('people-number-taken'), device } as const;
    return { plan: 'refused', error, secret: { changes } };
  }
  const named = new Set(changes.map(({ field }) => field));
  const isOfChange = (path: string): boolean => named.has(path.split(/[.[]/, 1)[0] ?? '');
  const issue = issues.find(({ path }) => isOfChange(path));
  if (issue !== undefined) return { ...refused(issue), secret: { changes } };
  if (claimed.some(isOfChange)) onClaim();
  return { plan: 'changed', secret: { changes, state: stateOf(shown) } };
}

/** Returns true if the two have different names; spacing and case do not count, and a missing name says nothing. */
function isSomeoneElse({ value: wanted }: Wanted, { value: shown }: Person): boolean {
  const [one, other] = [wanted, shown].map(({ name }) =>
    typeof name === 'string' ? name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase() : '',
  );
  return one !== '' && other !== '' && one !== other;
}

/**
 * Returns the paths of values that the terminal's own capability does not have. The specification has no such capability: the
 * terminal decides.
 */
function listClaimed(
  value: Plain,
  mode: 'whole' | 'patch',
  { constraints, span }: PeopleLimits,
): readonly string[] {
  const valid = value['Valid'];
  const end = isPlain(valid) ? findUnsupportedEnd(valid, span) : undefined;
  const narrowed = constraints === undefined ? [] : validate(userInfoSetUp, value, { mode, constraints });
  return [...narrowed.map(({ path }) => path), ...(end === undefined ? [] : [`Valid.${end}`])];
}

/**
 * Counts secrets that the device shows of no person and that a change therefore leaves out. The interface has no request that
 * changes a part of a person: a device that replaces the whole person loses them, and no reading can tell.
 */
function noteUnseen(
  wanted: Wanted | undefined,
  sample: ReadonlySet<string> | undefined,
  unseen: Map<string, number>,
): void {
  for (const name of SECRETS)
    if (wanted?.value[name] === undefined && sample?.has(name) !== true)
      unseen.set(name, (unseen.get(name) ?? 0) + 1);
}

/** Notes members of copied people that no person on the target shows: it may not keep them. */
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

type Row = Pick<PersonRow, 'nth' | 'key'>;

/** Concurrent requests to a device while planning. */
const LOOKS_AT_ONCE = 4;

class RemovalPlan {
  readonly #prints: FingerprintsOfPeople;
  readonly #signal: AbortSignal;
  #counted = 0;
  #uncounted = 0;

  constructor(prints: FingerprintsOfPeople, signal: AbortSignal) {
    this.#prints = prints;
    this.#signal = signal;
  }

  /** Plans a batch of rows. Asks the device for fingerprints of people who are not on it: they may have stayed behind. */
  async plan(batch: readonly Row[], shown: ReadonlyMap<string, Person>): Promise<readonly Settled[]> {
    const planned: Settled[] = [];
    const absent = batch.filter(({ nth, key: employeeNo }) => {
      const person = shown.get(employeeNo);
      if (person === undefined) return true;
      const prints = person.value['numOfFP'];
      if (typeof prints === 'number') this.#counted += prints;
      else this.#uncounted += 1;
      planned.push({ nth, plan: 'removed', secret: { state: stateOf(person) } });
      return false;
    });
    const look = async ({ nth, key: employeeNo }: Row): Promise<void> => {
      const prints = await this.#prints.look(employeeNo);
      if (prints.state === 'still-there') {
        this.#uncounted += 1;
        planned.push({ nth, plan: 'removed' });
      } else planned.push({ nth, plan: 'absent', result: { prints } });
    };
    const options = { concurrency: LOOKS_AT_ONCE, signal: this.#signal };
    for await (const _done of runInPool(absent, look, options));
    this.#signal.throwIfAborted();
    return planned;
  }

  /** Returns the notes that fingerprints are removed too. */
  notes(): readonly Detail[] {
    return [
      ...(this.#counted > 0 ? [createDetail('people-prints-go', { count: this.#counted })] : []),
      ...(this.#uncounted > 0
        ? [createDetail('people-prints-go-uncounted', { count: this.#uncounted })]
        : []),
    ];
  }
}
