/** Work on people as a kind of job: on each device they are written, then everybody is looked at. */
import { z } from 'zod';
import { defined } from '../../shared/defined.ts';
import { detailOf, detailText, say } from '../../shared/details.ts';
import { toErrorShape, type ErrorShape } from '../../shared/errors.ts';
import type { UnitResult } from '../../shared/model.ts';
import { PERSON_PLANS } from '../../shared/people.ts';
import { isGoodPrint, type PrintStatus } from '../../shared/prints.ts';
import { countPeople, type Reach } from './view.ts';
import { locate, type Finder } from '../jobs/locate-device.ts';
import type { StoredJob, StoredPlace } from '../jobs/types.ts';
import {
  unitKind,
  type Unit,
  type UnitKind,
  type UnitPlace,
  type UnitVerdict,
  type UnitWork,
} from '../jobs/unit-kind.ts';
import { planDevice } from './plan-device.ts';
import { provePeople } from './work/proof-phase.ts';
import type { WorkRows } from './work/work-rows.ts';
import { MOVING, StoppedError, writePeople, type Phase } from './work/write-phase.ts';

const COUNTED = [...PERSON_PLANS, 'done', 'accepted', 'ignored', 'failed', 'open'] as const;
type Counted = (typeof COUNTED)[number];

const schemas = {
  /** Of a copy: the device that it comes from. */
  body: z.object({
    source: z.custom<StoredPlace>((value) => typeof value === 'object' && value !== null).optional(),
  }),
  device: z.object({ people: z.number().optional() }),
  detail: z.object({
    counts: z.partialRecord(z.enum(COUNTED), z.number()),
    /** On the device afterwards. */
    people: z.number().optional(),
    /** Readers by what became of the fingerprints that follow. */
    prints: z.record(z.string(), z.number()).optional(),
  }),
  unit: z.object({}),
};
export interface PeopleDocuments {
  readonly body: z.infer<typeof schemas.body>;
  readonly device: z.infer<typeof schemas.device>;
  readonly detail: z.infer<typeof schemas.detail>;
  readonly unit: object;
}

/** What follows people onto another device once they are proven: fingerprints. Part of a copy alone. */
export interface Following {
  /** `detail.counts` of the verdict: what came of them, by status. */
  follow(
    request: {
      readonly fromId: string;
      readonly place: UnitPlace;
      /** Numbers of people who are, or may yet come, on a target of the job and may have some. */
      readonly employeeNos: () => Iterable<string>;
      /** The person is on this target, even if it did not keep every field. */
      readonly isThere: (employeeNo: string) => boolean;
    },
    work: UnitWork,
  ): Promise<UnitVerdict & { readonly detail: { readonly counts: Readonly<Record<string, number>> } }>;
  /** Nothing of the job is needed in memory any more. */
  ended(jobId: string): void;
}

interface PeopleKindOptions {
  readonly rows: WorkRows;
  readonly finder: Finder;
  readonly following: Following;
}

const PHASES = ['write', 'prove'] as const;
const PRINTS = PHASES.length;

export function peopleKind({ rows, finder, following }: PeopleKindOptions): UnitKind<PeopleDocuments> {
  /** Ids that the sources of jobs have now, which go on in another process. */
  const sources = new Map<string, string>();
  const sourceOf = (job: StoredJob<PeopleDocuments>): StoredPlace | undefined =>
    (rows.head(job.id).prints ?? 0) > 0 ? job.body.source : undefined;

  const kind = unitKind<PeopleDocuments>({
    name: 'people',
    whenBusy: 'refuse',
    interrupted: 'pending',
    schemas,
    finder,
    history: { rows: () => [] },
    source: sourceOf,
    ended: (jobId, done) => {
      following.ended(jobId);
      sources.delete(jobId);
      const head = rows.list(jobId)?.head;
      // A device that was never reached has no result, and its turn is still to come.
      void rows.wipe(jobId, done && head?.bad === 0 ? {} : { fineOn: head?.deviceIds.length ?? 0 });
    },
    work: async (unit, place, work) => {
      const index = unit.key.index;
      try {
        if (index === PRINTS) return await printsOf(place, work);
        return await phaseOf(unit, place, work);
      } catch (thrown) {
        const error = thrown instanceof StoppedError ? thrown.shape : toErrorShape(thrown);
        return {
          ...verdictOf(rows, work.job.id, place.position, index),
          outcome: 'pending',
          error,
          stop: error,
        };
      }
    },
  });

  return {
    ...kind,
    resume(job, request) {
      const source = sourceOf(job);
      const located = source && locate(source, finder);
      if (located?.ok === true) sources.set(job.id, located.device.id);
      return kind.resume(job, request);
    },
  };

  async function printsOf(place: UnitPlace, work: UnitWork): Promise<UnitVerdict> {
    const { id } = work.job;
    const { counts, ...verdict } = await following
      .follow(
        {
          fromId: sources.get(id) ?? rows.head(id).source,
          place,
          employeeNos: () => rows.withPrints(id),
          isThere: (employeeNo) => rows.isThere(id, place.position, employeeNo),
        },
        work,
      )
      .then(({ detail, ...rest }) => ({ ...rest, ...detail }));
    const lost = Object.entries(counts).reduce(
      (all, [status, count]) => (isGoodPrint(status as PrintStatus) ? all : all + count),
      0,
    );
    return {
      ...verdict,
      detail: { counts: {}, prints: counts },
      ...(lost > 0 && verdict.stop === undefined
        ? { error: { code: 'refused', source: 'app', ...say('people-prints-lost', { count: lost }) } }
        : {}),
    };
  }

  async function phaseOf(
    unit: Unit<PeopleDocuments>,
    place: UnitPlace,
    work: UnitWork,
  ): Promise<UnitVerdict> {
    const { job, clients, clock, options } = work;
    const { index } = unit.key;
    const head = rows.head(job.id);
    const reach: Reach = {
      client: clients.get(place.deviceId),
      clock,
      signal: job.stopped,
      device: place.url,
    };
    const device = place.position;
    const total = head.rows - head.bad;
    // A device that could not be asked when the plan was made is planned now.
    if (index === 0 && rows.tally(job.id, device).length === 0 && total > 0)
      await planDevice(reach, { rows, id: job.id, head, device, progress: () => undefined });
    const counts = rows.tally(job.id, device);
    const moving = sum(counts, ({ plan }) => MOVING.includes(plan));
    if (moving === 0) return verdictOf(rows, job.id, device, index);
    await work.begin();
    const open = sum(
      counts,
      ({ plan, outcome }) =>
        MOVING.includes(plan) &&
        (index === 0 ? outcome === null || outcome === 'sending' || outcome === 'lost' : outcome === 'sent'),
    );
    const phase: Phase = {
      reach,
      rows,
      id: job.id,
      device,
      inFlight: finder.find(place.deviceId).profile.inFlight,
      acceptDrift: options.acceptDrift === true,
      cancelled: () => job.cancelled,
      ready: () => job.whileUnpaused(),
      progress: (done) => work.progress({ done: moving - open + done, total: moving }),
    };
    work.progress({ done: moving - open, total: moving });
    if (index === 0) {
      await writePeople(phase);
      return verdictOf(rows, job.id, device, index);
    }
    await provePeople(phase);
    const people = job.cancelled ? undefined : await countPeople(reach);
    const verdict = verdictOf(rows, job.id, device, index);
    return { ...verdict, detail: { ...verdict.detail, ...defined({ people }) } };
  }
}

/** The units of a device of a new job; `people`: how many are sent. */
export function unitsOf(
  people: number,
  { prints }: { readonly prints: boolean },
): readonly { readonly result: UnitResult & PeopleDocuments['detail'] }[] {
  const titles = [...PHASES.map((phase) => detailOf(`people-unit-${phase}`)), detailOf('prints-unit')];
  return titles.slice(0, prints ? undefined : PRINTS).map((title, index) => ({
    result: {
      index,
      label: detailText(title),
      title,
      outcome: 'pending' as const,
      counts: {},
      ...(index === PRINTS ? {} : { progress: { done: 0, total: people } }),
    },
  }));
}

type Count = ReturnType<WorkRows['tally']>[number];

function sum(counts: readonly Count[], counted: (count: Count) => boolean): number {
  return counts.filter(counted).reduce((all, { count }) => all + count, 0);
}

/** What the rows of a device make of a unit of it. */
function verdictOf(
  rows: WorkRows,
  id: string,
  device: number,
  index: number,
): UnitVerdict & { readonly detail: Pick<PeopleDocuments['detail'], 'counts'> } {
  const counts = rows.tally(id, device);
  const found: Partial<Record<Counted, number>> = {};
  const add = (name: Counted, count: number): void => {
    found[name] = (found[name] ?? 0) + count;
  };
  for (const { plan, outcome, count } of counts) {
    add(plan, count);
    if (!MOVING.includes(plan)) continue;
    if (outcome === 'refused') add('failed', count);
    else if (outcome === 'done' || outcome === 'accepted' || outcome === 'ignored') add(outcome, count);
    else if (index === 0 && outcome === 'sent') add('accepted', count);
    else add('open', count);
  }
  const { failed = 0, ignored = 0, open = 0, accepted = 0, done = 0, refused = 0 } = found;
  const bad = failed + refused + (index === 0 ? 0 : ignored);
  const error: ErrorShape | undefined =
    bad === 0 ? undefined : { code: 'refused', source: 'app', ...say('people-some-failed', { count: bad }) };
  const outcome: UnitResult['outcome'] =
    open > 0
      ? sum(counts, (each) => each.outcome === 'lost') === open
        ? 'unknown'
        : 'pending'
      : bad > 0
        ? ignored === bad
          ? 'ignored'
          : 'refused'
        : done + accepted === 0
          ? 'unchanged'
          : accepted > 0
            ? 'accepted'
            : 'effective';
  return { outcome, detail: { counts: found }, ...defined({ error }) };
}
