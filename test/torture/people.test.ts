/**
 * People brought to three gates by an engine that is killed with SIGKILL 20 times at seeded moments of its
 * requests: from a file to two, and from one of these with their fingerprints to the third. The gates are set
 * not to look for people with the same number, so that a person who is sent twice is there twice.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FINGERPRINTS } from '#simulator/areas/people/fingerprint-readers.ts';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import { startSite, type Site } from '#simulator/index.ts';
import { createRandom } from '#simulator/random.ts';
import { applied } from '../engine/people/people-work.ts';
import { tracesOfPrints, written } from '../engine/fingerprints/site-with-prints.ts';
import { filesOf } from '../helpers/traces-of.ts';
import { buildProgram, type BuiltProgram } from '../helpers/built-program.ts';
import { liveOnce } from './lives.ts';
import type { PeopleLife, PeopleLifeEnd } from './people-process.ts';

const KILLS_EACH = 10;
const SEED = 1_234;
const NUMBERS = Array.from({ length: 300 }, (_, index) => `E${index}`);
const WITH_PRINTS = NUMBERS.slice(0, 60);

let dataDir: string;
let program: BuiltProgram;
let site: Site;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-people-'));
  program = await buildProgram(join(import.meta.dirname, 'people-process.ts'));
  site = await startSite({
    devices: 3,
    kinds: ['gate'],
    auth: 'none',
    users: 0,
    seed: SEED,
    faults: ['reset-after:0.01', 'busy:0.01'],
  });
});
afterAll(async () => {
  await site.close();
  rmSync(dataDir, { recursive: true, force: true });
  program.remove();
});

const over = new Set<string>();

/** Returns the id of the unfinished job; undefined if the engine was killed while it still planned. */
function begunJob(): string | undefined {
  const db = new DatabaseSync(join(dataDir, 'fieldwright.db'), { readOnly: true });
  try {
    const ids = db.prepare('SELECT id FROM jobs').all() as { readonly id: string }[];
    return ids.map(({ id }) => id).find((id) => !over.has(id));
  } finally {
    db.close();
  }
}

const random = createRandom(SEED);

/** Gives how often it was killed before it was done, and what of people or templates was found in the data folder. */
async function killedOnTheWay(
  work: PeopleLife['work'],
  { longestLife, traces }: { readonly longestLife: number; readonly traces: () => readonly string[] },
): Promise<{ readonly kills: number; readonly state: string; readonly found: readonly string[] }> {
  const found: string[] = [];
  for (let kills = 0; ; kills += 1) {
    const jobId = kills === 0 ? undefined : begunJob();
    const life: PeopleLife = {
      dataDir,
      devices: site.devices as PeopleLife['devices'],
      killAt: kills < KILLS_EACH ? 1 + Math.floor(random() * longestLife) : undefined,
      work: jobId === undefined ? work : { do: 'resume', jobId },
    };
    const end = await liveOnce<PeopleLifeEnd>(program, life);
    found.push(...traces());
    if (end === undefined) continue;
    over.add(begunJob() ?? '');
    return { kills, found, ...end };
  }
}

function peopleOn(device: number): readonly string[] {
  const { total, page } = site.device(device).part(PEOPLE).search('truth', 0, {});
  return page(0, total).map(({ record }) => `${String(record['employeeNo'])} ${String(record['name'])}`);
}

// Would catch: a person or finger that is sent again after a kill, one that is left out, a job that cannot go
// on, a name or template that remains in the data folder.
it('brings everybody once and nobody twice, however often it is killed', { timeout: 240_000 }, async () => {
  const rows = NUMBERS.map((employeeNo) => `${employeeNo},Underhill ${employeeNo},normal,1,false\n`);
  const text = `employeeNo,name,userType,doorRight,checkUser\n${rows.join('')}`;
  const names = (): readonly string[] =>
    [...filesOf(dataDir)].flatMap(([file, bytes]) =>
      bytes.includes('Underhill') ? [`a name in ${file}`] : [],
    );

  const imported = await killedOnTheWay(
    { do: 'import', text, to: [0, 1] },
    { longestLife: 500, traces: names },
  );
  const templates = WITH_PRINTS.map((employeeNo) =>
    site.device(0).part(FINGERPRINTS).present(employeeNo, 1, [1, 2]),
  );
  const copied = await killedOnTheWay(
    { do: 'copy', from: 0, to: [2] },
    { longestLife: 350, traces: () => [...names(), ...tracesOfPrints(dataDir, templates)] },
  );

  expect([imported, copied]).toEqual([
    { kills: KILLS_EACH, state: 'done', found: [] },
    { kills: KILLS_EACH, state: 'done', found: [] },
  ]);
  for (const device of [0, 1, 2]) {
    expect(peopleOn(device).toSorted()).toEqual(
      NUMBERS.map((each) => `${each} Underhill ${each}`).toSorted(),
    );
    expect(applied({ site }, device)).toHaveLength(NUMBERS.length);
  }
  expect(written(site, 2).toSorted()).toEqual(
    WITH_PRINTS.flatMap((employeeNo) => [`${employeeNo}/1 1`, `${employeeNo}/1 2`]).toSorted(),
  );
});
