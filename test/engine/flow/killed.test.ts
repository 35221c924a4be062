/**
 * Every flow, ended without warning at everything that it keeps, and continued: from an image of the data
 * folder as it was before each effect was on disk (a write may be out by then) and before each write was
 * sent; and from the data folder of a killed process, in every step and around every write.
 */
import { listFlows } from '#engine/flow/all.ts';
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Effects } from '#engine/flow/effects.ts';
import { Records } from '#engine/flow/records.ts';
import type { SealedDocument } from '#shared/report-document.ts';
import { buildProgram, type BuiltProgram } from '#test/helpers/built-program.ts';
import { startSite, type Site } from '#test/helpers/strict-site.ts';
import { CASES, CHANGED_LOCK, plain, writesOf, type Case } from './cases.ts';
import { quickEngine } from './doomed-engine.ts';
import type { Doom, DoomedLine } from './doomed.ts';
import { work } from './gate-walk.ts';
import { follow } from './run-flow.ts';

/** A process that neither dies nor ends is a failure, not a wait. */
const LONGEST_MS = 60_000;

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram(join(import.meta.dirname, 'doomed.ts'));
}, 120_000);
afterAll(() => program.remove());

/** Called with each place before it is passed; throws there to end this engine. */
let passing: (place: string) => void = () => undefined;
const put = Effects.prototype.put;
const make = Records.prototype.make;
beforeAll(() => {
  Effects.prototype.put = function watched(this: Effects, key, name, value): void {
    passing(`before ${key.step} ${name}`);
    put.call(this, key, name, value);
    // The write has not been sent yet. Ending before any other effect is ending after the one before it.
    if (name.endsWith('#sent')) passing(`after ${key.step} ${name}`);
  };
  Records.prototype.make = function watched(this: Records, ...given) {
    passing('before the record');
    return make.apply(this, given);
  };
});
afterAll(() => {
  Effects.prototype.put = put;
  Records.prototype.make = make;
});

const open: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  passing = () => undefined;
  for (const close of open.splice(0).reverse()) await close();
});

/** Sections that steps write, for a policy; the mode is one question of a step that does more. */
const DECLARED = new Set(
  listFlows()
    .flatMap(({ steps }) => steps.flatMap(({ writes = [] }) => writes))
    .concat('thermal.thermometryMode'),
);
const isUndeclared = (section: string): boolean => !DECLARED.has(section);

// Would catch: a step that does or asks again what it had done, forgets an answer, sends a write twice, or never goes on.
it.each(CASES)(
  'comes to the same record of $flow wherever it ended, with each write done once',
  async (one) => {
    const whole = await fromImages(one, () => false);

    const cut = await fromImages(one, () => true);

    expect(cut.places.length).toBeGreaterThan(one.least);
    expect(cut.content).toEqual(whole.content);
    expect(cut.writes).toEqual(whole.writes);
    expect(whole.writes.map((write) => write.replace(/\.[a-z]+$/, '')).filter(isUndeclared)).toEqual([]);
    const killed = await killedAt(one, cut.places.filter(isOfStepOrWrite));
    expect(killed.places.length).toBeGreaterThan(4);
    expect(killed.content).toEqual(whole.content);
    expect(killed.writes).toEqual(whole.writes);
  },
  300_000,
);

// Would catch: a changed password after which it is unknown which of the two the card has.
it('finds out by trying whether a changed password arrived', async () => {
  const places = ['after lock write:lock#sent', 'before lock write:lock', 'before prove #end'];

  const whole = await fromImages(CHANGED_LOCK, () => false);
  const cut = await fromImages(CHANGED_LOCK, (place) => places.includes(place));

  expect(cut.places).toEqual(places);
  // The look finds the card open only because of the attempt.
  const same = (content: unknown): string =>
    JSON.stringify(content).replaceAll('onLine', 'locked').replaceAll('Online', 'Locked');
  expect(same(cut.content)).toEqual(same(whole.content));
  expect(cut.writes.filter((write) => write === 'storage.rwLock.put')).toHaveLength(1);
});

/**
 * Returns true at the end of each step, and at each write when it is about to be sent and when it has
 * returned.
 */
function isOfStepOrWrite(place: string): boolean {
  return / #end$|^after |^before \S+ (?:write|call):[^#]+$/.test(place);
}

interface Went {
  readonly places: readonly string[];
  readonly content: unknown;
  readonly writes: readonly string[];
}

/**
 * Copies the folder at each place, in this process, as a killed process would leave it; the next engine goes
 * on with the copy.
 */
async function fromImages(one: Case, ends: (place: string) => boolean): Promise<Went> {
  const { site, device } = await siteOf(one);
  const places: string[] = [];
  const done = new Set<string>();
  let jobId: string | undefined;
  for (let dataDir = newFolder(); ;) {
    const image = newFolder();
    const ended = Promise.withResolvers<true>();
    let isOver = false;
    const here = dataDir;
    passing = (place) => {
      if (isOver) throw new Error('this engine has ended');
      if (!ends(place) || places.includes(place)) return;
      places.push(place);
      cpSync(here, image, { recursive: true });
      isOver = true;
      ended.resolve(true);
      throw new Error('this engine has ended');
    };
    const { engine, deviceId } = await quickEngine(dataDir, device);
    const id =
      jobId === undefined
        ? engine.flows.begin({ flow: one.flow, deviceIds: [deviceId] }).jobId
        : engine.jobs.resume({ id: jobId }).jobId;
    jobId = id;
    const visit = visitor(one, site, done);
    const through = follow(engine, id, one.answers, async (asked) => {
      if (isOver) return true;
      if (asked.wants === 'trouble') throw new Error(`${asked.step}: ${asked.error?.message ?? ''}`);
      visit.asked(asked);
      await Promise.resolve();
      return false;
    }).then(() => false as const);
    const hasEnded = await Promise.race([ended.promise, through]);
    visit.leave();
    const [record] = hasEnded ? [] : engine.flows.recordsOf({ jobId: id });
    await engine.close();
    await through.catch((thrown: unknown) => {
      if (!isOver) throw thrown;
    });
    if (hasEnded) {
      dataDir = image;
      continue;
    }
    if (record === undefined) throw new Error('it ended without a record');
    return { places, content: plain(record), writes: writesOf(site, one) };
  }
}

/** Runs processes of their own: one is killed at one place, the next goes on from there. */
async function killedAt(one: Case, places: readonly string[]): Promise<Went> {
  const { site, device } = await siteOf(one);
  const dataDir = newFolder();
  const died: string[] = [];
  const done = new Set<string>();
  let jobId: string | undefined;
  for (;;) {
    const lived = await live(
      {
        dataDir,
        flow: one.flow,
        ...(jobId !== undefined && { jobId }),
        device,
        answers: one.answers,
        places: places.filter((place) => !died.includes(place)),
      },
      visitor(one, site, done),
    );
    jobId ??= lived.jobId;
    if (lived.dies !== undefined) {
      died.push(lived.dies);
      continue;
    }
    if (lived.record === undefined) throw new Error(`it ended without a record: ${lived.complaint}`);
    return { places: died, content: plain(lived.record), writes: writesOf(site, one) };
  }
}

interface Lived {
  jobId?: string;
  dies?: string;
  record?: SealedDocument;
  complaint: string;
}

/** Runs one process, from its beginning to its death or the record. */
async function live(doom: Doom, visit: ReturnType<typeof visitor>): Promise<Lived> {
  const child = spawn(process.execPath, [program.file], {
    env: { ...process.env, ...program.env, DOOM: JSON.stringify(doom) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
  });
  const lived: Lived = { complaint: '' };
  child.stderr.on('data', (text: Buffer) => {
    lived.complaint += text.toString();
  });
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as DoomedLine;
    if ('jobId' in line) lived.jobId = line.jobId;
    else if ('dies' in line) lived.dies = line.dies;
    else if ('record' in line) lived.record = line.record as SealedDocument;
    else visit.asked({ ...line.asked, token: '' } as Parameters<typeof work>[1]);
  }
  await closed;
  visit.leave();
  return lived;
}

/** Acts as a person at a gate: does the last requested action, and ends the one before. */
function visitor({ flow }: Case, site: Site, done: Set<string>) {
  let gone = new AbortController();
  return {
    asked(asked: Parameters<typeof work>[1]): void {
      if (flow !== 'gate') return;
      gone.abort();
      gone = new AbortController();
      void work({ site }, asked, { giveUp: () => undefined, gone: gone.signal, done });
    },
    leave: () => gone.abort(),
  };
}

async function siteOf({ kind, prepare }: Case) {
  const site = await startSite({ kinds: [kind] });
  open.push(() => site.close());
  prepare?.(site);
  const [device] = site.devices;
  if (device === undefined) throw new Error('no device');
  return { site, device };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-doomed-'));
  open.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
