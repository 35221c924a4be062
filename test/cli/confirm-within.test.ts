/** `apply --confirm-within` and `jobs confirm`: as scripts see them, from another process, and over a kill. */
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Job, OpenWork } from '#shared/model.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { LANES, makeFolder, run, start, type Folder } from './helpers.ts';

const env = { FIELDWRIGHT_PASSWORD: 'Patient-1' };
let site: Site;
let folder: Folder;
beforeEach(async () => {
  folder = makeFolder();
  site = await startSite({ devices: 2, kinds: ['thermal'], password: 'Patient-1' });
  writeFileSync(folder.file('t.yaml'), LANES);
});
afterEach(async () => {
  await site.close();
  folder.remove();
});

const apply = (distance: number): string[] => [
  ...['apply', '--template', folder.file('t.yaml'), '--values', `distance=${distance}`, '--yes', '--json'],
  ...site.devices.flatMap(({ url }) => ['--device', url]),
];
const distances = (): unknown[] =>
  [0, 1].map((nth) =>
    /<distance>(\d+)</.exec(String(site.device(nth).state().documents['thermal.thermometryBasic/1']))?.at(1),
  );
const outcomes = ({ results }: Job): unknown =>
  results.map((device) => (device as unknown as { sections: { outcome: string }[] }).sections[0]?.outcome);
const lines = (text: string): readonly Readonly<Record<string, unknown>>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Runs the command in a process of its own until its countdown begins. */
async function beginCountdown(span: string): Promise<{ readonly job: string } & ReturnType<typeof start>> {
  await run(folder, apply(6), { env });
  const begun = start(folder, [...apply(9), '--confirm-within', span], env);
  const { job } = JSON.parse(await begun.firstLine) as { readonly job: string };
  return { ...begun, job };
}

// Would catch: a device that took a fatal value and keeps it because the laptop lost its power.
it('puts back what was not confirmed first of all when the program was killed', async () => {
  const { child, ended, job } = await beginCountdown('1h');
  const changed = distances();
  child.kill('SIGKILL');
  await ended;
  const open = (await run(folder, ['work', 'list', '--json'])).json<readonly OpenWork[]>();
  const worked = await run(folder, ['work', 'run', '--json'], { env });
  const shown = (await run(folder, ['jobs', 'show', job, '--json'])).json<Job>();

  expect(changed).toEqual(['9', '9']);
  expect(open.map(({ kind }) => kind)).toEqual(['undo', 'undo']);
  expect(worked.code).toBe(0);
  expect(distances()).toEqual(['6', '6']);
  expect([shown.state, outcomes(shown)]).toEqual(['failed', ['reverted', 'reverted']]);
});

// Would catch: a command that plans on top of values which may have cut the device off, and makes them the state before it.
it('puts it back before another command writes, and before its plan', async () => {
  const { child, ended, job } = await beginCountdown('1h');
  child.kill('SIGKILL');
  await ended;
  const applied = await run(folder, apply(7), { env });
  const shown = (await run(folder, ['jobs', 'show', job, '--json'])).json<Job>();
  const undone = await run(folder, ['jobs', 'undo', applied.json<{ jobId: string }>().jobId, '--yes'], {
    env,
  });

  expect([applied.code, undone.code]).toEqual([0, 0]);
  expect(applied.stderr).toContain('putting back');
  expect(outcomes(shown)).toEqual(['reverted', 'reverted']);
  expect(distances()).toEqual(['6', '6']);
});

it('sends nothing for what is only shown', async () => {
  const { child, ended } = await beginCountdown('1h');
  child.kill('SIGKILL');
  await ended;
  await run(
    folder,
    [
      'plan',
      ...apply(7)
        .slice(1)
        .filter((word) => word !== '--yes'),
    ],
    { env },
  );

  expect(distances()).toEqual(['9', '9']);
});

// Would catch: a second document in front of the one that a script parses.
it('is noted on stderr by a resume, whose JSON is one document', async () => {
  await run(folder, apply(6), { env });
  const planned = apply(9).filter((word) => !['apply', '--yes', '--json'].includes(word));
  await run(folder, ['plan', ...planned, '--out', folder.file('plan.json')], { env });
  const rollout = ['--stop-after', '1', '--concurrency', '1', '--confirm-within', '1s', '--yes', '--json'];
  await site.device(0).unplug();
  const devices = site.devices.flatMap(({ url }) => ['--device', url]);
  const begun = await run(folder, ['apply', '--plan', folder.file('plan.json'), ...devices, ...rollout], {
    env,
  });
  await site.device(0).plugIn();
  const { jobId } = begun.json<{ jobId: string }>();
  const resumed = await run(folder, ['jobs', 'resume', jobId, '--yes', '--json'], { env });

  expect(outcomes(resumed.json<Job>())).toEqual(['reverted', 'reverted']);
  expect(resumed.stderr).toContain(`jobs confirm ${jobId}`);
});

// Would catch: a yes in another terminal that the waiting command does not see.
it('keeps them after a yes in another process, and ends well', async () => {
  const { ended, job } = await beginCountdown('1h');
  const confirmed = await run(folder, ['jobs', 'confirm', job, '--json'], { env });
  const { code } = await ended;

  expect(confirmed.json()).toEqual({ job, kept: 2, failed: [] });
  expect([confirmed.code, code]).toEqual([0, 0]);
  expect(distances()).toEqual(['9', '9']);
  expect((await run(folder, ['jobs', 'confirm', job], { env })).code).toBe(2);
});

it('says when, and ends with 1 and the outcome "reverted" without a yes', async () => {
  await run(folder, apply(6), { env });
  const { code, stdout } = await run(folder, [...apply(9), '--confirm-within', '1s'], { env });
  const [confirm, end] = lines(stdout);

  expect(code).toBe(1);
  expect(confirm).toEqual({ type: 'confirm', job: end?.['jobId'], until: expect.any(String) as string });
  expect(outcomes(end as unknown as Job)).toEqual(['reverted', 'reverted']);
  expect(distances()).toEqual(['6', '6']);
  expect((await run(folder, [...apply(9), '--confirm-within', '5'], { env })).code).toBe(2);
});
