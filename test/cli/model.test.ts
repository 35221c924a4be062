/** `model …` as a script uses it: plans, exit codes, lines of progress, changes of one device. */
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobSummary } from '#shared/model.ts';
import type { ModelPlan } from '#shared/ai-models/ai-models.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { errorOf, makeFolder, run, type Folder, type Ran } from './helpers.ts';

let site: Site;
let folder: Folder;
let file: string;
const env = { FIELDWRIGHT_PASSWORD: 'Models-1' };

beforeEach(async () => {
  site = await startSite({ devices: 2, kinds: ['ai'], password: 'Models-1' });
  folder = makeFolder();
  file = folder.file('helmet.bin');
  writeFileSync(file, Buffer.alloc(2_000_000, 5));
});
afterEach(async () => {
  await site.close();
  folder.remove();
});

function devices(...which: readonly number[]): readonly string[] {
  return which.flatMap((nth) => ['--device', site.devices[nth]?.url ?? '']);
}
function model(args: readonly string[], which: readonly number[] = [0]): Promise<Ran> {
  return run(folder, ['model', ...args, ...devices(...which), '--json'], { env });
}
function send(...more: readonly string[]): readonly string[] {
  return ['send', '--file', file, '--mpid', 'helmet-7', '--engine', '2', ...more];
}
function writes(nth: number): number {
  return site.device(nth).requests.filter(({ method, http }) => method !== 'GET' && http !== 401).length;
}
interface Sent {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly results: readonly {
    readonly state: string;
    readonly sections: readonly {
      readonly step: string;
      readonly stage: string;
      readonly outcome: string;
      readonly log?: readonly object[];
    }[];
  }[];
}

describe('model send', () => {
  // Would catch: a package deleted from a device by a script that did not ask for it.
  it.each([
    [[], false],
    [['--keep-previous'], false],
    [['--remove-previous'], true],
  ])('deletes a package that leaves its engine only if asked to: %j', async (how, deletes) => {
    const sent = await model(
      ['send', '--file', file, '--mpid', 'helmet-7', '--engine', '1', '--yes', ...how],
      [0],
    );

    const steps = sent.json<Sent>().results[0]?.sections.map(({ step }) => step) ?? [];
    expect(steps.includes('previous')).toBe(deletes);
    expect(sent.code).toBe(4);
  });

  // Would catch: a script whose device was written to without a yes, or after a dry run.
  it('sends nothing without a yes, and says on a dry run what would happen', async () => {
    const asked = await model(send());
    expect(asked.code).toBe(2);
    expect(errorOf(asked)).toMatchObject({ code: 'confirmation-needed' });

    const dry = await model(send('--engine', '1', '--dry-run'));
    expect(dry.code).toBe(0);
    expect(dry.json<ModelPlan>()).toMatchObject({
      mpid: 'helmet-7',
      devices: [
        {
          state: 'ready',
          engines: [{ engine: 2 }, { engine: 1, replaces: { MPID: 'delivered-safety-helmet' } }],
        },
      ],
    });
    expect(writes(0)).toBe(0);
  });

  // Would catch: a line that goes back, a device without one, a job that is not the last line.
  it('ends with 4 where devices wait for their restart, and a follow-up goes on', async () => {
    const sent = await run(folder, ['model', ...send('--yes', '--progress'), ...devices(0, 1), '--json'], {
      env,
    });
    expect(sent.code).toBe(4);
    const lines = sent.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const job = lines.at(-1) as unknown as Sent & { readonly jobId: string };
    expect(job).toMatchObject({
      kind: 'model',
      state: 'done',
      rebootPending: 2,
      model: { mpid: 'helmet-7' },
    });
    for (const { url } of site.devices) {
      const own = lines.filter(({ device }) => device === url);
      expect(own.at(-1)).toMatchObject({
        served: 2_000_000,
        percent: 100,
        eta: 0,
        stage: 'waits-for-restart',
      });
      const percents = own.map(({ percent }) => percent as number);
      expect(percents).toEqual(percents.toSorted((a, b) => a - b));
      for (const line of own)
        expect(Object.keys(line)).toEqual(
          expect.arrayContaining(['device', 'served', 'percent', 'rate', 'eta', 'stage']),
        );
    }

    for (const nth of [0, 1]) await site.device(nth).restart();
    const timer = setInterval(() => [0, 1].forEach((nth) => site.device(nth).clock.advance(3_000)), 100);
    try {
      const followed = await run(folder, ['jobs', 'follow-up', job.jobId, '--json'], { env });
      if (followed.code !== 0) throw new Error(followed.stdout);
      expect(followed.code).toBe(0);
      const done = followed.json<Sent>();
      expect(
        done.results.map(({ sections }) =>
          sections.map(({ stage }) => stage).filter((stage) => stage === 'proved'),
        ),
      ).toEqual([['proved'], ['proved']]);
    } finally {
      clearInterval(timer);
    }
    const shown = await run(folder, ['jobs', 'show', job.jobId], {});
    expect(shown.stdout).toContain('The device lists the package.');
    const chinese = await run(folder, ['jobs', 'show', job.jobId, '--lang', 'zh-CN'], {});
    expect(chinese.stdout).toContain('设备已列出该模型包。');
    const exported = await run(folder, ['jobs', 'export', '--out', '-'], {});
    expect(exported.stdout).toContain('Fetched: 1.9 MB');
    // The address opens the file without a further check.
    expect(shown.stdout + exported.stdout).not.toMatch(/http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}/);
  });

  // Would catch: a wrong exit code, or a device that was asked although it could not take the package.
  it.each([
    [
      'a file that is not there',
      ['send', '--file', 'gone.bin', '--mpid', 'x', '--yes'],
      2,
      'unreadable-file',
    ],
    ['an id that is too long', ['send', '--file', 'FILE', '--mpid', 'x'.repeat(65), '--yes'], 2, 'too-long'],
    [
      'an engine that is no number',
      ['send', '--file', 'FILE', '--mpid', 'x', '--engine', 'a', '--yes'],
      2,
      'usage',
    ],
    ['no id', ['send', '--file', 'FILE', '--yes'], 2, 'usage'],
  ])('refuses %s', async (_name, args, code, problem) => {
    const ran = await model(args.map((arg) => (arg === 'FILE' ? file : arg)));

    expect(ran.code).toBe(code);
    expect(errorOf(ran).code).toBe(problem);
    expect(writes(0)).toBe(0);
  });

  it('ends with 1 where a device is blocked, and with 3 where none can be reached', async () => {
    const used = await model(['send', '--file', file, '--mpid', 'delivered-safety-helmet', '--yes']);
    expect(used.code).toBe(1);
    expect(used.json<{ results: readonly { error: object }[] }>().results[0]?.error).toMatchObject({
      code: 'not-allowed',
    });

    const gone = await run(folder, ['model', ...send('--yes'), '--device', 'http://127.0.0.1:9', '--json'], {
      env,
    });
    expect(gone.code).toBe(3);
  });
});

describe('what is on a device', () => {
  it('is listed: packages, engines, room', async () => {
    expect((await model(['list'])).json()).toEqual({
      packages: [{ MPID: 'delivered-safety-helmet', MPName: 'Safety helmet', status: 1, engines: [1] }],
    });
    expect((await model(['engines'])).json()).toMatchObject({
      engines: [
        { engine: 1, status: 1 },
        { engine: 2, status: 0, MPID: '' },
      ],
    });
    expect((await model(['storage'], [0, 1])).json()).toMatchObject([
      { device: site.devices[0]?.url, total: 4096, free: 3916, packages: 1 },
      { device: site.devices[1]?.url },
    ]);
  });

  // Would catch: a change that is not read back, or one that a person did not agree to.
  it('is changed after a yes, and read back', async () => {
    expect((await model(['unload', '--engine', '1'])).code).toBe(2);
    expect(writes(0)).toBe(0);
    const unloaded = await model(['unload', '--engine', '1', '--yes']);
    expect(unloaded.json()).toMatchObject({ outcome: 'effective', status: 0, mpid: '' });

    const timer = setInterval(() => site.device(0).clock.advance(3_000), 100);
    const loaded = await model(['load', '--engine', '2', '--mpid', 'delivered-safety-helmet', '--yes']);
    clearInterval(timer);
    expect(loaded.json()).toMatchObject({ outcome: 'effective', status: 1 });
    const kept = await model(['remove', '--mpid', 'delivered-safety-helmet', '--yes']);
    expect(kept.code).toBe(2);
    expect(errorOf(kept)).toMatchObject({ code: 'not-allowed', detail: { id: 'model.still-loaded' } });

    await model(['unload', '--engine', '2', '--yes']);
    expect((await model(['remove', '--mpid', 'delivered-safety-helmet', '--yes'])).json()).toMatchObject({
      outcome: 'effective',
    });
    expect((await model(['list'])).json()).toEqual({ packages: [] });
    const jobs = (await run(folder, ['jobs', 'list', '--json'])).json<readonly JobSummary[]>();
    expect(jobs.filter(({ kind }) => kind === 'call').map(({ title }) => title)).toEqual([
      'Delete a model package',
      'Unload the model from an engine',
      'Load a model package into an engine',
      'Unload the model from an engine',
    ]);
  });
});
