/** Work on people as a kind of job: on each device they are written, then everybody is looked at. */
import { z } from 'zod';
import { computeOnce } from '#shared/once.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { createDetail, formatDetail, say } from '#shared/details.ts';
import { toErrorShape } from '#shared/errors.ts';
import type { UnitResult } from '#shared/model.ts';
import { isGoodPrint, type PrintStatus } from '#shared/people/fingerprints.ts';
import { countPeople } from './view.ts';
import { locate, type Finder } from '../jobs/locate-device.ts';
import type { StoredJob, StoredPlace } from '../jobs/types.ts';
import {
  createUnitKind,
  type Unit,
  type UnitKind,
  type UnitPlace,
  type UnitVerdict,
  type UnitWork,
} from '../jobs/unit-kind.ts';
import type { OpenFingerprints } from './fingerprints-of-people.ts';
import { followUp, buildPhase } from './follow-up.ts';
import { planDevice } from './plan-device.ts';
import { provePeople } from './work/proof-phase.ts';
import { countBad, UNPROVED } from './work/rows.ts';
import {
  COUNTED,
  isMoving,
  PHASES,
  sum,
  getUnitOutcome,
  hasRowsAwaitingRestart,
} from './work/unit-verdict.ts';
import type { WorkRows } from './work/work-rows.ts';
import { StoppedError, UNWRITTEN, writePeople, type Phase } from './work/write-phase.ts';

const schemas = computeOnce(() => ({
  /** Device that a copy comes from. */
  body: z.object({
    source: z.custom<StoredPlace>((value) => typeof value === 'object' && value !== null).optional(),
  }),
  device: z.object({ people: z.number().optional() }),
  detail: z.object({
    counts: z.partialRecord(z.enum(COUNTED), z.number()),
    /** Number of people on the device afterwards. */
    people: z.number().optional(),
    /** Readers by what became of the fingerprints that follow. */
    prints: z.record(z.string(), z.number()).optional(),
  }),
  unit: z.object({}),
}));
export interface PeopleDocuments {
  readonly body: z.infer<ReturnType<typeof schemas>['body']>;
  readonly device: z.infer<ReturnType<typeof schemas>['device']>;
  readonly detail: z.infer<ReturnType<typeof schemas>['detail']>;
  readonly unit: object;
}

/** Fingerprints, which follow people onto another device once they are proven. Part of a copy alone. */
export interface Following {
  /** Delivers the fingerprints. Returns their counts by status, for `detail.counts` of the result. */
  follow(
    request: {
      readonly fromId: string;
      readonly place: UnitPlace;
      /** Returns people who may have fingerprints and are, or may yet be, on a target; with the source's count. */
      readonly people: () => Iterable<{ readonly employeeNo: string; readonly count?: number | undefined }>;
      /** Returns true if the person is on this target, even if it did not keep every field. */
      readonly isThere: (employeeNo: string) => boolean;
    },
    work: UnitWork,
  ): Promise<UnitVerdict & { readonly detail: { readonly counts: Readonly<Record<string, number>> } }>;
  /** Frees the memory that belongs to the job. */
  ended(jobId: string): void;
}

interface PeopleKindOptions {
  readonly rows: WorkRows;
  readonly finder: Finder;
  readonly fingerprints: OpenFingerprints;
  readonly following: Following;
}

/** Index of the unit in which fingerprints follow. */
const PRINTS = PHASES.length;

export function createPeopleKind({
  rows,
  finder,
  fingerprints,
  following,
}: PeopleKindOptions): UnitKind<PeopleDocuments> {
  /** Ids that the sources of jobs have now, which go on in another process. */
  const sources = new Map<string, string>();
  const sourceOf = (job: StoredJob<PeopleDocuments>): StoredPlace | undefined =>
    (rows.head(job.id).prints ?? 0) > 0 ? job.body.source : undefined;

  const kind = createUnitKind<PeopleDocuments>({
    name: 'people',
    whenBusy: 'refuse',
    interrupted: 'pending',
    schemas,
    finder,
    history: { rows: () => [] },
    source: sourceOf,
    followUp: (_job, devices, { waitSeconds }) =>
      devices.map(
        (device) => (context) =>
          followUp(device, waitSeconds * 1000, context, { rows, fingerprints, finder }),
      ),
    ended: (jobId, done) => {
      following.ended(jobId);
      sources.delete(jobId);
      const head = rows.list(jobId)?.head;
      // A device that was never reached has no result and may still be resumed.
      // Rows that wait for a restart are compared with their wanted values later.
      const isLeft =
        head === undefined ||
        countBad(head) > 0 ||
        head.deviceIds.some((_id, device) => hasRowsAwaitingRestart(rows, jobId, device));
      void rows.wipe(jobId, done && !isLeft ? {} : { fineOn: head?.deviceIds.length ?? 0 });
    },
    work: async (unit, place, work) => {
      const index = unit.key.index;
      try {
        if (index === PRINTS) return await printsOf(place, work);
        return await phaseOf(unit, place, work);
      } catch (thrown) {
        const error = thrown instanceof StoppedError ? thrown.shape : toErrorShape(thrown);
        return {
          ...getUnitOutcome(rows, work.job.id, place.position, index),
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
          people: () => rows.withPrints(id),
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
    const { job } = work;
    const { index } = unit.key;
    const head = rows.head(job.id);
    const phase = buildPhase(place, work, { rows, fingerprints, finder });
    const { reach } = phase;
    const device = place.position;
    const total = head.rows - head.bad;
    // A device that could not be asked when the plan was made is planned now.
    if (index === 0 && rows.tally(job.id, device).length === 0 && total > 0)
      await planDevice(reach, { rows, fingerprints, id: job.id, head, device, progress: () => undefined });
    const counts = rows.tally(job.id, device);
    const moving = sum(counts, ({ plan }) => isMoving(plan));
    if (moving === 0) return getUnitOutcome(rows, job.id, device, index);
    await work.begin();
    const left: readonly (string | null)[] = index === 0 ? [null, ...UNWRITTEN] : UNPROVED;
    const open = sum(counts, ({ plan, outcome }) => isMoving(plan) && left.includes(outcome));
    const told: Phase = {
      ...phase,
      progress: (done) => work.progress({ done: moving - open + done, total: moving }),
    };
    work.progress({ done: moving - open, total: moving });
    if (index === 0) {
      await writePeople(told);
      return getUnitOutcome(rows, job.id, device, index);
    }
    // Rows whose outcome an earlier run could not verify are written again.
    await writePeople({ ...phase, progress: () => undefined });
    await provePeople(told);
    const people = job.cancelled ? undefined : await countPeople(reach);
    const verdict = getUnitOutcome(rows, job.id, device, index);
    settleWritten(unit, moving, work);
    return { ...verdict, detail: { ...verdict.detail, ...removeUndefined({ people }) } };
  }

  /** Gives the unit that wrote the people the outcome that their proof has shown. */
  function settleWritten(
    { key }: Unit<PeopleDocuments>,
    moving: number,
    { job, journal, clock }: UnitWork,
  ): void {
    const [written] = createPeopleUnits(moving, { prints: false });
    if (written === undefined) return;
    const { detail, ...verdict } = getUnitOutcome(rows, job.id, key.position, 0);
    const result = { ...written.result, ...detail, ...verdict, progress: { done: moving, total: moving } };
    job.unit(key.position, result);
    journal.settled({ ...key, index: 0 }, result, clock.now().toISOString());
  }
}

/** Creates the units of a device of a new job; `people`: how many are sent. */
export function createPeopleUnits(
  people: number,
  { prints }: { readonly prints: boolean },
): readonly { readonly result: UnitResult & PeopleDocuments['detail'] }[] {
  const titles = [
    ...PHASES.map((phase) => createDetail(`people-unit-${phase}`)),
    createDetail('prints-unit'),
  ];
  return titles.slice(0, prints ? undefined : PRINTS).map((title, index) => ({
    result: {
      index,
      label: formatDetail(title),
      title,
      outcome: 'pending' as const,
      counts: {},
      ...(index === PRINTS ? {} : { progress: { done: 0, total: people } }),
    },
  }));
}
