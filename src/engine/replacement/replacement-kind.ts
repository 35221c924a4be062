/**
 * Replacement of a device as a kind of job. Its units are jobs of other kinds, whose ids are known before they begin: a unit
 * that is taken up again goes on with its job, and none is begun twice. Undoing undoes them in the opposite order.
 */
import { z } from 'zod';
import { computeOnce } from '#shared/once.ts';
import { createDetail, formatDetail, say } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { Device, Job, UnitResult } from '#shared/model.ts';
import { isAtWork } from '#shared/outcomes.ts';
import { REPLACEMENT_PARTS } from '#shared/replacement.ts';
import type { NewDevice } from '../jobs/job-kind.ts';
import { createJobId, type Jobs } from '../jobs/jobs.ts';
import type { Finder } from '../jobs/locate-device.ts';
import { createUnitKind, type UnitKind, type UnitVerdict, type UnitWork } from '../jobs/unit-kind.ts';

const schemas = computeOnce(() => ({
  body: z.object({}),
  device: z.object({}),
  detail: z.object({
    part: z.enum(REPLACEMENT_PARTS),
    /** Job of the part; of an undo the job that is undone. */
    job: z.string().optional(),
  }),
  unit: z.object({
    oldId: z.string(),
    newId: z.string(),
    /** Plan of the settings. */
    planId: z.string().optional(),
    /** The part is undone. */
    backwards: z.boolean(),
  }),
}));
export interface ReplacementDocuments {
  readonly body: object;
  readonly device: object;
  readonly detail: z.infer<ReturnType<typeof schemas>['detail']>;
  readonly unit: z.infer<ReturnType<typeof schemas>['unit']>;
}
/** The two devices, and the direction. */
export type Exchange = ReplacementDocuments['unit'];

interface ReplacementKindOptions {
  readonly finder: Finder;
  readonly jobs: () => Jobs;
  /** Gives the new device the place of the old one, or takes it back. */
  readonly place: { replace(exchange: Exchange, jobId: string): void; restore(exchange: Exchange): void };
  /** Begins the job of a part under its id. */
  readonly begin: (part: 'settings' | 'people', id: string, exchange: Exchange) => void;
  /** Begins what undoes the job of a part; false if there is nothing to undo. */
  readonly undo: (part: 'settings' | 'people', id: string, exchange: Exchange) => Promise<boolean>;
}

export function createReplacementKind(options: ReplacementKindOptions): UnitKind<ReplacementDocuments> {
  const { finder, jobs, place } = options;

  async function workOn(
    { part, job: id }: ReplacementDocuments['detail'],
    exchange: Exchange,
    work: UnitWork,
  ): Promise<UnitVerdict> {
    await work.begin();
    if (part === 'place' || id === undefined) {
      if (exchange.backwards) place.restore(exchange);
      else place.replace(exchange, work.job.id);
      return { outcome: 'effective' };
    }
    const known = jobs().list();
    const begun = known.find((each) => (exchange.backwards ? each.undoOf === id : each.id === id));
    if (exchange.backwards && !known.some((each) => each.id === id)) return { outcome: 'unchanged' };
    if (begun === undefined) {
      if (!exchange.backwards) options.begin(part, id, exchange);
      else if (!(await options.undo(part, id, exchange))) return { outcome: 'unchanged' };
    } else if (begun.resumable) jobs().resume({ id: begun.id });
    const child = begun?.id ?? (exchange.backwards ? findUndo(id) : id);
    const ended = await follow(child, work);
    // A person stopped it, or the app ends: the rest keeps its place.
    return work.job.cancelled && ended.resumable ? { outcome: 'pending' } : conclude(ended);
  }

  function findUndo(id: string): string {
    const found = jobs()
      .list()
      .find(({ undoOf }) => undoOf === id);
    if (found === undefined) throw new Error(`nothing undoes ${id}`);
    return found.id;
  }

  /** Waits for the end of a job; stops it with the replacement. */
  async function follow(id: string, { job, progress }: UnitWork): Promise<Job> {
    const stop = (): void => void jobs().cancel({ id });
    job.stopped.addEventListener('abort', stop, { once: true });
    if (job.cancelled) stop();
    try {
      for await (const event of jobs().watch({ id }, new AbortController().signal))
        if (event.type === 'unit' && event.result.progress !== undefined) progress(event.result.progress);
    } finally {
      job.stopped.removeEventListener('abort', stop);
    }
    return jobs().show({ id });
  }

  const kind: UnitKind<ReplacementDocuments> = createUnitKind<ReplacementDocuments>({
    name: 'replacement',
    whenBusy: 'wait',
    interrupted: 'pending',
    schemas,
    finder,
    history: { rows: () => [] },
    work: ({ detail, document }, _at, work) => {
      if (document === undefined) throw new Error('a part without its devices');
      return workOn(detail, document, work);
    },
    undo: {
      preview: (_job, { units }) =>
        units
          .filter(({ outcome }) => outcome !== 'pending')
          .toReversed()
          .map(({ key: { index }, label, outcome, detail: { part } }) => ({
            index,
            set: '',
            label,
            title: createDetail(`replacement-unit-${part}`),
            params: {},
            outcome,
            changes: [],
            lost: [],
          })),
      begin: (job, { devices }) => ({
        id: createJobId(),
        kind: 'replacement',
        title: job.title,
        about: job.about,
        body: {},
        options: {},
        devices: devices.map(({ deviceId, name, url, units }, position) => {
          const parts = units.toReversed().map(({ detail, document }) => ({ detail, exchange: document() }));
          const device = createReplacementDevice({ id: deviceId, name, url }, parts, true);
          return { ...device, turn: kind.turn(device, position) };
        }),
      }),
    },
  });
  return { ...kind, finder };
}

/** Creates the device of a new job, which is the old one. */
export function createReplacementDevice(
  { id: deviceId, name, url }: Pick<Device, 'id' | 'name' | 'url'>,
  parts: readonly {
    readonly detail: ReplacementDocuments['detail'];
    readonly exchange: Exchange | undefined;
  }[],
  backwards: boolean,
): Omit<NewDevice, 'turn'> {
  const units = parts.map(({ detail, exchange }, index) => {
    const title = createDetail(`replacement-unit-${detail.part}`);
    const result: UnitResult & ReplacementDocuments['detail'] = {
      ...detail,
      index,
      label: formatDetail(title),
      title,
      outcome: 'pending',
    };
    return { result, document: { ...exchange, backwards } };
  });
  return { deviceId, name, url, state: 'pending', units };
}

function conclude(job: Job): UnitVerdict {
  if (job.state === 'done') return { outcome: 'effective' };
  const error = findError(job);
  // A job that can be taken up again is: the replacement stops here, and goes on with that job.
  return job.resumable || isAtWork(job.state)
    ? { outcome: 'pending', error, stop: error }
    : { outcome: 'failed', error };
}

function findError({ id, results }: Job): ErrorShape {
  const errors = results.flatMap(({ error, units }) => [error, ...units.map((unit) => unit.error)]);
  const first = errors.find((error) => error !== undefined);
  return first ?? { code: 'refused', source: 'app', ...say('replacement-part-failed', { id }) };
}
