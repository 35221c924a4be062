/** Each kind of work that waits for a device: killed while it is done, and gone on with, without anything done twice. */
import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import type { DeviceKind, OpenWork } from '#shared/model.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { line } from '../engine/fingerprints/site-with-prints.ts';
import { LANES, makeFolder, run, start, type Folder } from './helpers.ts';

const env = { FIELDWRIGHT_PASSWORD: 'Patient-1' };
let site: Site;
let folder: Folder;
async function open(kind: DeviceKind): Promise<void> {
  folder = makeFolder();
  site = await startSite({ devices: 2, kinds: [kind], password: 'Patient-1', latencyMs: 15 });
}
afterEach(async () => {
  await site.close();
  folder.remove();
});

const both = (): string[] => site.devices.flatMap(({ url }) => ['--device', url]);
const count = (nth: number, operation: string): number =>
  site.device(nth).requests.filter((request) => request.operation === operation && request.applied).length;

/** Runs a command while device 1 is off, then its open work twice: the first run is killed at its first write. */
async function runWithOneAway(args: readonly string[], operation: string): Promise<void> {
  const before = count(1, operation);
  await site.device(1).unplug();
  const begun = await run(folder, [...args, '--when-back', '--yes'], { env });
  const open = (await run(folder, ['work', 'list', '--json'])).json<readonly OpenWork[]>();
  await site.device(1).plugIn();
  const killed = start(folder, ['work', 'run'], env);
  await expect.poll(() => count(1, operation)).toBeGreaterThan(before);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const last = await run(folder, ['work', 'run', '--json'], { env });
  const left = (await run(folder, ['work', 'list', '--json'])).json();

  expect(begun.code).toBe(4);
  expect(open).toMatchObject([{ device: site.devices[1]?.url, reason: 'away' }]);
  expect([last.code, left]).toEqual([0, []]);
}

describe('open work', () => {
  const people = (): string => {
    const path = folder.file('people.csv');
    const rows = Array.from({ length: 12 }, (_, nth) => `${8000 + nth},Person ${nth}\n`);
    writeFileSync(path, `employeeNo,name\n${rows.join('')}`);
    return path;
  };

  // Would catch: people that are sent a second time after the kill, or left out.
  it('of an import of people is done once for each of them', async () => {
    await open('gate');
    const had = site.device(1).part(PEOPLE).count;
    await runWithOneAway(['users', 'import', people(), ...both()], 'accessControl.users.setUp');
    expect([0, 1].map((nth) => site.device(nth).part(PEOPLE).count - had)).toEqual([12, 12]);
    expect(count(1, 'accessControl.users.setUp')).toBe(12);
  });

  // Would catch: a person who leaves and keeps the doors of the terminal that was off that day.
  it('of a removal of people takes them off the terminal that was off, too', async () => {
    await open('gate');
    await run(folder, ['users', 'import', people(), ...both(), '--yes'], { env });
    const had = site.device(1).part(PEOPLE).count;
    const leavers = ['8000', '8001', '8002', '8003'];
    await runWithOneAway(['users', 'remove', ...leavers, ...both()], 'accessControl.users.setUp');
    expect(had - site.device(1).part(PEOPLE).count).toBe(leavers.length);
  });

  // Would catch: fingerprints that are lost with the program that held them, or that lie readable in the data folder meanwhile.
  it('of an import of fingerprints outlives the program that was given them', async () => {
    await open('gate');
    const path = folder.file('in.ndjson');
    const fingers = [2, 3, 4, 5, 6, 7];
    writeFileSync(path, fingers.map((finger) => `${line('1001', finger)}\n`).join(''));
    await runWithOneAway(
      ['fingerprints', 'import', path, ...both(), '--reader', '1'],
      'accessControl.fingerprints.setUp',
    );
    expect(count(1, 'accessControl.fingerprints.setUp')).toBe(fingers.length);
  });

  // Would catch: an undo that is forgotten because the device was off, or that is carried out twice.
  it('of an undo puts back what the job had found', async () => {
    await open('thermal');
    const file = folder.file('t.yaml');
    writeFileSync(file, LANES);
    const shown = (): unknown => site.device(1).state().documents;
    const basics = ['apply', '--template', file, ...both(), '--yes', '--json', '--values'];
    await run(folder, [...basics, 'distance=6'], { env });
    const before = shown();
    const { jobId } = (await run(folder, [...basics, 'distance=9'], { env })).json<{
      readonly jobId: string;
    }>();
    await runWithOneAway(['jobs', 'undo', jobId], 'thermal.thermometryBasic.put');

    expect(shown()).toEqual(before);
    expect(count(1, 'thermal.thermometryBasic.put')).toBe(3);
  });
});
