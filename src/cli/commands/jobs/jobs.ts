/** `jobs list|show|export`: the journal. */
import { jobName, workName } from '#cli/output/names.ts';
import { say } from '#shared/details.ts';
import { defined } from '#shared/defined.ts';
import type { Engine } from '#engine/api.ts';
import type { HistoryQuery } from '#shared/history.ts';
import { JOB_STATES, type JobSummary } from '#shared/model.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { withEngine, type Invocation } from '#cli/invocation.ts';
import { outputFile } from '#cli/output/output-file.ts';
import { dateFormat } from '#cli/output/date-format.ts';
import { jobForScripts, summaryForScripts } from '#cli/output/for-scripts.ts';
import { printModelLog } from '#cli/output/model-lines.ts';
import { peopleOutcomeOf } from '#cli/follow-job.ts';
import { printJob } from '#cli/output/job-view.ts';
import { deviceText, standingPaint, standingWord } from '#cli/output/job-text.ts';
import { usageError, wholeNumber } from '#cli/usage.ts';

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

export async function jobsList(invocation: Invocation, options: HistoryOptions = {}): Promise<number> {
  const limit =
    options.limit === undefined ? LISTED : wholeNumber(options.limit, '--limit', { min: 1, max: 1_000_000 });
  const jobs = await withEngine(invocation, async (engine) =>
    listed(engine, queryOf(engine, options), limit),
  );
  const { out } = invocation;
  if (out.asJson) {
    out.json(jobs.map(summaryForScripts));
    return EXIT.done;
  }
  const when = dateFormat(invocation.globals.lang);
  out.table<JobSummary>(
    [
      { title: 'JOB', cell: ({ id }) => id },
      { title: 'STARTED', cell: ({ createdAt }) => when(createdAt) },
      { title: 'KIND', cell: ({ kind }) => workName(out, kind) },
      { title: 'STATE', cell: (job) => standingWord(job, out), paint: standingPaint },
      { title: 'DEVICES', align: 'right', cell: ({ devices }) => String(devices) },
      { title: 'OUTCOME', cell: (job) => deviceText(job, out), flexible: true },
      { title: 'BY', cell: ({ by }) => by },
      { title: 'TITLE', cell: (job) => jobName(out, job), flexible: true },
    ],
    jobs,
  );
  return EXIT.done;
}

export async function jobsShow(invocation: Invocation, id: string): Promise<number> {
  const { job, people } = await withEngine(invocation, async (engine) => {
    const shown = engine.jobs.show({ id });
    return { job: shown, people: peopleOutcomeOf(engine, shown) };
  });
  if (invocation.out.asJson)
    invocation.out.json({ jobId: job.id, ...jobForScripts(job), ...defined({ people }) });
  else {
    printJob(invocation.out, job, people);
    if (job.kind === 'model') printModelLog(invocation.out, job.results);
  }
  return EXIT.done;
}

/** What matches as a file, written piece by piece. */
export async function jobsExport(invocation: Invocation, options: ExportOptions): Promise<number> {
  const { out: file, format = 'csv' } = options;
  if (file === undefined) throw usageError(say('cli.jobs-export-out'), { path: '--out' });
  if (format !== 'csv' && format !== 'json')
    throw usageError(say('cli.format-csv-json', { format }), { path: '--format' });
  const target = file === '-' ? undefined : await outputFile(invocation, file, { force: true });
  return withEngine(invocation, async (engine) => {
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
      ...defined({ after }),
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
      throw usageError(say('cli.state-one-of', { states: JOB_STATES.join(', '), given }), {
        path: '--state',
      });
    return found;
  });
  return defined({
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
    throw usageError(say('cli.day-or-time', { option, text }), { path: option });
  return date.toISOString();
}
