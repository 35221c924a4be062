/** `jobs list|show|export`: the journal. */
import { formatJobName, formatJobKind } from '#cli/output/names.ts';
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Engine } from '#engine/api.ts';
import type { HistoryQuery } from '#shared/history.ts';
import { JOB_STATES, type JobSummary } from '#shared/model.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { openOutputFile } from '#cli/output/output-file.ts';
import { createDateFormat } from '#cli/output/date-format.ts';
import { toScriptJob, toScriptSummary } from '#cli/output/for-scripts.ts';
import { printModelLog } from '#cli/output/model-lines.ts';
import { countPeopleOutcome } from '#cli/follow-job.ts';
import { printJob } from '#cli/output/job-view.ts';
import { formatDeviceCounts, getJobPaint, formatJobStatus } from '#cli/output/job-text.ts';
import { createUsageError, parseWholeNumber } from '#cli/usage.ts';

/** Which jobs, in the words of the command line. */
interface HistoryOptions {
  readonly text?: string;
  readonly device?: string;
  readonly state?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly limit?: string;
}
export interface ExportOptions extends HistoryOptions {
  readonly format?: string;
  readonly out?: string;
}

const LISTED = 500;
const PAGE = 500;

export async function listJobs(invocation: Invocation, options: HistoryOptions = {}): Promise<number> {
  const limit =
    options.limit === undefined
      ? LISTED
      : parseWholeNumber(options.limit, '--limit', { min: 1, max: 1_000_000 });
  const jobs = await runWithEngine(invocation, async (engine) =>
    listed(engine, queryOf(engine, options), limit),
  );
  const { out } = invocation;
  if (out.asJson) {
    out.json(jobs.map(toScriptSummary));
    return EXIT.done;
  }
  const when = createDateFormat(invocation.globals.lang);
  out.table<JobSummary>(
    [
      { title: 'JOB', cell: ({ id }) => id },
      { title: 'STARTED', cell: ({ createdAt }) => when(createdAt) },
      { title: 'KIND', cell: ({ kind }) => formatJobKind(out, kind) },
      { title: 'STATE', cell: (job) => formatJobStatus(job, out), paint: getJobPaint },
      { title: 'DEVICES', align: 'right', cell: ({ devices }) => String(devices) },
      { title: 'OUTCOME', cell: (job) => formatDeviceCounts(job, out), flexible: true },
      { title: 'BY', cell: ({ by }) => by },
      { title: 'TITLE', cell: (job) => formatJobName(out, job), flexible: true },
    ],
    jobs,
  );
  return EXIT.done;
}

export async function showJob(invocation: Invocation, id: string): Promise<number> {
  const { job, people } = await runWithEngine(invocation, async (engine) => {
    const shown = engine.jobs.show({ id });
    return { job: shown, people: countPeopleOutcome(engine, shown) };
  });
  if (invocation.out.asJson)
    invocation.out.json({ jobId: job.id, ...toScriptJob(job), ...removeUndefined({ people }) });
  else {
    printJob(invocation.out, job, people);
    if (job.kind === 'model') printModelLog(invocation.out, job.results);
  }
  return EXIT.done;
}

/** What matches as a file, written piece by piece. */
export async function exportJobs(invocation: Invocation, options: ExportOptions): Promise<number> {
  const { out: file, format = 'csv' } = options;
  if (file === undefined) throw createUsageError(say('cli.jobs-export-out'), { path: '--out' });
  if (format !== 'csv' && format !== 'json')
    throw createUsageError(say('cli.format-csv-json', { format }), { path: '--format' });
  const target = file === '-' ? undefined : await openOutputFile(invocation, file, { force: true });
  return runWithEngine(invocation, async (engine) => {
    const parts = engine.jobs.exportParts({ query: queryOf(engine, options), format });
    if (target === undefined) {
      for (const part of parts) {
        invocation.out.raw(part);
        await invocation.out.flush();
      }
      return EXIT.done;
    }
    await target.writeParts(parts);
    if (invocation.out.asJson) invocation.out.json({ out: file, format });
    else invocation.out.note(invocation.out.say('cli.history-written', { file }));
    return EXIT.done;
  });
}

function listed(engine: Engine, query: HistoryQuery, limit: number): readonly JobSummary[] {
  const jobs: JobSummary[] = [];
  for (let after: string | undefined; ;) {
    const page = engine.jobs.search({
      ...query,
      limit: Math.min(PAGE, limit - jobs.length),
      ...removeUndefined({ after }),
    });
    jobs.push(...page.jobs);
    after = page.next;
    if (after === undefined || jobs.length >= limit) return jobs;
  }
}

/** A device is known by name or address, or was once: then by its id alone. */
function queryOf(engine: Engine, { text, device, state, from, to }: HistoryOptions): HistoryQuery {
  const states = state?.map((given) => {
    const found = JOB_STATES.find((known) => known === given);
    if (found === undefined)
      throw createUsageError(say('cli.state-one-of', { states: JOB_STATES.join(', '), given }), {
        path: '--state',
      });
    return found;
  });
  return removeUndefined({
    text,
    deviceId: device === undefined ? undefined : deviceIdOf(engine, device),
    states,
    from: from === undefined ? undefined : moment(from, '--from', 'T00:00:00'),
    to: to === undefined ? undefined : moment(to, '--to', 'T23:59:59.999'),
  });
}

function deviceIdOf(engine: Engine, reference: string): string {
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

/** A day is meant whole, by this computer's clock. */
function moment(text: string, option: string, wholeDay: string): string {
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}${wholeDay}` : text);
  if (Number.isNaN(date.getTime()))
    throw createUsageError(say('cli.day-or-time', { option, text }), { path: option });
  return date.toISOString();
}
