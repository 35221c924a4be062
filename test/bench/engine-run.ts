/** Measured process: the engine plans and applies the given template to the given devices. */
import { subscribe } from 'node:diagnostics_channel';
import type { Engine } from '#engine/index.ts';
import type { Job, Plan } from '#shared/model.ts';
import { recordRequests } from './record.ts';
import { measured, readTask, writeResult, type BenchTask } from './shared.ts';
import { withBenchEngine } from './bench-engine.ts';

function addDevices(engine: Engine, task: BenchTask): readonly string[] {
  const ids = task.devices.map((device) => engine.devices.add({ address: device.url }).id);
  for (const [password, group] of Map.groupBy(
    task.devices.map((device, index) => ({ ...device, id: ids[index] ?? '' })),
    (device) => device.password,
  )) {
    engine.credentials.save({
      label: `bench ${group[0]?.id ?? ''}`,
      userName: group[0]?.user ?? '',
      password,
      deviceIds: group.map(({ id }) => id),
    });
  }
  return ids;
}

async function planAndApply(
  engine: Engine,
  deviceIds: readonly string[],
  { templateText, concurrency }: BenchTask,
): Promise<Job> {
  const { signal } = new AbortController();
  const pace = concurrency === undefined ? {} : { concurrency };
  let plan: Plan | undefined;
  for await (const event of engine.plans.create({ templateText, deviceIds, ...pace }, signal))
    if (event.type === 'plan') plan = event.plan;
  if (!plan) throw new Error('no plan');
  const { jobId } = engine.jobs.start({ plan, options: { ...pace, acceptDrift: true } });
  for await (const event of engine.jobs.watch({ id: jobId }, signal))
    if (event.type === 'end') return event.job;
  throw new Error('the job did not end');
}

const task = await readTask();
await withBenchEngine(async (engine) => {
  const ids = addDevices(engine, task);
  const byOrigin = task.record ? recordRequests() : undefined;
  let requests = 0;
  subscribe('undici:request:create', () => {
    requests += 1;
  });
  const { value: job, ...numbers } = await measured(() => planAndApply(engine, ids, task));
  writeResult({
    ...numbers,
    requests,
    outcome: Object.entries(job.counts)
      .map(([outcome, count]) => `${count} ${outcome}`)
      .join(', '),
    ...(byOrigin ? { recorded: task.devices.map(({ url }) => byOrigin.get(url) ?? []) } : {}),
  });
});
