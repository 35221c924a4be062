/** Virtual AI devices, an engine whose clock runs fast, and a package to send. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createEngine, createKeyFileProtection, type Clock, type Engine } from '#engine/index.ts';
import type { Job, JobEvent } from '#shared/model.ts';
import type { ModelPlan } from '#shared/ai-models/ai-models.ts';
import { getModelUnits } from '#shared/ai-models/ai-model-progress.ts';
import { startSite, type Site, type SiteOptions } from '#test/helpers/strict-site.ts';

const never = new AbortController().signal;

/** Fifteen seconds of patience pass in well under one. */
const FASTER = 40;

export interface FastClock extends Clock {
  /** Simulates a computer whose lid was closed: it goes on, and nothing ran. */
  sleep(ms: number): void;
}

/**
 * Wall-clock time between two looks at it: a longer step is a machine that was held up, which does not matter
 * to the test.
 */
const LONGEST_STEP_MS = 100;
const STEP_MS = 15;

/** Makes a clock that is so many times as fast as the wall clock. */
function fastClock(times = FASTER): FastClock {
  let [at, looked] = [Date.now(), performance.now()];
  const now = (): number => {
    const wall = performance.now();
    at += Math.min(wall - looked, LONGEST_STEP_MS) * times;
    looked = wall;
    return at;
  };
  return {
    now: () => new Date(now()),
    sleep: (ms) => {
      at += ms;
    },
    delay: async (ms, signal) => {
      const until = now() + ms;
      for (let left = ms; left > 0; left = until - now())
        await delay(Math.min(left / times, STEP_MS), undefined, signal === undefined ? {} : { signal });
    },
  };
}

export interface ModelSite {
  readonly site: Site;
  engine: Engine;
  readonly clock: FastClock;
  readonly dataDir: string;
  readonly ids: readonly string[];
  readonly file: string;
  readonly sha256: string;
  /** Opens another engine on the same folder, as after a new start of the app. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

export async function openModelSite(
  options: {
    readonly devices?: number;
    readonly bytes?: number;
    readonly faster?: number;
  } & Partial<SiteOptions> = {},
): Promise<ModelSite> {
  const { devices = 1, bytes = 3_000_000, faster = FASTER, ...more } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-model-'));
  const clock = fastClock(faster);
  const site = await startSite({ devices, kinds: ['ai'], ...more });
  const file = join(dataDir, 'helmet 7.bin');
  const content = contentOf(bytes);
  writeFileSync(file, content);
  const at: ModelSite = {
    site,
    dataDir,
    file,
    sha256: createHash('sha256').update(content).digest('hex'),
    clock,
    engine: await openModelEngine(dataDir, clock),
    ids: [],
    async reopen() {
      await at.engine.close();
      at.engine = await openModelEngine(dataDir, clock);
      name(at);
    },
    async close() {
      await at.engine.close();
      await site.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  Object.assign(at, { ids: name(at) });
  return at;
}

/** Names the devices by their addresses, with their sign-ins; the same ids each time. */
function name({ engine, site }: Pick<ModelSite, 'engine' | 'site'>): readonly string[] {
  return site.devices.map(
    ({ url, name: called, user, password }) =>
      engine.devices.addTransient({ url, name: called, userName: user, password }).id,
  );
}

export function openModelEngine(dataDir: string, clock: Clock = fastClock()): Promise<Engine> {
  return createEngine({
    dataDir,
    resourcesDir: join(import.meta.dirname, '../../../resources'),
    face: 'cli',
    version: '0.0.0',
    clock,
    user: 'installer',
    protections: [createKeyFileProtection(join(dataDir, 'vault.key'))],
  });
}

/**
 * Returns an address of the loopback interface for this test alone: other tests cannot take a port that is
 * free for a moment.
 */
export function ownAddress(): string {
  const [one = 0, two = 0, three = 0] = randomBytes(3);
  return `127.${128 + (one % 64)}.${two}.${1 + (three % 254)}`;
}

/** Returns the same bytes in every run, without repetitions. */
export function contentOf(bytes: number): Buffer {
  const content = Buffer.alloc(bytes);
  for (let at = 0, state = 7; at + 4 <= bytes; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    content.writeUInt32LE(state, at);
  }
  return content;
}

type PlanRequest = Parameters<Engine['models']['plan']>[0];
type SendRequest = Parameters<Engine['models']['send']>[0];

export async function planOf(
  at: ModelSite,
  request: Partial<PlanRequest> = {},
  file = at.file,
): Promise<ModelPlan> {
  const { id: fileId } = await at.engine.models.choose(file);
  for await (const event of at.engine.models.plan(
    { deviceIds: at.ids, mpid: 'helmet-7', mpName: 'Helmets', engines: [2], ...request, fileId },
    never,
  ))
    if (event.type === 'plan') return event.plan;
  throw new Error('no plan came');
}

export async function begin(
  at: ModelSite,
  request: Partial<PlanRequest> = {},
  how: Partial<SendRequest> = {},
): Promise<string> {
  const plan = await planOf(at, request);
  return at.engine.models.send({ planId: plan.id, ...how }).jobId;
}

/** Waits for the end of a job; `onEvent` sees its events. */
export async function ended(
  { engine }: Pick<ModelSite, 'engine'>,
  id: string,
  onEvent: (event: JobEvent) => void | Promise<void> = () => undefined,
): Promise<Job> {
  for await (const event of engine.jobs.watch({ id }, never)) await onEvent(event);
  return engine.jobs.show({ id });
}

/** Restarts each device; its engines do not take their five seconds. */
export async function restartAll({ site }: Pick<ModelSite, 'site'>): Promise<void> {
  for (const [nth] of site.devices.entries()) {
    await site.device(nth).restart();
    site.device(nth).clock.advance(10_000);
  }
}

/** Advances the site's clock, which is slow beside the test's: engines initialize for five seconds of it. */
export function hurry({ site }: Pick<ModelSite, 'site'>): Disposable {
  const timer = setInterval(() => {
    for (const [nth] of site.devices.entries()) site.device(nth).clock.advance(2_000);
  }, 50);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

export async function followUp(at: ModelSite, id: string, waitSeconds = 600): Promise<Job> {
  at.engine.jobs.followUp({ id, waitSeconds });
  return ended(at, id);
}

export function stagesOf(job: Job, position = 0): readonly string[] {
  const device = job.results[position];
  return device === undefined ? [] : getModelUnits(device).map(({ step, outcome }) => `${step} ${outcome}`);
}

export function linesOf(job: Job, position = 0): readonly string[] {
  const device = job.results[position];
  return device === undefined
    ? []
    : getModelUnits(device).flatMap(({ log = [] }) => log.map(({ text }) => text.id));
}
