/** `--when-back` and `work` over two kills: everything is done in the end, nothing twice, and what changed is asked about. */
import { writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import type { Job, OpenWork } from '#shared/model.ts';
import { applyPlan, asAnotherProgram, makePlan, template } from '#test/engine/site-engine.ts';
import { startSite } from '../helpers/strict-site.ts';
import { makeFolder, run, start } from './helpers.ts';

const folder = makeFolder();
afterAll(() => folder.remove());

const DEVICES = 300;
/** Devices that are off while the job is begun; one of them is changed by another program before it is back. */
const OFF = Array.from({ length: 40 }, (_, nth) => DEVICES - 40 + nth);
const CHANGED = DEVICES - 1;
const TEXT = template('set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: { distance: 9 }');

it('survives two kills, writes nothing twice and asks about what changed meanwhile', async () => {
  const site = await startSite({ devices: DEVICES, kinds: ['thermal'], password: 'Patient-1' });
  try {
    const env = { FIELDWRIGHT_PASSWORD: 'Patient-1' };
    const [file, plan] = [folder.file('t.yaml'), folder.file('t.plan.json')];
    writeFileSync(file, TEXT);
    const all = site.devices.flatMap(({ url }) => ['--device', url]);
    const writes = (nth: number): number =>
      site.device(nth).requests.filter(({ method, http }) => method === 'PUT' && http !== 401).length;
    expect((await run(folder, ['plan', '--template', file, ...all, '--out', plan], { env })).code).toBe(0);
    for (const nth of OFF) await site.device(nth).unplug();

    const first = start(
      folder,
      ['apply', '--plan', plan, '--yes', '--when-back', '--json', '--progress', '--concurrency', '1'],
      env,
    );
    first.child.stdout?.on('data', (text: string) => {
      if (text.includes('"effective"')) first.child.kill('SIGKILL');
    });
    await first.ended;
    const list = async (): Promise<readonly OpenWork[]> =>
      (await run(folder, ['work', 'list', '--json'])).json<readonly OpenWork[]>();
    expect((await list()).map(({ reason }) => reason)).toContain('interrupted');

    for (const nth of OFF) await site.device(nth).plugIn();
    await asAnotherProgram({ site }, CHANGED, async (engine, id) => {
      const other = template(
        'set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: { distance: 7 }',
      );
      await applyPlan(engine, await makePlan({ engine, ids: [id] }, other));
    });
    const changedBefore = writes(CHANGED);
    const second = start(folder, ['work', 'run', '--json'], env);
    await expect.poll(() => OFF.some((nth) => nth !== CHANGED && writes(nth) > 0)).toBe(true);
    second.child.kill('SIGKILL');
    await second.ended;

    const last = await run(folder, ['work', 'run', '--json'], { env });
    const summary = JSON.parse(last.stdout.trim().split('\n').at(-1) ?? '') as object;
    expect(last.code).toBe(4);
    expect(summary).toMatchObject({ type: 'summary', failed: 0, open: 1 });
    const [left, ...others] = await list();
    expect(others).toEqual([]);
    expect(left).toMatchObject({ id: `${left?.job}.${CHANGED}`, kind: 'apply', reason: 'changed' });
    expect(writes(CHANGED)).toBe(changedBefore);
    expect(Array.from({ length: CHANGED }, (_, nth) => writes(nth))).toEqual(Array(CHANGED).fill(1));

    const dropped = await run(folder, ['work', 'drop', left?.id ?? '', '--reason', 'Stays at 7', '--json']);
    expect(dropped.json()).toEqual({ dropped: left?.id });
    expect((await run(folder, ['jobs', 'show', left?.job ?? '', '--json'])).json<Job>()).toMatchObject({
      dropped: 1,
      deviceCounts: { done: CHANGED, attention: 1 },
    });
  } finally {
    await site.close();
  }
});

it('ends with 4 and the number of open work, and does it when the device is back', async () => {
  const site = await startSite({ devices: 2, kinds: ['thermal'], password: 'Patient-1' });
  const own = makeFolder();
  try {
    const env = { FIELDWRIGHT_PASSWORD: 'Patient-1' };
    const file = folder.file('u.yaml');
    writeFileSync(file, TEXT);
    await site.device(1).unplug();
    const all = site.devices.flatMap(({ url }) => ['--device', url]);

    const applied = await run(own, ['apply', '--template', file, ...all, '--yes', '--when-back', '--json'], {
      env,
    });
    expect(applied.code).toBe(4);
    expect(applied.json<Job>()).toMatchObject({ open: 1, deviceCounts: { done: 1, pending: 1 } });
    await site.device(1).plugIn();
    const done = await run(own, ['work', 'run', '--json'], { env });
    expect(done.code).toBe(0);
    expect(
      done.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([
      { type: 'work', outcome: 'done', kind: 'apply' },
      { type: 'summary', done: 1, failed: 0, open: 0 },
    ]);
    expect(
      (await run(own, ['apply', '--template', file, ...all, '--yes', '--until', '2999-01-01'])).code,
    ).toBe(2);
    expect((await run(own, ['apply', '--template', file, ...all, '--between', '22-5'])).code).toBe(2);
  } finally {
    await site.close();
    own.remove();
  }
});
