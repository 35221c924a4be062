/**
 * A rollout to ten virtual devices whose engine is killed with SIGKILL at 20 seeded moments, while it sends and while
 * it follows up the restarts. Afterwards every device runs the package with the right hash, each was asked to fetch
 * once, and none that had a part of it began at the first byte again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { computeModelProgress, getModelUnits } from '#shared/ai-models/ai-model-progress.ts';
import type { Job } from '#shared/model.ts';
import { MODELS } from '#simulator/areas/models/models.ts';
import { startSite, type Site } from '#simulator/index.ts';
import { contentOf, openModelEngine, ownAddress } from '../engine/transfer/model-site.ts';
import { buildProgram, type BuiltProgram } from '../helpers/built-program.ts';
import { createChance } from './chance.ts';
import type { TransferOrder } from './transfer-process.ts';

const DEVICES = 10;
const KILLS = { send: 14, 'follow-up': 6 };
const SEED = 7_2026;
const BYTES = 16_000_000;
const RATE = 1_200_000;

let site: Site;
let dataDir: string;
let file: string;
let sha256: string;
let program: BuiltProgram;
const address = ownAddress();

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-rollout-'));
  file = join(dataDir, 'helmet.bin');
  const content = contentOf(BYTES);
  writeFileSync(file, content);
  sha256 = createHash('sha256').update(content).digest('hex');
  program = await buildProgram(join(import.meta.dirname, 'transfer-process.ts'));
  site = await startSite({ devices: DEVICES, kinds: ['ai'], seed: SEED, downloadRate: RATE });
});
afterAll(async () => {
  await site.close();
  program.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Life {
  readonly jobId: string | undefined;
  readonly ended: boolean;
}

/** One engine, until its job ends or its last step has come. */
async function live(work: TransferOrder['work'], killAt: number): Promise<Life> {
  const order: TransferOrder = {
    dataDir,
    file,
    address,
    work,
    devices: site.devices.map(({ url, name, user, password }) => ({ url, name, user, password })),
  };
  const child = spawn(process.execPath, [program.file, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...program.env },
  });
  const exit = once(child, 'exit');
  let jobId: string | undefined;
  let ended = false;
  let steps = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('job ')) jobId = line.slice(4);
    if (line === 'ended') ended = true;
    if (line.startsWith('step ') && (steps += 1) === killAt) child.kill('SIGKILL');
  }
  await exit;
  return { jobId, ended };
}

async function lives(
  first: TransferOrder['work'],
  kills: number,
  longest: number,
  random: () => number,
): Promise<string> {
  let work = first;
  let killed = 0;
  for (let nth = 0; nth < kills + 10; nth += 1) {
    const killAt = killed < kills ? 1 + Math.floor(random() * longest) : Number.POSITIVE_INFINITY;
    const { jobId, ended } = await live(work, killAt);
    if (jobId === undefined) throw new Error('no job began');
    if (ended) return jobId;
    killed += 1;
    work = { do: 'resume', jobId };
  }
  throw new Error('the rollout does not come to an end');
}

it('every device runs the package, and none fetched it twice', { timeout: 600_000 }, async () => {
  const random = createChance(SEED);

  const jobId = await lives({ do: 'send' }, KILLS.send, 90, random);
  for (let nth = 0; nth < DEVICES; nth += 1) await site.device(nth).restart();
  const timer = setInterval(() => {
    for (let nth = 0; nth < DEVICES; nth += 1) site.device(nth).clock.advance(1_000);
  }, 250);
  await lives({ do: 'follow-up', jobId }, KILLS['follow-up'], 40, random);
  clearInterval(timer);

  const engine = await openModelEngine(dataDir);
  const job: Job = engine.jobs.show({ id: jobId });
  await engine.close();
  expect(job.results.map((device) => computeModelProgress(device).stage)).toEqual(
    Array(DEVICES).fill('proved'),
  );
  for (let nth = 0; nth < DEVICES; nth += 1) {
    const { packages, engines } = site.device(nth).part(MODELS).snapshot() as {
      readonly packages: readonly { readonly MPID: string; readonly sha256?: string }[];
      readonly engines: Readonly<Record<string, readonly string[]>>;
    };
    expect(packages.find(({ MPID }) => MPID === 'helmet-7')?.sha256).toBe(sha256);
    expect(engines['2']).toEqual(['helmet-7']);
  }
  const creates = site.devices.map(
    (_device, nth) =>
      site
        .device(nth)
        .requests.filter(({ operation, applied }) => operation === 'aiPlatform.models.create' && applied)
        .length,
  );
  expect(creates).toEqual(Array(DEVICES).fill(1));
  const continued = job.results.flatMap((device) => {
    const asked = getModelUnits(device).flatMap(({ log = [] }) =>
      log.flatMap(({ text }) => (text.id === 'serve.asked' ? [text.values] : [])),
    );
    // A device that was cut off before the first byte came asks for all of it again.
    const first = asked.findIndex((values) => values?.['range'] !== '–');
    return first === -1 ? [] : asked.slice(first);
  });
  expect(continued.length).toBeGreaterThan(0);
  // Would catch: a new address, or a new tag, after each start of the app.
  expect(continued.filter((values) => values?.['range'] === '–' || values?.['status'] !== 206)).toEqual([]);
  expect((job.runs ?? []).length).toBeGreaterThan(KILLS.send + KILLS['follow-up']);
});
