/** `device replace`: shown first, then done in one job that outlives a kill at any point. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FINGERPRINTS } from '#simulator/areas/people/fingerprint-readers.ts';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import type { Job } from '#shared/model.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { makeFolder, run, start, type Folder } from './helpers.ts';

const env = { FIELDWRIGHT_PASSWORD: 'Patient-1' };
let site: Site;
let folder: Folder;
async function close(): Promise<void> {
  await site.close();
  folder.remove();
}

async function open(): Promise<readonly string[]> {
  folder = makeFolder();
  site = await startSite({
    devices: 2,
    kinds: ['gate'],
    models: ['standard', 'compact'],
    password: 'Patient-1',
    latencyMs: 5,
  });
  const [old = '', by = ''] = site.devices.map(({ url }) => url);
  await run(folder, ['device', 'add', old, '--name', 'Lobby', '--tag', 'doors', '--user', 'admin'], { env });
  await run(folder, ['device', 'test', 'Lobby'], { env });
  return ['device', 'replace', 'Lobby', '--by', by];
}

const count = (nth: number): number => site.device(nth).part(PEOPLE).count;
/** Settings that the new device shows. */
const capture = async (): Promise<string> =>
  (await run(folder, ['template', 'capture', '--device', site.devices[1]?.url ?? ''], { env })).stdout;
const WRITES = /\.put$|setUp$/;
const applied = (wanted = WRITES): number =>
  site
    .device(1)
    .requests.filter(({ operation = '', http, applied }) => wanted.test(operation) && applied && http !== 401)
    .length;

const createPerson = (nth: number): Readonly<Record<string, unknown>> => ({
  employeeNo: `E${nth}`,
  name: `Underhill ${nth}`,
  userType: 'normal',
  Valid: { enable: false, beginTime: '2026-01-01T00:00:00', endTime: '2037-12-31T23:59:59' },
  doorRight: '1',
});

describe('device replace', () => {
  afterAll(close);

  it('shows what becomes of the device before it sends anything, and lists it in the archive afterwards', async () => {
    const replace = await open();

    const shown = await run(folder, [...replace, '--dry-run', '--json'], { env });
    const listed = (await run(folder, ['device', 'list', '--json'])).json<readonly object[]>();
    const job = (await run(folder, [...replace, '--yes', '--json'], { env })).json<Job>();
    const archived = (await run(folder, ['device', 'list', '--archived', '--json'])).json();
    const devices = (await run(folder, ['device', 'list', '--json'])).json();

    expect(shown.code).toBe(0);
    expect(Object.keys(shown.json<object>())).toEqual(
      expect.arrayContaining(['kept', 'converted', 'lost', 'byHand', 'people', 'fingerprints']),
    );
    expect(listed).toHaveLength(1);
    expect(job).toMatchObject({ kind: 'replacement' });
    expect(archived).toMatchObject([{ device: { name: 'Lobby' }, replacedBy: { name: 'Lobby' } }]);
    expect(devices).toMatchObject([{ name: 'Lobby', url: site.devices[1]?.url, tags: ['doors'] }]);
  });
});

describe('a replacement that is killed', () => {
  const POINTS = 20;
  let replace: readonly string[];
  let before: { readonly settings: string; readonly people: number; readonly prints: number };
  const prints = (nth: number): number =>
    PRINTED.reduce((sum, each) => sum + site.device(nth).part(FINGERPRINTS).countOf(each), 0);
  const PRINTED = ['E0', 'E4', 'E8'];
  beforeAll(async () => {
    replace = await open();
    const by = site.devices[1]?.url ?? '';
    await run(folder, ['device', 'add', by, '--user', 'admin'], { env });
    await run(folder, ['device', 'test', by], { env });
    before = { settings: await capture(), people: count(1), prints: prints(1) };
    for (let nth = 0; nth < 20; nth += 1) site.device(0).part(PEOPLE).put(`E${nth}`, createPerson(nth), true);
    for (const each of PRINTED) site.device(0).part(FINGERPRINTS).present(each, 1, [1]);
  });
  afterAll(close);

  // Would catch: settings, people or fingerprints that are sent twice or left out after a kill, a device that is in both
  // lists or in none, and an undo that forgets a part which was cut off.
  it.each(Array.from({ length: POINTS }, (_, nth) => nth + 1))(
    `at write %i of the first ${POINTS}, is gone on with, and is undone to the byte`,
    async (at) => {
      const first = {
        all: applied(),
        people: applied(/users\.setUp$/),
        prints: applied(/fingerprints\.setUp$/),
      };
      const killed = start(folder, [...replace, '--yes'], env);
      await expect
        .poll(() => applied() - first.all, { timeout: 60_000, interval: 1 })
        .toBeGreaterThanOrEqual(at);
      killed.child.kill('SIGKILL');
      await killed.ended;
      const jobs = (await run(folder, ['jobs', 'list', '--json'])).json<readonly Job[]>();
      const { id = '' } = jobs.find(({ kind }) => kind === 'replacement') ?? {};
      await run(folder, ['jobs', 'resume', id, '--yes'], { env });
      const ended = (await run(folder, ['jobs', 'show', id, '--json'])).json<{
        readonly results: readonly { readonly sections: readonly { readonly outcome: string }[] }[];
      }>();
      const there = { people: count(1), prints: prints(1) };
      const sent = { people: applied(/users\.setUp$/), prints: applied(/fingerprints\.setUp$/) };
      const undone = await run(folder, ['jobs', 'undo', id, '--yes', '--json'], { env });

      expect(ended.results[0]?.sections.map(({ outcome }) => outcome)).toEqual(Array(3).fill('effective'));
      expect(there).toEqual({ people: before.people + 20, prints: 3 });
      expect([sent.people - first.people, sent.prints - first.prints]).toEqual([20, 3]);
      expect(undone.json()).toMatchObject({ state: 'done' });
      expect(await capture()).toBe(before.settings);
      expect([count(1), prints(1)]).toEqual([before.people, before.prints]);
      expect((await run(folder, ['device', 'list', '--archived', '--json'])).json()).toEqual([]);
    },
  );
});
