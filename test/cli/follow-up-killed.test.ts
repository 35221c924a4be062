/** A follow-up whose process is killed while it waits: resuming takes it up again, and nothing is written. */
import { writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import type { Job, JobSummary } from '#shared/model.ts';
import { startSite } from '../helpers/strict-site.ts';
import { makeFolder, run, start } from './helpers.ts';

const folder = makeFolder();
afterAll(() => folder.remove());

it('is resumed with the sign-in given again', async () => {
  const site = await startSite({ devices: 1, kinds: ['thermal'], password: 'Patient-1', faults: ['reboot'] });
  try {
    const env = { FIELDWRIGHT_PASSWORD: 'Patient-1' };
    const file = folder.file('t.yaml');
    writeFileSync(
      file,
      'fieldwright: template/1\nname: Restart\nsections:\n  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value: { distance: 9 }\n',
    );
    const { id } = (
      await run(
        folder,
        ['apply', '--template', file, '--device', site.devices[0]?.url ?? '', '--yes', '--json'],
        { env },
      )
    ).json<Job>();
    const writes = (): number =>
      site.device(0).requests.filter(({ method, http }) => method === 'PUT' && http !== 401).length;
    const before = writes();

    const waiting = start(folder, ['jobs', 'follow-up', id, '--json', '--progress'], env);
    waiting.child.stdout?.on('data', (text: string) => {
      if (text.includes('"phase":"waiting"')) waiting.child.kill('SIGKILL');
    });
    await waiting.ended;
    expect((await run(folder, ['jobs', 'list', '--json'])).json<readonly JobSummary[]>()).toMatchObject([
      { id, state: 'interrupted', resumable: true, rebootPending: 1 },
    ]);
    await site.device(0).restart(0);

    const resumed = await run(folder, ['jobs', 'resume', id, '--json'], { env });
    expect(resumed.json<Job>()).toMatchObject({
      state: 'done',
      counts: { effective: 1 },
      runs: [{ kind: 'start' }, { kind: 'follow-up' }, { kind: 'resume', by: 'tester' }],
    });
    expect(resumed.code).toBe(0);
    expect(writes()).toBe(before);
  } finally {
    await site.close();
  }
});
