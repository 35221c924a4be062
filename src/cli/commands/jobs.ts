/** `jobs list|show`: the journal. */
import type { JobSummary } from '../../shared/model.ts';
import { EXIT } from '../exit-codes.ts';
import { withEngine, type Invocation } from '../invocation.ts';
import { printJob } from '../output/job-view.ts';

export async function jobsList(invocation: Invocation): Promise<number> {
  const jobs = await withEngine(invocation, async (engine) => engine.jobs.list());
  const { out } = invocation;
  if (out.asJson) {
    out.json(jobs);
    return EXIT.done;
  }
  const when = dateFormat(invocation.globals.lang);
  out.table<JobSummary>([
    { title: 'JOB', cell: ({ id }) => id },
    { title: 'STARTED', cell: ({ createdAt }) => when(createdAt) },
    { title: 'KIND', cell: ({ kind }) => kind },
    { title: 'STATE', cell: ({ state }) => state, paint: ({ state }) => (state === 'done' ? 'good' : state === 'failed' ? 'bad' : 'warn') },
    { title: 'DEVICES', align: 'right', cell: ({ devices }) => String(devices) },
    { title: 'BY', cell: ({ by }) => by },
    { title: 'TEMPLATE', cell: ({ template }) => template.name, flexible: true },
  ], jobs);
  return EXIT.done;
}

export async function jobsShow(invocation: Invocation, id: string): Promise<number> {
  const job = await withEngine(invocation, async (engine) => engine.jobs.show(id));
  if (invocation.out.asJson) invocation.out.json({ jobId: job.id, ...job });
  else printJob(invocation.out, job);
  return EXIT.done;
}

function dateFormat(lang: string | undefined): (iso: string) => string {
  const format = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'medium' });
  return (iso) => format.format(new Date(iso));
}
