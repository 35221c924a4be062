/** `jobs resume|undo` through the command line against a virtual site in another process. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#engine/host/clock.ts';
import { openStore } from '#engine/store/index.ts';
import type { Job, JobSummary } from '#shared/model.ts';
import { errorOf, makeFolder, run, start, startSite, type Ran, type StartedSite } from './helpers.ts';

const folder = makeFolder();
let site: StartedSite;

beforeAll(async () => {
  site = await startSite(folder, [
    '--devices',
    '4',
    '--kinds',
    'thermal,gate',
    '--latency',
    '20',
    '--prefix',
    '/Device',
  ]);
});
afterAll(async () => {
  await site.stop();
  folder.remove();
});

const url = (index: number): string => site.devices[index]?.url ?? '';
const prefixed = ['--prefix', '/Device'];

function basics(distance: number): string {
  const file = folder.file(`basics-${distance}.yaml`);
  writeFileSync(
    file,
    `fieldwright: template/1\nname: Basics\nsections:\n  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value: { distance: ${distance} }\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mode: ${distance % 2 === 0 ? 'normal' : 'expert'} }\n`,
  );
  return file;
}

const apply = (distance: number, ...devices: readonly number[]): Promise<Ran> =>
  run(
    folder,
    [
      'apply',
      '--template',
      basics(distance),
      ...devices.flatMap((index) => ['--device', url(index)]),
      ...prefixed,
      '--yes',
      '--json',
    ],
    { env: site.env },
  );

async function body(index: number): Promise<string> {
  return (
    await run(
      folder,
      [
        'call',
        'thermal.thermometryBasic.get',
        '--param',
        'channelID=1',
        '--raw',
        '--device',
        url(index),
        ...prefixed,
      ],
      { env: site.env },
    )
  ).stdout;
}

describe('jobs resume', () => {
  it('finishes after the process was killed in the middle, with the sign-in given again and the rest from the journal', async () => {
    const running = start(
      folder,
      [
        'apply',
        '--template',
        basics(7),
        '--device',
        url(0),
        '--device',
        url(2),
        ...prefixed,
        '--yes',
        '--json',
        '--progress',
        '--concurrency',
        '1',
      ],
      site.env,
    );
    running.child.stdout?.on('data', (text: string) => {
      if (text.includes('"phase":"writing"')) running.child.kill('SIGKILL');
    });
    await running.ended;
    const [job] = (await run(folder, ['jobs', 'list', '--json'])).json<readonly JobSummary[]>();

    const result = await run(folder, ['jobs', 'resume', job?.id.slice(0, 10) ?? '', '--json'], {
      env: site.env,
    });

    expect(job).toMatchObject({ state: 'interrupted', resumable: true });
    expect(result.code).toBe(0);
    expect(result.json<Job & { jobId: string }>()).toMatchObject({
      jobId: job?.id,
      id: job?.id,
      kind: 'apply',
      state: 'done',
    });
    expect(await body(0)).toContain('<distance>7</distance>');
    expect(await body(2)).toContain('<distance>7</distance>');
  });

  // Would catch: after a crash a job stays "being worked on", and nothing can be done about it.
  it('takes over a job of a program that seems to live, after a yes alone', async () => {
    const { id } = (await apply(3, 0, 2)).json<Job>();
    const store = openStore(folder.file('data'), { clock: systemClock });
    store.update(
      'jobs',
      { state: 'running', owner_process: process.ppid, owner_engine: 'gone', owner_started: null },
      { id },
    );
    store.update('job_units', { outcome: 'pending', phase: 'intent' }, { job_id: id, position: 0, idx: 0 });
    store.close();
    const resume = (...more: string[]) =>
      run(folder, ['jobs', 'resume', id, ...more, '--json'], { env: site.env });

    const [without, unasked] = [await resume('--yes'), await resume('--take-over')];
    const taken = await resume('--take-over', '--yes');

    expect([without.code, errorOf(without)]).toMatchObject([
      2,
      { code: 'not-available', hint: expect.stringContaining('--take-over') as unknown },
    ]);
    expect([unasked.code, errorOf(unasked).code]).toEqual([2, 'confirmation-needed']);
    expect([taken.code, taken.json<Job>().state]).toEqual([0, 'done']);
  });

  it('says that a done job is done, exit 0', async () => {
    const { id } = (await apply(9, 0)).json<Job>();

    const result = await run(folder, ['jobs', 'resume', id, '--yes', '--json'], { env: site.env });

    expect(result.code).toBe(0);
    expect(result.json()).toMatchObject({ jobId: id, state: 'done' });
    expect(result.stderr).toContain('left to do');
  });

  it('ends with 3 where the sign-in was not given again, and the job can still be resumed', async () => {
    const stopped = await run(
      folder,
      ['apply', '--template', basics(5), '--device', url(0), ...prefixed, '--yes', '--json'],
      { env: { FIELDWRIGHT_PASSWORD: 'Wrong-1' } },
    );
    expect(stopped.json<{ readonly results: readonly unknown[] }>().results).toHaveLength(1);
    const [job] = (await run(folder, ['jobs', 'list', '--json'])).json<readonly JobSummary[]>();

    const without = await run(folder, ['jobs', 'resume', job?.id ?? '', '--json']);
    const finished = await run(folder, ['jobs', 'resume', job?.id ?? '', '--yes', '--json'], {
      env: site.env,
    });

    expect(without.code).toBe(3);
    expect(without.json()).toMatchObject({ resumable: true });
    expect([finished.code, finished.json<Job>().state]).toEqual([0, 'done']);
  });

  it.each([['resume'], ['undo']])('%s of a job that never was ends with 2', async (command) => {
    const result = await run(folder, ['jobs', command, 'j-nothing', '--yes', '--json'], { env: site.env });

    expect([result.code, errorOf(result).code]).toEqual([2, 'not-found']);
  });
});

describe('jobs undo', () => {
  it('puts back what was there, on one device or on all, and is a job in the list', async () => {
    await apply(4, 0, 2);
    const before = [await body(0), await body(2)];
    const { id } = (await apply(11, 0, 2)).json<Job>();
    const applied = await body(2);

    const one = await run(folder, ['jobs', 'undo', id, '--device', url(0), '--yes', '--json'], {
      env: site.env,
    });
    const between = [await body(0), await body(2)];
    const all = await run(folder, ['jobs', 'undo', id, '--yes', '--json'], { env: site.env });

    expect(one.code).toBe(0);
    expect(one.json<Job & { jobId: string }>()).toMatchObject({
      kind: 'undo',
      undoOf: id,
      state: 'done',
      devices: 1,
      counts: { effective: 2 },
    });
    expect(between).toEqual([before[0], applied]);
    expect(all.json()).toMatchObject({ state: 'done', counts: { effective: 2, unchanged: 2 } });
    expect([await body(0), await body(2)]).toEqual(before);
    const [latest] = (await run(folder, ['jobs', 'list', '--json'])).json<readonly JobSummary[]>();
    expect(latest).toMatchObject({ kind: 'undo', undoOf: id });
  });

  it('sends nothing without a confirmation, exit 2', async () => {
    await apply(4, 0);
    const { id } = (await apply(13, 0)).json<Job>();

    const result = await run(folder, ['jobs', 'undo', id, '--json'], { env: site.env });
    const forPeople = await run(folder, ['jobs', 'undo', id], { env: site.env });

    expect([result.code, errorOf(result).code]).toEqual([2, 'confirmation-needed']);
    expect(forPeople.code).toBe(2);
    expect(forPeople.stdout).toMatch(/Distance: 13 → 4 m/);
    expect(await body(0)).toContain('<distance>13</distance>');
  });

  it('shows what became of every device, also where each has other settings', async () => {
    const both = ['--device', url(0), '--device', url(1), ...prefixed, '--yes', '--json'];
    const applied = await run(folder, ['apply', '--template', 'site-basics', ...both], { env: site.env });

    const result = await run(folder, ['jobs', 'undo', applied.json<Job>().id, '--yes'], { env: site.env });

    const [, , gate] = (
      /^DEVICE .*thermometrySchedule.*hostConfig[^]*?\n\n/m.exec(result.stdout)?.[0] ?? ''
    ).split('\n');
    expect(gate).toMatch(/^127\.0\.0\.1:\d+ .*Verified/);
  });

  it('names a device that the job did not write to', async () => {
    const { id } = (await apply(6, 0)).json<Job>();

    const result = await run(folder, ['jobs', 'undo', id, '--device', url(2), '--yes', '--json'], {
      env: site.env,
    });

    expect([result.code, errorOf(result).code]).toEqual([2, 'unknown-device']);
  });

  it('says that nothing can be undone where nothing was written', async () => {
    await apply(6, 0);
    const { id } = (await apply(6, 0)).json<Job>();

    const result = await run(folder, ['jobs', 'undo', id, '--yes', '--json'], { env: site.env });

    expect([result.code, errorOf(result).code]).toEqual([2, 'not-allowed']);
  });

  it('tells people what it did where others had changed something since', async () => {
    await apply(4, 0);
    const { id } = (await apply(15, 0)).json<Job>();
    const file = folder.file('other.yaml');
    writeFileSync(
      file,
      'fieldwright: template/1\nname: Other\nsections:\n  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value: { alarmInterval: 33 }\n',
    );
    await run(folder, ['apply', '--template', file, '--device', url(0), ...prefixed, '--yes', '--json'], {
      env: site.env,
    });

    const result = await run(folder, ['jobs', 'undo', id, '--yes'], { env: site.env });

    expect(result.code).toBe(0);
    expect(result.stderr).toContain('only what the job had changed');
    expect(await body(0)).toMatch(/<distance>4<[^]*<alarmInterval>33</);
  });
});
