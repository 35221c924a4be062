/**
 * One life of the engine. Every event of a request and of the job is counted, and at the ordered one
 * the process ends itself as `kill -9` would: no handler runs, nothing is flushed.
 */
import { subscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { createEngine, createKeyFileProtection, type Engine } from '#engine/index.ts';
import type { JobEvent } from '#shared/model.ts';
import { REQUEST_EVENTS } from './lives.ts';
import type { EngineAnswer, EngineOrder } from './messages.ts';

const CONCURRENCY = 8;
/** The site restarts its devices by itself, within moments; patience passes a hundred times as fast. */
const FOLLOW_UP_SECONDS = 600;
const never = new AbortController().signal;

let events = 0;
let killAt = Infinity;

function happened(): void {
  events += 1;
  if (events === killAt) process.kill(process.pid, 'SIGKILL');
}

function tell(answer: EngineAnswer): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(answer, () => resolve());
  });
}

async function plan(engine: Engine, ids: readonly string[], templateText: string): Promise<void> {
  for await (const event of engine.plans.create({ templateText, deviceIds: ids }, never)) {
    if (event.type === 'plan') await tell({ type: 'planned', planId: event.plan.id });
  }
}

async function begin(engine: Engine, { work }: EngineOrder): Promise<string> {
  const options = { concurrency: CONCURRENCY };
  switch (work.do) {
    case 'apply':
      return engine.jobs.start({ planId: work.planId, options }).jobId;
    case 'undo':
      return engine.jobs.undo({
        id: work.jobId,
        options,
        ...(work.urls === undefined ? {} : { deviceIds: work.urls }),
      }).jobId;
    case 'retry': {
      for await (const event of engine.plans.retry({ jobId: work.jobId }, never))
        if (event.type === 'plan') return engine.jobs.start({ plan: event.plan, options }).jobId;
      throw new Error('no plan');
    }
    case 'follow-up':
      return engine.jobs.followUp({ id: work.jobId, waitSeconds: FOLLOW_UP_SECONDS }).jobId;
    case 'resume':
      return engine.jobs.resume({ id: work.jobId, options: { ...options, acceptDrift: true } }).jobId;
    case 'plan':
      throw new Error('nothing to begin');
  }
}

/** Pauses the job where it was ordered to, and lets it go on when what was under way has ended. */
function createPauser({ jobs }: Engine, jobId: string, { pauseAt = [], killPaused = false }: EngineOrder) {
  const running = new Set<string>();
  let seen = 0;
  let pauses = 0;
  let begunPaused = 0;
  let isPaused = false;

  function note(event: JobEvent): void {
    if (event.type === 'job')
      for (const { deviceId, state } of event.job.results) if (state === 'running') running.add(deviceId);
    if (event.type === 'paused') isPaused = event.paused;
    if (event.type !== 'device') return;
    if (event.device.state !== 'running') running.delete(event.device.deviceId);
    else if (!running.has(event.device.deviceId)) {
      running.add(event.device.deviceId);
      if (isPaused) begunPaused += 1;
    }
  }

  return {
    saw(event: JobEvent): void {
      note(event);
      seen += 1;
      if (pauseAt.includes(seen) && jobs.pause({ id: jobId }).paused) pauses += 1;
      if (!isPaused || running.size > 0) return;
      if (killPaused) process.kill(process.pid, 'SIGKILL');
      jobs.unpause({ id: jobId });
    },
    counts: () => ({ pauses, begunPaused }),
  };
}

async function run(order: EngineOrder): Promise<void> {
  const { dataDir, devices, work } = order;
  const engine = await createEngine({
    dataDir,
    resourcesDir: join(process.cwd(), 'resources'),
    face: 'cli',
    version: '0.0.0',
    user: 'torture',
    protections: [createKeyFileProtection(join(dataDir, 'vault.key'))],
    // Patience passes at once: what is waited for is on this machine.
    clock: {
      now: () => new Date(),
      delay: (ms) =>
        new Promise((resolve) => {
          setTimeout(resolve, ms / 100);
        }),
    },
  });
  const ids = devices.map(
    ({ url, name, user, password }) =>
      engine.devices.addTransient({ url, name, userName: user, password }).id,
  );
  if (work.do === 'plan') await plan(engine, ids, work.template);
  else {
    killAt = order.killAt ?? Infinity;
    for (const name of REQUEST_EVENTS) subscribe(name, happened);
    const jobId = await begin(engine, order);
    const pauser = createPauser(engine, jobId, order);
    for await (const event of engine.jobs.watch({ id: jobId }, never)) {
      happened();
      pauser.saw(event);
      if (event.type === 'end') await tell({ type: 'ended', job: event.job, ...pauser.counts() });
    }
  }
  await engine.close();
  process.disconnect?.();
}

process.on('message', (order: EngineOrder) => {
  run(order).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  });
});
process.on('disconnect', () => {
  if (events === 0) process.exit();
});
