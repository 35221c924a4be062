/** Guided flows under a policy: what it forbids is known before a flow begins. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DeviceKind, Job } from '#shared/model.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { makeFolder, start, type Folder, type Ran } from './helpers.ts';

const SIGN = { name: 'A. Installer', model: 'M-1', serial: '4711' };
let site: Site;
let folder: Folder;
beforeEach(() => {
  folder = makeFolder();
  writeFileSync(
    folder.file('policy.json'),
    JSON.stringify({ forbiddenSections: ['token.secretKey', 'storage.unlock', 'events.hdBadBlockTrigger'] }),
  );
});
afterEach(async () => {
  await site.close();
  folder.remove();
});

/** A process of its own: the rules are read once in each. */
async function run(...args: readonly string[]): Promise<Ran> {
  const env = { FIELDWRIGHT_PASSWORD: 'Site-1', FIELDWRIGHT_POLICY: folder.file('policy.json') };
  return start(folder, args, env).ended;
}

async function runFlow(flow: string, kind: DeviceKind, answers: object): Promise<Ran> {
  site = await startSite({ kinds: [kind], password: 'Site-1' });
  const file = folder.file('answers.json');
  writeFileSync(file, JSON.stringify(answers));
  const device = ['--device', site.devices[0]?.url ?? '', '--yes', '--json'];
  return run('flow', 'run', flow, '--answers', file, '--record', folder.file('record.json'), ...device);
}

// Would catch: a key that is chosen, kept and confirmed before its sending is refused.
it('a flow whose purpose is forbidden does not begin, and the list of its steps says so', async () => {
  const ran = await runFlow('token-key', 'counter', {
    'hand-over': { to: 'Integrator', given: true },
    sign: SIGN,
  });
  const { steps } = (await run('flow', 'show', 'token-key', '--json')).json<{
    readonly steps: readonly { readonly id: string; readonly forbidden?: string }[];
  }>();

  expect(ran.code).toBe(2);
  expect(ran.stdout).toContain('forbids changing token.secretKey, so this setup cannot begin');
  expect(steps.filter(({ forbidden }) => forbidden !== undefined).map(({ id }) => id)).toEqual(['send']);
  expect((await run('jobs', 'list', '--json')).json()).toEqual([]);
});

// Would catch: a commissioning that is refused whole because of one of its steps, or a step that asks first and is refused then.
it('a step that is forbidden is left out without a question, and the record says why', async () => {
  const ran = await runFlow('storage-lock', 'recorder', {
    password: { kept: true, understood: true },
    // Two of the three settings of this step are still allowed.
    alarms: { schedule: 'always', 'badBlocks-email': true, 'diskFailure-center': false },
    sign: SIGN,
  });
  const [{ sections = [] } = {}] = ran.json<{
    readonly results: readonly { readonly sections: Job['results'][number]['units'] }[];
  }>().results;

  expect(sections.find(({ label }) => label.startsWith('Proof that the password'))?.outcome).toBe('skipped');
  expect(sections.find(({ label }) => label.startsWith('Lock the card'))?.outcome).toBe('accepted');
  const record = readFileSync(folder.file('record.json'), 'utf8');
  expect(record).toContain('forbid');
  // Would catch: a question about a write that is refused then, or a record that says it was read back.
  expect(record).toContain('{"id":"flow-write-forbidden","values":{"set":"events.hdBadBlockTrigger"}}');
  expect((await run('flow', 'show', 'storage-lock', '--json')).stdout).not.toContain('badBlocks-email');
});
