/** A virtual site and an engine that knows its devices; waits between attempts pass at once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  createEngine,
  createKeyFileProtection,
  type Clock,
  type Engine,
  type PlanRequest,
} from '#engine/index.ts';
import type { ApplyOptions, Job, JobEvent, Plan, PlanEvent } from '#shared/model.ts';
import { computeOnce } from '#shared/once.ts';
import { startSite, type Site, type SiteOptions } from '../helpers/strict-site.ts';
import { filesOf } from '../helpers/traces-of.ts';

export interface TestSite {
  readonly site: Site;
  readonly engine: Engine;
  readonly ids: readonly string[];
  readonly dataDir: string;
  /** Delays that were waited for, in milliseconds. */
  readonly delays: number[];
  /** Milliseconds by which the clock of the engine is ahead. */
  readonly time: { aheadMs: number };
  /** Every byte that the data folder holds. */
  stored(): string;
  close(): Promise<void>;
}

interface TestSiteOptions extends Pick<
  SiteOptions,
  'auth' | 'devices' | 'kinds' | 'faults' | 'models' | 'strict'
> {
  readonly dataDir?: string;
}

/** Opens a site and an engine, and closes both at the end of the test. */
export async function openSite(options: TestSiteOptions = {}): Promise<TestSite> {
  const at = await startTestSite(options);
  onTestFinished(() => at.close());
  return at;
}

/** Opens a site and an engine for several tests. The caller closes it. */
export async function startTestSite(options: TestSiteOptions = {}): Promise<TestSite> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'fieldwright-apply-'));
  const { dataDir: _given, ...wanted } = options;
  const site = await startSite({ devices: 1, kinds: ['thermal'], ...wanted });
  const delays: number[] = [];
  const time = { aheadMs: 0 };
  const engine = await startEngine(dataDir, delays, undefined, time);
  const ids = addDevices(engine, site);
  return {
    site,
    engine,
    ids,
    dataDir,
    delays,
    time,
    stored: () => [...filesOf(dataDir).values()].map((bytes) => bytes.toString('latin1')).join('\n'),
    close: computeOnce(async () => {
      await engine.close();
      await site.close();
      rmSync(dataDir, { recursive: true, force: true });
    }),
  };
}

/** Opens an engine on a data folder, and closes it at the end of the test. */
export async function openEngine(...given: Parameters<typeof startEngine>): Promise<Engine> {
  const engine = await startEngine(...given);
  onTestFinished(() => engine.close());
  return engine;
}

/** Closes the engine of a site and opens another one on its folder, as a later process does. */
export async function reopenEngine(
  { engine: before, site, dataDir }: TestSite,
  { isSignedIn = true, protections = undefined as Parameters<typeof startEngine>[2] } = {},
): Promise<Engine> {
  await before.close();
  const engine = await openEngine(dataDir, [], protections);
  if (isSignedIn) addDevices(engine, site);
  return engine;
}

/** Adds the devices of a site to an engine, with their sign-ins, and returns their ids. */
export function addDevices(engine: Engine, { devices }: Pick<Site, 'devices'>): readonly string[] {
  return devices.map(
    ({ url, name, user, password }) =>
      engine.devices.addTransient({ url, name, userName: user, password }).id,
  );
}

function startEngine(
  dataDir: string,
  delays: number[] = [],
  protections = [createKeyFileProtection(join(dataDir, 'vault.key'))],
  time: TestSite['time'] = { aheadMs: 0 },
): Promise<Engine> {
  const clock: Clock = {
    now: () => new Date(Date.now() + time.aheadMs),
    delay: async (ms) => {
      delays.push(ms);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    },
  };
  return createEngine({
    dataDir,
    resourcesDir: join(import.meta.dirname, '../../resources'),
    face: 'cli',
    version: '0.0.0',
    clock,
    user: 'installer',
    protections,
  });
}

export const never = new AbortController().signal;

/** Works on a device of the site as another program does: no job of the engine under test names it. */
export async function asAnotherProgram<T>(
  { site }: Pick<TestSite, 'site'>,
  device: number,
  work: (engine: Engine, deviceId: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-other-'));
  const engine = await openEngine(folder);
  try {
    const { url = '', user, password } = site.devices[device] ?? {};
    return await work(engine, engine.devices.addTransient({ url, userName: user, password }).id);
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true });
  }
}

export async function planEvents(
  engine: Engine,
  request: PlanRequest,
  signal: AbortSignal = never,
): Promise<readonly PlanEvent[]> {
  const events: PlanEvent[] = [];
  for await (const event of engine.plans.create(request, signal)) events.push(event);
  return events;
}

export async function makePlan(
  at: Pick<TestSite, 'engine' | 'ids'>,
  templateText: string,
  extra: Partial<PlanRequest> = {},
): Promise<Plan> {
  const last = (await planEvents(at.engine, { templateText, deviceIds: at.ids, ...extra })).at(-1);
  if (last?.type !== 'plan') throw new Error('no plan came');
  return last.plan;
}

export async function watchToEnd(engine: Engine, jobId: string): Promise<readonly JobEvent[]> {
  const events: JobEvent[] = [];
  for await (const event of engine.jobs.watch({ id: jobId }, never)) events.push(event);
  return events;
}

/** Waits until a job ends, and returns it. */
export async function waitForEnd(engine: Engine, jobId: string): Promise<Job> {
  const last = (await watchToEnd(engine, jobId)).at(-1);
  if (last?.type !== 'end') throw new Error('the job did not end');
  return last.job;
}

export async function applyPlan(
  engine: Engine,
  plan: Plan,
  options: ApplyOptions = {},
  extra: { readonly secrets?: Record<string, string>; readonly deviceIds?: readonly string[] } = {},
): Promise<Job> {
  const { jobId } = engine.jobs.start({ plan, options, ...extra });
  return waitForEnd(engine, jobId);
}

export function template(...sections: readonly string[]): string {
  return `fieldwright: template/1\nname: Test\nsections:\n${sections.map((text) => `  - ${text.trim().split('\n').join('\n    ')}\n`).join('')}`;
}

export const MODE = 'set: thermal.thermometryMode\nparams: { channelID: 1 }\nvalue: { mode: expert }';
export const BASIC =
  'set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: { distance: 3, alarmInterval: 20 }';
export const HOST = 'set: accessControl.hostConfig\nvalue: { voicePrompt: true }';

/** Writes that reached a device, in order, with their answers. */
export function writes(
  at: Pick<TestSite, 'site'>,
  device = 0,
): readonly { readonly operation: string | undefined; readonly http: number; readonly applied: boolean }[] {
  return at.site
    .device(device)
    .requests.filter(({ method, http }) => method === 'PUT' && http !== 401)
    .map(({ operation, http, applied }) => ({ operation, http, applied }));
}
