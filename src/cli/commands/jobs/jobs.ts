/** `jobs list|show|export`: the journal. */
import type { HistoryQuery } from '#shared/contract/inputs.ts';
import type { Action } from '#cli/declarations/all.ts';
import type { Engine } from '#engine/api.ts';
import type { QueryOptions } from '#cli/declarations/jobs.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { countPeopleOutcome } from '#cli/follow-job.ts';
import { createDateFormat } from '#cli/output/date-format.ts';
import { toScriptJob, toScriptSummary } from '#cli/output/for-scripts.ts';
import { formatDeviceCounts, getJobPaint, formatJobStatus } from '#cli/output/job-text.ts';
import { printJob } from '#cli/output/job-view.ts';
import { printModelLog } from '#cli/output/model-lines.ts';
import { formatJobName, formatJobKind } from '#cli/output/names.ts';
import { openOutput } from '#cli/output/output-file.ts';
import { tabulate } from '#cli/output/table.ts';
import type { JobSummary } from '#shared/model.ts';

const PAGE = 500;

export const listJobs: Action<'jobs list'> = async ({ open, out, globals }, options) => {
  const engine = await open();
  const query = { ...toQuery(engine, options), ...(options.open === true && { open: true }) };
  const jobs = readJobs(engine, query, options.limit).slice(0, options.limit);
  const when = createDateFormat(globals.lang);
  return {
    json: jobs.map(toScriptSummary),
    text: tabulate(jobs, {
      JOB: 'id',
      STARTED: ({ createdAt }) => when(createdAt),
      KIND: ({ kind }) => formatJobKind(out, kind),
      STATE: { value: (job) => formatJobStatus(job, out), paint: getJobPaint },
      DEVICES: 'devices',
      OUTCOME: { value: (job) => formatDeviceCounts(job, out), flexible: true },
      BY: 'by',
      TITLE: { value: (job) => formatJobName(out, job), flexible: true },
    }),
  };
};

export const showJob: Action<'jobs show'> = async ({ open, out }, id) => {
  const engine = await open();
  const job = engine.jobs.show({ id });
  const people = countPeopleOutcome(engine, job);
  return {
    json: { jobId: job.id, ...toScriptJob(job), people },
    text: () => {
      printJob(out, job, people);
      if (job.kind === 'model') printModelLog(out, job.results);
    },
  };
};

/** Writes the changes of the jobs that match to a file, piece by piece. */
export const exportJobs: Action<'jobs export'> = async (invocation, options) => {
  const { out } = invocation;
  const { out: file, format } = options;
  const target = await openOutput(invocation, file, { force: true });
  const engine = await invocation.open();
  await target.writeParts(engine.jobs.exportParts({ query: toQuery(engine, options), format }));
  if (file === '-') return EXIT.done;
  return { json: { out: file, format }, note: out.say('cli.history-written', { file }) };
};

function readJobs(engine: Engine, query: HistoryQuery, limit: number): readonly JobSummary[] {
  const jobs: JobSummary[] = [];
  for (let after: string | undefined; ;) {
    const page = engine.jobs.search({
      ...query,
      limit: Math.min(PAGE, limit - jobs.length),
      after,
    });
    jobs.push(...page.jobs);
    after = page.next;
    if (after === undefined || jobs.length >= limit) return jobs;
  }
}

function toQuery(engine: Engine, { text, device, state: states, from, to }: QueryOptions): HistoryQuery {
  const deviceId = device === undefined ? undefined : findDeviceId(engine, device);
  return { text, deviceId, states, from, to };
}

/** Returns the id of a device that is known by name or address, or that the journal knows from earlier. */
export function findDeviceId(engine: Engine, reference: string): string {
  try {
    return engine.devices.find(reference).id;
  } catch {
    // Removed from the list, or named for one run: the journal still knows it.
    const found = engine.jobs.search({ text: reference, limit: 1 }).jobs[0];
    const result =
      found === undefined
        ? undefined
        : engine.jobs
            .show({ id: found.id })
            .results.find(({ deviceId, name, url }) => [deviceId, name, url].includes(reference));
    return result?.deviceId ?? reference;
  }
}
