/**
 * A site of 100 devices with faults, and an engine that is killed with SIGKILL 40 times while it applies,
 * tries again what failed, waits for restarted devices and undoes, now and then in a pause.
 * Shown from the simulator's own log, which it sends out of band:
 *
 * 1. every device is wholly as wanted or wholly as it was;
 * 2. every write that a device saw is in the journal: section, number of times, the very bytes;
 * 3. no write happened twice in a job. A PUT may be *sent* twice: after an answer "busy" (the device
 *    did not process it), or after its answer was lost (the process was killed, the connection cut).
 *    In the second case a complete read of the same setting is between the two, and at that moment
 *    the device held the old document, so the first one had not happened.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashSha256 } from '#engine/text/sha256.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Job } from '#shared/model.ts';
import type { LoggedRequest } from '#simulator/request-log.ts';
import { createChance } from './chance.ts';
import { buildProgram, type BuiltProgram } from '../helpers/built-program.ts';
import type { DeviceLog, EngineOrder } from './messages.ts';
import { openEngines, openSite, type Engines, type RunningSite } from './processes.ts';

const DEVICES = 100;
const KILLS = 40;
const SEED = 20_260;
const TEMPLATE = `fieldwright: template/1
name: Torture
sections:
  - set: thermal.thermometryBasic
    params: { channelID: 1 }
    value: { distance: 3, alarmInterval: 20 }
  - set: thermal.thermometryMode
    params: { channelID: 1 }
    value: { mode: expert }
`;
const SETTINGS = ['thermal.thermometryBasic', 'thermal.thermometryMode'] as const;

/** A job from its start to its end, whatever number of lives that took, and the part of the log that belongs to it. */
interface Episode {
  readonly kind: Kind;
  readonly job: Job;
  /** Number of kills in the middle of the work, and while it was paused. */
  readonly killed: { readonly working: number; readonly paused: number };
  readonly pauses: number;
  readonly begunPaused: number;
  readonly devices: readonly DeviceLog[];
}

let dataDir: string;
let program: BuiltProgram;
let site: RunningSite;
let engines: Engines;
const episodes: Episode[] = [];
let initial: ReadonlyMap<string, readonly LoggedRequest[]>;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-torture-'));
  program = await buildProgram(join(import.meta.dirname, 'engine-process.ts'));
  engines = openEngines(program);
  site = await openSite({ devices: DEVICES, seed: SEED });
  await torture();
}, 600_000);
afterAll(async () => {
  await engines.close();
  await site.close();
  rmSync(dataDir, { recursive: true, force: true });
  program.remove();
});

function jobs(): readonly { readonly id: string; readonly state: string }[] {
  const db = new DatabaseSync(join(dataDir, 'fieldwright.db'), { readOnly: true });
  try {
    return db.prepare('SELECT id, state FROM jobs ORDER BY rowid').all() as { id: string; state: string }[];
  } finally {
    db.close();
  }
}

type Work = EngineOrder['work'];
type Kind = 'apply' | 'undo' | 'retry' | 'follow-up';

/** Events of the longest life: a job on all devices has some 7,000, one on the two or three that failed a few dozen, a follow-up some more. */
const LONGEST_LIFE: Readonly<Record<Kind, number>> = { apply: 760, undo: 760, retry: 12, 'follow-up': 60 };
/** Every so many lives end in a pause instead of in the middle of the work. */
const PAUSED_LIFE = 4;
const MOST_LIVES = 60;

async function torture(): Promise<void> {
  const random = createChance(SEED);
  const about = { dataDir, devices: site.devices };
  const planned = await engines.liveOnce({ ...about, work: { do: 'plan', template: TEMPLATE } });
  if (planned.end !== 'finished' || planned.answer.type !== 'planned') throw new Error('no plan');
  const { planId } = planned.answer;
  initial = new Map((await site.log()).map(({ url, requests }) => [url, requests]));
  let kills = 0;

  /** How the next life of this job is to end, as long as it may not live on. */
  function death(kind: Kind): Pick<EngineOrder, 'killAt' | 'pauseAt' | 'killPaused'> {
    const moment = 1 + Math.floor(random() * LONGEST_LIFE[kind]);
    const pauseAt = [3 + Math.floor(random() * 40)];
    return kind !== 'follow-up' && kills % PAUSED_LIFE === PAUSED_LIFE - 1
      ? { pauseAt, killPaused: true }
      : { killAt: moment };
  }

  /** One job to its end, killed so many times on the way as long as it lasts. A follow-up goes on with a job that is there. */
  async function episode(kind: Kind, first: Work, mostKills: number): Promise<Job> {
    const known = jobs().length;
    const before = new Map((await site.log()).map(({ url, requests }) => [url, requests.length]));
    const killed = { working: 0, paused: 0 };
    let pauses = 0;
    let begunPaused = 0;
    for (let life = 1; life <= MOST_LIVES; life += 1) {
      const id =
        first.do === 'follow-up' ? (killed.working > 0 ? first.jobId : undefined) : jobs()[known]?.id;
      const work: Work =
        id === undefined || (first.do === 'follow-up' && !isCutOff(id)) ? first : { do: 'resume', jobId: id };
      const mayKill = killed.working + killed.paused < mostKills && kills < KILLS;
      const order = mayKill ? death(kind) : kind === 'follow-up' ? {} : { pauseAt: [5, 40] };
      const end = await engines.liveOnce({ ...about, work, ...order });
      if (end.end === 'killed') {
        kills += 1;
        killed[order.killPaused === true ? 'paused' : 'working'] += 1;
        continue;
      }
      if (end.answer.type !== 'ended') throw new Error('no end');
      const { job } = end.answer;
      pauses += end.answer.pauses;
      begunPaused += end.answer.begunPaused;
      if (job.resumable) continue;
      const devices = (await site.log()).map((device) => ({
        ...device,
        requests: device.requests.slice(before.get(device.url) ?? 0),
      }));
      episodes.push({ kind, job, killed, pauses, begunPaused, devices });
      return job;
    }
    throw new Error(`${kind} does not come to an end`);
  }

  /** Runs the work and settles what waits for a restart. */
  async function settled(kind: Kind, first: Work, mostKills: number): Promise<Job> {
    const job = await episode(kind, first, mostKills);
    return (job.rebootPending ?? 0) === 0 ? job : episode('follow-up', { do: 'follow-up', jobId: job.id }, 2);
  }

  /** Devices meet faults here too: those that are not as they were are taken back once more. */
  async function undone(jobId: string, mostKills: number, urls?: readonly string[]): Promise<void> {
    for (let left = urls, may = mostKills; left === undefined || left.length > 0; may = 0) {
      const job = await settled('undo', { do: 'undo', jobId, ...removeUndefined({ urls: left }) }, may);
      left = failedIn(job);
    }
  }

  let applied = await settled('apply', { do: 'apply', planId }, 13);
  const retried = await settled('retry', { do: 'retry', jobId: applied.id }, 5);
  await undone(retried.id, 2);
  await undone(applied.id, 9);
  applied = await settled('apply', { do: 'apply', planId }, KILLS);
  while (kills < KILLS) {
    await undone(applied.id, KILLS);
    applied = await settled('apply', { do: 'apply', planId }, KILLS);
  }
  await site.clearFaults();
  // A device that refused a part, or was busy for too long, is taken back as a whole.
  await undone(applied.id, 0, failedIn(applied));
}

function failedIn({ results }: Job): readonly string[] {
  return results.filter(({ state }) => state !== 'done').map(({ url }) => url);
}

/** The follow-up had begun when the process ended. */
function isCutOff(jobId: string): boolean {
  return jobs().some(({ id, state }) => id === jobId && (state === 'running' || state === 'interrupted'));
}

function operationOf(setting: string, method: 'get' | 'put'): string {
  return `${setting}.${method}`;
}
/** Requests about one setting that were signed in, in the order in which the device took them. */
function about(requests: readonly LoggedRequest[], setting: string): readonly LoggedRequest[] {
  return requests.filter(
    ({ operation, http }) =>
      http !== 401 &&
      (operation === operationOf(setting, 'get') || operation === operationOf(setting, 'put')),
  );
}
const isPut = ({ method }: LoggedRequest): boolean => method === 'PUT';
const isBusy = ({ fault }: LoggedRequest): boolean => fault === 'busy';

interface JournalRow {
  readonly url: string;
  readonly set_name: string;
  readonly outcome: string;
  readonly attempts: number;
  readonly sent: string | null;
}

function journalOf(jobId: string): readonly JournalRow[] {
  const db = new DatabaseSync(join(dataDir, 'fieldwright.db'), { readOnly: true });
  try {
    return db
      .prepare(
        `SELECT url, json_extract(coalesce((SELECT content FROM job_contents WHERE id = detail), detail), '$.set') AS set_name, outcome, attempts, coalesce((SELECT content FROM job_contents WHERE id = sent_document), sent_document) AS sent FROM job_units JOIN job_devices USING (job_id, position) WHERE job_id = ?`,
      )
      .all(jobId) as unknown as JournalRow[];
  } finally {
    db.close();
  }
}

describe('an engine that was killed 40 times', () => {
  it('had its kills spread over all kinds of work, and no job is left open', () => {
    const killsOf = (kind: Kind) =>
      episodes.filter((episode) => episode.kind === kind).map(({ killed }) => killed.working + killed.paused);
    expect(episodes.reduce((sum, { killed }) => sum + killed.working + killed.paused, 0)).toBe(KILLS);
    for (const kind of ['apply', 'undo'] as const)
      expect(Math.max(...killsOf(kind)), kind).toBeGreaterThan(5);
    for (const kind of ['retry', 'follow-up'] as const)
      expect(Math.max(...killsOf(kind)), kind).toBeGreaterThan(0);
    expect(
      jobs()
        .map(({ state }) => state)
        .filter((state) => state !== 'done' && state !== 'failed'),
    ).toEqual([]);
    expect(
      episodes
        .flatMap(({ job }) => job.results.flatMap(({ units }) => units))
        .filter(({ outcome }) => outcome === 'unknown' || outcome === 'pending'),
    ).toEqual([]);
    expect(
      episodes.some(({ job }) =>
        job.results.some(({ units }) => units.some(({ note }) => note === 'settled-by-reading')),
      ),
    ).toBe(true);
  });

  it('was paused, and killed in pauses: no device was begun meanwhile, and the job went on afterwards', () => {
    expect(episodes.filter(({ pauses }) => pauses > 0).length).toBeGreaterThan(2);
    expect(episodes.filter(({ killed }) => killed.paused > 0).length).toBeGreaterThan(1);
    expect(episodes.filter(({ begunPaused }) => begunPaused > 0)).toEqual([]);
  });

  it('followed up what waited for a restart without a single write, whatever cut it off', () => {
    const followUps = episodes.filter(({ kind }) => kind === 'follow-up');

    expect(followUps.length).toBeGreaterThan(1);
    expect(
      followUps.flatMap(({ devices }) => devices.flatMap(({ requests }) => requests.filter(isPut))),
    ).toEqual([]);
    expect(episodes.at(-1)?.job.rebootPending ?? 0).toBe(0);
  });

  it('leaves every device wholly as wanted or wholly as it was', async () => {
    const log = await site.log();

    const states = log.map(({ documents }) => {
      const basic = documents['thermal.thermometryBasic/1'];
      const mode = documents['thermal.thermometryMode/1'];
      const wanted = [
        basic?.includes('<distance>3</distance>') === true &&
          basic.includes('<alarmInterval>20</alarmInterval>'),
        mode?.includes('<mode>expert</mode>') === true,
      ];
      const original = [
        basic === undefined || basic.includes('<distance>5</distance>'),
        mode === undefined || mode.includes('<mode>normal</mode>'),
      ];
      return wanted.every(Boolean) ? 'wanted' : original.every(Boolean) ? 'original' : 'half';
    });

    expect(states).toHaveLength(DEVICES);
    expect(states.filter((state) => state === 'half')).toEqual([]);
    expect(states.filter((state) => state === 'wanted').length).toBeGreaterThan(DEVICES / 2);
  });

  it('wrote nothing that the journal does not hold, byte for byte', () => {
    const missing = episodes.flatMap(({ job, devices }) => {
      const rows = journalOf(job.id);
      return devices.flatMap(({ url, requests }) =>
        SETTINGS.flatMap((setting) => {
          const puts = about(requests, setting).filter(isPut);
          const row = rows.find((candidate) => candidate.url === url && candidate.set_name === setting);
          const taken = puts.filter((put) => !isBusy(put)).length;
          const held =
            row !== undefined &&
            row.attempts >= taken &&
            puts.every(({ bodyHash }) => bodyHash === hashSha256(row.sent ?? ''));
          return puts.length === 0 || held ? [] : [{ url, setting, puts: puts.length, row }];
        }),
      );
    });

    expect(missing).toEqual([]);
  });

  it('made no write happen twice', () => {
    const twice = episodes.flatMap(({ devices }) =>
      devices.flatMap(({ url, requests }) =>
        SETTINGS.flatMap((setting) => {
          const happened = about(requests, setting).filter(({ applied }) => applied);
          return happened.length > 1 ? [{ url, setting, happened }] : [];
        }),
      ),
    );
    const all = episodes
      .flatMap(({ devices }) => devices.flatMap(({ requests }) => requests))
      .filter(({ applied }) => applied);

    expect(twice).toEqual([]);
    expect(all.length).toBeGreaterThan(DEVICES);
  });

  it('sent a write again only after a read that showed the old document', () => {
    let again = 0;
    const blind = episodes.flatMap(({ devices }) =>
      devices.flatMap(({ url, requests }) =>
        SETTINGS.flatMap((setting) => {
          const trail = about(requests, setting);
          const puts = trail
            .map((request, at) => ({ request, at }))
            .filter(({ request }) => isPut(request) && !isBusy(request));
          return puts.slice(1).flatMap(({ request, at }, index) => {
            again += 1;
            const earlier = puts[index];
            const between = trail.slice((earlier?.at ?? 0) + 1, at);
            const read = between.some((seen) => !isPut(seen) && seen.http === 200);
            // The log is in the order in which the device worked: nothing had been carried out when that read was answered.
            return read && earlier?.request.applied === false
              ? []
              : [{ url, setting, number: request.number }];
          });
        }),
      ),
    );

    expect(blind).toEqual([]);
    expect(again).toBeGreaterThan(0);
  });

  it('knew nothing of the writes before its first plan', () => {
    expect([...initial.values()].flat().filter(({ applied }) => applied)).toEqual([]);
  });
});
