/** Secrets of templates in the vault, across separate runs of the command. */
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallAnswer, Job, Plan } from '#shared/model.ts';
import type { SavedSecret } from '#shared/access.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { filesOf, spellingsOf, tracesIn } from '../helpers/traces-of.ts';
import { errorOf, makeFolder, run, type Folder, type Ran } from './helpers.ts';

const [SAVED, OTHER] = ['Gr&n-7731', 'Blu<-9204'];
const TEMPLATE = `fieldwright: template/1
name: Card lock
variables:
  cardLock: { type: secret }
sections:
  - set: storage.rwLock
    value: { enabled: true, passwd: "\${cardLock}" }
`;

let site: Site;
let folder: Folder;
let outputs: Ran[];
beforeEach(async () => {
  site = await startSite({ devices: 1, kinds: ['thermal'] });
  folder = makeFolder();
  outputs = [];
  writeFileSync(folder.file('lock.yaml'), TEMPLATE);
  const { url, password } = at();
  await fieldwright(['device', 'add', url, '--name', 'T', '--user', 'admin'], {
    FIELDWRIGHT_PASSWORD: password,
  });
});
afterEach(async () => {
  await site.close();
  folder.remove();
});

function at(): { readonly url: string; readonly password: string } {
  const [device] = site.devices;
  if (device === undefined) throw new Error('no device');
  return device;
}
/** Runs without a terminal that could be asked. */
async function fieldwright(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const ran = await run(folder, [...args, '--json'], { env });
  outputs.push(ran);
  return ran;
}
const apply = (...more: readonly string[]): Promise<Ran> =>
  fieldwright(['apply', '--template', folder.file('lock.yaml'), '--device', 'T', '--yes', ...more]);

/** Returns true if the device takes its lock off with this password. */
async function opensWith(passwd: string): Promise<boolean> {
  writeFileSync(folder.file('open.json'), JSON.stringify({ enabled: false, passwd }));
  const ran = await run(folder, [
    'call',
    'storage.rwLock.put',
    '--device',
    'T',
    '--body',
    folder.file('open.json'),
    '--json',
  ]);
  writeFileSync(folder.file('open.json'), '');
  return ran.json<CallAnswer>().outcome === 'ok';
}

describe('secret', () => {
  it('set once is what plan and apply use without a prompt, and stands nowhere', async () => {
    const saved = await fieldwright(['secret', 'set', 'cardLock'], { FIELDWRIGHT_SECRET_CARD_LOCK: SAVED });
    const listed = await fieldwright(['secret', 'list']);
    const planned = await fieldwright([
      'plan',
      '--template',
      folder.file('lock.yaml'),
      '--device',
      'T',
      '--out',
      folder.file('plan.json'),
    ]);
    const applied = await fieldwright(['apply', '--plan', folder.file('plan.json'), '--yes']);
    for (const args of [
      ['secret', 'list'],
      ['jobs', 'show', applied.json<{ jobId: string }>().jobId],
    ])
      outputs.push(await run(folder, args));

    expect(listed.json<SavedSecret[]>()).toEqual([saved.json()]);
    expect(saved.json()).toEqual({ name: 'cardLock', changedAt: expect.any(String) });
    expect(planned.json<Plan>().devices).toMatchObject([{ state: 'changes' }]);
    expect([applied.code, applied.json<Job>().state]).toEqual([0, 'done']);
    expect(applied.stderr).toContain('Using the secret cardLock from the vault.');
    const sources = new Map([
      ...filesOf(folder.path),
      ...outputs.flatMap(
        ({ stdout, stderr }, nth) =>
          [
            [`stdout ${nth}`, Buffer.from(stdout)],
            [`stderr ${nth}`, Buffer.from(stderr)],
          ] as const,
      ),
    ]);
    expect(tracesIn(sources, spellingsOf(SAVED))).toEqual([]);
    expect(await opensWith(SAVED)).toBe(true);
  });

  it('in the environment goes before the saved one', async () => {
    await fieldwright(['secret', 'set', 'cardLock'], { FIELDWRIGHT_SECRET_CARD_LOCK: SAVED });
    const applied = await fieldwright(
      ['apply', '--template', folder.file('lock.yaml'), '--device', 'T', '--yes'],
      { FIELDWRIGHT_SECRET_CARD_LOCK: OTHER },
    );

    expect(applied.code).toBe(0);
    expect(applied.stderr).not.toContain('vault');
    expect(await opensWith(SAVED)).toBe(false);
    expect(await opensWith(OTHER)).toBe(true);
  });

  it('that was removed is missing again, and nothing is sent', async () => {
    await fieldwright(['secret', 'set', 'cardLock'], { FIELDWRIGHT_SECRET_cardLock: SAVED });
    const removed = await fieldwright(['secret', 'remove', 'cardLock']);
    const applied = await apply();
    const twice = await fieldwright(['secret', 'remove', 'cardLock']);

    expect(removed.json()).toEqual({ removed: true });
    expect([applied.code, errorOf(applied).code]).toEqual([2, 'undefined-variable']);
    expect([twice.code, errorOf(twice).code]).toEqual([2, 'not-found']);
    expect(site.device(0).requests.filter(({ applied: changed }) => changed)).toEqual([]);
  });

  it('finishes a job in another run', async () => {
    await fieldwright(['secret', 'set', 'cardLock'], { FIELDWRIGHT_SECRET_CARD_LOCK: SAVED });
    site.device(0).setFault('unauthorized', 1, { method: 'PUT', lasting: true });
    const failed = await apply();
    site.device(0).setFault('unauthorized', 0);
    await fieldwright(['device', 'test', 'T']);
    const resumed = await fieldwright(['jobs', 'resume', failed.json<{ jobId: string }>().jobId]);

    expect(failed.code).not.toBe(0);
    expect([resumed.code, resumed.json<Job>().state]).toEqual([0, 'done']);
    expect(await opensWith(SAVED)).toBe(true);
  });

  // Would catch: a plan file that has what the vault holds sent to an address of its own.
  it('is not taken for a plan file that names devices which nobody here added', async () => {
    await fieldwright(['secret', 'set', 'cardLock'], { FIELDWRIGHT_SECRET_CARD_LOCK: SAVED });
    await fieldwright([
      'plan',
      '--template',
      folder.file('lock.yaml'),
      '--device',
      'T',
      '--out',
      folder.file('plan.json'),
    ]);
    await fieldwright(['device', 'remove', 'T']);
    const applied = await fieldwright(
      ['apply', '--plan', folder.file('plan.json'), '--yes', '--user', 'admin'],
      { FIELDWRIGHT_PASSWORD: at().password },
    );

    expect([applied.code, errorOf(applied).code]).toEqual([2, 'undefined-variable']);
    expect(applied.stderr).not.toContain('from the vault');
  });

  it.each([
    ['no value', ['secret', 'set', 'cardLock'], {}, 'usage'],
    ['an empty value', ['secret', 'set', 'cardLock'], { FIELDWRIGHT_SECRET_CARD_LOCK: '' }, 'usage'],
    [
      'a name that no variable has',
      ['secret', 'set', 'card lock'],
      { FIELDWRIGHT_SECRET_CARD_LOCK: SAVED },
      'usage',
    ],
    ['a value as an argument', ['secret', 'set', 'cardLock', SAVED], {}, 'usage'],
  ])('is not set with %s', async (_what, args, env, code) => {
    const refused = await fieldwright(args, env);

    expect([refused.code, errorOf(refused).code]).toEqual([2, code]);
    expect((await fieldwright(['secret', 'list'])).json()).toEqual([]);
  });
});
