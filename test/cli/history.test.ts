/** History, retry and restarts through the command line. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job, JobSummary } from '#shared/model.ts';
import { errorOf, makeFolder, run, startSite, type Ran, type StartedSite } from './helpers.ts';

const folder = makeFolder();
let site: StartedSite;
let restarting: StartedSite;

beforeAll(async () => {
  site = await startSite(folder, [
    '--devices',
    '3',
    '--kinds',
    'thermal',
    '--models',
    'standard,compact,standard',
  ]);
  restarting = await startSite(folder, [
    '--devices',
    '1',
    '--kinds',
    'thermal',
    '--fault',
    'reboot',
    '--restart-after',
    '1',
  ]);
});
afterAll(async () => {
  await site.stop();
  await restarting.stop();
  folder.remove();
});

const url = (index: number): string => site.devices[index]?.url ?? '';

function templateFile(name: string, distance: number, mode = 'normal'): string {
  const file = folder.file(`${name}.yaml`);
  writeFileSync(
    file,
    `fieldwright: template/1\nname: ${name}\nsections:\n  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value: { distance: ${distance} }\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mode: ${mode} }\n`,
  );
  return file;
}

const apply = (file: string, ...devices: readonly string[]): Promise<Ran> =>
  run(
    folder,
    ['apply', '--template', file, ...devices.flatMap((device) => ['--device', device]), '--yes', '--json'],
    { env: site.env },
  );

describe('jobs list and export', () => {
  it('find by text and device, and write what matches as a table', async () => {
    const one = (await apply(templateFile('Alpha', 7), url(0))).json<Job>();
    const two = (await apply(templateFile('Beta', 8), url(2))).json<Job>();
    const list = async (...args: readonly string[]): Promise<readonly string[]> =>
      (await run(folder, ['jobs', 'list', '--json', ...args]))
        .json<readonly JobSummary[]>()
        .map(({ id }) => id);

    expect(await list()).toEqual([two.id, one.id]);
    expect(await list('--text', 'ALPHA')).toEqual([one.id]);
    expect(await list('--device', url(2))).toEqual([two.id]);
    expect(await list('--state', 'failed')).toEqual([]);
    expect(await list('--from', '2999-01-01')).toEqual([]);
    expect(await list('--limit', '1')).toEqual([two.id]);

    const file = folder.file('history.csv');
    expect((await run(folder, ['jobs', 'export', '--text', 'alpha', '--out', file])).code).toBe(0);
    const rows = parse(readFileSync(file), { columns: true, bom: true }) as Record<string, string>[];
    expect(rows).toMatchObject([
      { job: one.id, by: 'tester', path: 'distance', from: '5', to: '7', outcome: 'effective' },
      { section: 'thermal.thermometryMode', outcome: 'unchanged' },
    ]);
    expect((await run(folder, ['jobs', 'export', '--format', 'json', '--out', '-'])).json()).toMatchObject({
      fieldwright: 'history/1',
    });
    expect(errorOf(await run(folder, ['jobs', 'export', '--json'])).code).toBe('usage');
    expect(errorOf(await run(folder, ['jobs', 'list', '--state', 'gone', '--json'])).code).toBe('usage');
  });
});

describe('jobs retry', () => {
  it('plans again those that did not get through, and says so where all did', async () => {
    // The compact camera has no expert mode.
    const first = await apply(templateFile('Gamma', 9, 'expert'), url(0), url(1));
    const { id } = first.json<Job>();
    expect(first.code).toBe(1);

    const again = await run(folder, ['jobs', 'retry', id, '--yes', '--json'], { env: site.env });
    expect(again.json<Job>().results).toMatchObject([{ url: url(1) }]);
    expect(again.code).toBe(1);
    const done = (await apply(templateFile('Delta', 10), url(0))).json<Job>();
    expect(
      errorOf(await run(folder, ['jobs', 'retry', done.id, '--yes', '--json'], { env: site.env })).code,
    ).toBe('not-allowed');
    expect(errorOf(await run(folder, ['jobs', 'retry', id, '--json'], { env: site.env })).code).toBe(
      'confirmation-needed',
    );
  });
});

it('jobs follow-up waits for the restart and tells what the device shows then', async () => {
  const env = restarting.env;
  const device = restarting.devices[0]?.url ?? '';
  const job = (
    await run(
      folder,
      ['apply', '--template', templateFile('Epsilon', 6), '--device', device, '--yes', '--json'],
      { env },
    )
  ).json<Job>();
  expect(job).toMatchObject({ counts: { 'needs-reboot': 1, unchanged: 1 }, rebootPending: 1 });

  const followed = await run(folder, ['jobs', 'follow-up', job.id, '--wait', '60', '--json'], { env });
  expect(followed.code).toBe(0);
  expect(followed.json<Job>()).toMatchObject({
    jobId: job.id,
    state: 'done',
    counts: { effective: 1, unchanged: 1 },
  });
  expect(errorOf(await run(folder, ['jobs', 'follow-up', job.id, '--json'], { env })).code).toBe(
    'not-allowed',
  );
});

it('a reviewed plan leaves a device alone that changed since, unless told otherwise', async () => {
  const plan = folder.file('plan.json');
  await run(
    folder,
    ['plan', '--template', templateFile('Zeta', 11), '--device', url(0), '--out', plan, '--force'],
    {
      env: site.env,
    },
  );
  await apply(templateFile('Eta', 12), url(0));
  const careful = await run(folder, ['apply', '--plan', plan, '--yes', '--json'], { env: site.env });
  expect(careful.json<Job>().results[0]?.error).toMatchObject({ code: 'plan-outdated' });
  const told = await run(folder, ['apply', '--plan', plan, '--yes', '--accept-drift', '--json'], {
    env: site.env,
  });
  expect(told.json<Job>()).toMatchObject({ state: 'done', counts: { effective: 1, unchanged: 1 } });
});
