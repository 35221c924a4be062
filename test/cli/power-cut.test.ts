/**
 * The state of the disk when a command reports success, watched from outside: a later power cut loses
 * nothing.
 */
import {
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorShape } from '#shared/errors.ts';
import { line } from '../engine/fingerprints/site-with-prints.ts';
import { canTrace, expectOnDisk, trace, type Traced } from '../helpers/system-calls.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { ENTRY, errorOf, makeFolder, run, start, type Folder, type Ran } from './helpers.ts';

const PASSWORD = 'Site-Passw0rd';
const env = { FIELDWRIGHT_PASSWORD: PASSWORD, FIELDWRIGHT_EXPORT_PASSPHRASE: 'correct horse battery' };
let folder: Folder;
let site: Site;
let thermal: readonly string[];
let gate: readonly string[];
const file = (name: string): string => folder.file(name);

beforeAll(async () => {
  folder = makeFolder();
  site = await startSite({ devices: 2, kinds: ['thermal', 'gate'], password: PASSWORD });
  thermal = ['--device', site.devices[0]?.url ?? ''];
  gate = ['--device', site.devices[1]?.url ?? ''];
  writeFileSync(
    file('t.yaml'),
    'fieldwright: template/1\nname: T\nsections:\n  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value: { distance: 3 }\n',
  );
  writeFileSync(file('people.csv'), 'employeeNo,name,validTo\n7001,A,never ever\n');
  writeFileSync(file('devices.csv'), 'name,url\nA,ftp://x\n');
  writeFileSync(file('prints.ndjson'), `${line('1001', 2)}\n`);
  writeFileSync(
    file('answers.json'),
    JSON.stringify({
      'hand-over': { to: 'Integrator', given: true },
      sign: { name: 'A. Installer', model: 'M-1', serial: '4711' },
    }),
  );
});
afterAll(async () => {
  await site.close();
  folder.remove();
});

let traces = 0;
function traced(args: readonly string[], inject?: string): Promise<Traced> {
  traces += 1;
  return trace([process.execPath, ENTRY, ...args], {
    into: file(`trace-${traces}`),
    env: { ...env, FIELDWRIGHT_DATA_DIR: file('data') },
    ...(inject !== undefined && { inject }),
  });
}
const leftIn = (path: string): readonly string[] =>
  readdirSync(path).filter((name) => name.endsWith('.part'));

describe.skipIf(!canTrace())('what a command says is written', () => {
  // Would catch: "written" said of bytes that are in memory alone, a file replaced by one that is, one that others may read.
  it.each<[string, string, () => readonly string[]]>([
    ['a plan', 'p.json', () => ['plan', '--template', file('t.yaml'), ...thermal]],
    [
      'a capture',
      'c.yaml',
      () => ['template', 'capture', ...thermal, '--section', 'thermal.thermometryBasic'],
    ],
    ['a new template', 'n.yaml', () => ['template', 'new', '--kind', 'gate']],
    ['a bundled template', 'b.yaml', () => ['template', 'export', 'thermal-entrance']],
    ['a report', 'r.html', () => ['report', 'capabilities', ...thermal]],
    ['details of a hand-over', 'd.yaml', () => ['report', 'details']],
    ['an export of people', 'people-out.csv', () => ['users', 'export', ...gate]],
    [
      'an export of fingerprints',
      'f.ndjson',
      () => ['fingerprints', 'export', '--from', gate[1] ?? '', '--yes'],
    ],
    ['an export of the history', 'h.csv', () => ['jobs', 'export']],
  ])('%s is on disk under its name', async (_what, name, args) => {
    const out = file(name);

    const ran = await traced([...args(), '--out', out, '--json']);

    expect(ran.code, ran.stderr).toBe(0);
    expectOnDisk(ran, out, ran.stdout.includes(out) || ran.stderr.includes(out) ? out : undefined);
    expect(statSync(out).mode & 0o777).toBe(0o600);
  });

  it('the record of a flow and an export of keys are on disk under their names', async () => {
    const record = file('record.json');
    const keys = file('keys.enc');

    const flow = await traced([
      'flow',
      'run',
      'token-key',
      ...gate,
      '--answers',
      file('answers.json'),
      '--yes',
      '--json',
      '--record',
      record,
    ]);
    const exported = await traced(['keys', 'export', '--out', keys, '--json']);

    expect([flow.code, exported.code], flow.stderr + exported.stderr).toEqual([0, 0]);
    expectOnDisk(flow, record, record);
    expectOnDisk(exported, keys, keys);
  });

  it('rows that failed are on disk under their name, of people and of devices', async () => {
    const [people, devices] = [file('people-failed.csv'), file('devices-failed.csv')];

    const first = await traced([
      'users',
      'import',
      file('people.csv'),
      ...gate,
      '--dry-run',
      '--json',
      '--failed',
      people,
    ]);
    const second = await traced(['device', 'import', file('devices.csv'), '--json', '--failed', devices]);

    expectOnDisk(first, people, undefined);
    expectOnDisk(second, devices, undefined);
  });

  // Would catch: a database that names a key which the power cut took, so that no sign-in opens any more.
  it('the key of the vault, its name too, is on disk before anything is sealed with it', async () => {
    const data = file('fresh');

    const done = await traced(['device', 'add', thermal[1] ?? '', '--user', 'admin', '--data-dir', data]);

    const { calls } = done;
    const key = `${data}/vault.key`;
    // Would catch: a killed process that leaves a key file without its key, which locks the vault for good.
    expectOnDisk(done, key, undefined);
    const placed = calls.find(
      ({ name, args }) => /^(?:rename|link)/.test(name) && args.includes(`, "${key}"`),
    );
    const named = calls.find(
      ({ name, args, begun }) =>
        name === 'fsync' && args.includes(`<${data}>`) && begun > (placed?.ended ?? Infinity),
    );
    const sealed = calls.find(
      ({ name, args, begun }) =>
        name === 'pwrite64' && args.includes('-wal>') && begun > (placed?.begun ?? Infinity),
    );
    expect(sealed?.begun).toBeGreaterThan(named?.ended ?? Infinity);
    const made = calls.find(
      ({ name, args }) => name === 'fsync' && args.includes(`<${data.slice(0, data.lastIndexOf('/'))}>`),
    );
    expect(made?.ended, 'the folder that holds the data folder is synced').toBeLessThan(sealed?.begun ?? 0);
  });

  // Would catch: a write on a device that the journal does not know of after a power cut.
  it('what is about to be sent is in the journal on disk', async () => {
    const { calls, code } = await traced([
      'apply',
      '--template',
      file('t.yaml'),
      ...thermal,
      '--yes',
      '--json',
    ]);

    expect(code).toBe(0);
    const sent = calls.find(({ name, args }) => /^(write|writev|sendto)$/.test(name) && /"PUT /.test(args));
    const written = calls.findLast(
      ({ name, args, begun }) => name === 'pwrite64' && args.includes('-wal>') && begun < (sent?.begun ?? 0),
    );
    const synced = calls.find(
      ({ name, args, begun }) =>
        /sync$/.test(name) && args.includes('-wal>') && begun > (written?.ended ?? Infinity),
    );
    expect(synced?.ended).toBeLessThan(sent?.begun ?? 0);
    const named = calls.find(({ name, args }) => name === 'fsync' && args.includes(`<${file('data')}>`));
    expect(named?.ended, 'the name of the log too').toBeLessThan(sent?.begun ?? 0);
  });

  // Would catch: "written" where the disk said that it could not keep it.
  it('a sync that fails is told, and what was there stays', async () => {
    const out = file('kept.yaml');
    writeFileSync(out, 'before');

    const ran = await traced(['template', 'new', '--force', '--out', out, '--json'], 'fsync:error=EIO');

    expect([ran.code, (JSON.parse(ran.stdout) as ErrorShape).code]).toEqual([2, 'unreadable-file']);
    expect(readFileSync(out, 'utf8')).toBe('before');
    expect(leftIn(folder.path)).toEqual([]);
  });

  // Would catch: an export lost to the virus scanner that held the new file for a moment.
  it('a rename that is refused for a moment is tried again', async () => {
    const out = file('busy.csv');

    const ran = await traced(
      ['users', 'export', ...gate, '--out', out, '--json'],
      'rename:error=EBUSY:when=1..3',
    );

    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expectOnDisk(ran, out, out);
  });

  it('a file that stays open in another program is told in words, and nothing is left', async () => {
    const out = file('open.csv');
    writeFileSync(out, 'before');

    const ran = await traced(['users', 'export', ...gate, '--out', out, '--json'], 'rename:error=EBUSY');

    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      code: 'unreadable-file',
      file: out,
      message: 'This file is open in another program.',
    });
    expect(readFileSync(out, 'utf8')).toBe('before');
    expect(leftIn(folder.path)).toEqual([]);
  });
});

describe('files that are there already', () => {
  /** Writes a plan to a file without `--force`, then with it. `asked`: requests of the first attempt. */
  async function planTwice(out: string): Promise<{ refused: Ran; asked: number; replaced: Ran }> {
    const args = ['plan', '--template', file('t.yaml'), ...thermal, '--json', '--out', out];
    site.device(0).clearRequests();
    const refused = await run(folder, args, { env });
    const asked = site.device(0).requests.length;
    return { refused, asked, replaced: await run(folder, [...args, '--force'], { env }) };
  }

  // Would catch: a plan under review replaced unasked, or only after devices were read.
  it('plan --out replaces nothing without --force', async () => {
    const plan = file('there.json');
    writeFileSync(plan, 'mine');

    const { refused, asked, replaced } = await planTwice(plan);

    expect([refused.code, errorOf(refused).code, asked]).toEqual([2, 'usage', 0]);
    expect(replaced.code).toBe(0);
  });

  // Would catch: a link that leads the plan into another file. Windows lets few users make links.
  it.skipIf(process.platform === 'win32')('plan --out follows no link', async () => {
    const [link, other] = [file('link.json'), file('other.txt')];
    writeFileSync(other, 'others');
    symlinkSync(other, link);

    const { refused, asked, replaced } = await planTwice(link);

    expect([refused.code, asked, replaced.code]).toEqual([2, 0, 0]);
    expect(readFileSync(other, 'utf8')).toBe('others');
    expect(lstatSync(link).isSymbolicLink()).toBe(false);
  });

  // Would catch: a file that others hold by another name changed under them.
  it('a second name of the same file keeps what it had', async () => {
    const [out, second] = [file('named.csv'), file('second.csv')];
    writeFileSync(out, 'before', { mode: 0o644 });
    linkSync(out, second);

    const ran = await run(folder, ['users', 'export', ...gate, '--out', out, '--json'], { env });

    expect(ran.code).toBe(0);
    expect(readFileSync(second, 'utf8')).toBe('before');
    if (process.platform !== 'win32') expect(statSync(out).mode & 0o777).toBe(0o600);
  });
});

// Would catch: people's data in an unknown file beside the requested one.
it('an export that was killed leaves nothing after the next start', async () => {
  const out = file('killed.csv');
  const crowd = await startSite({ devices: 1, kinds: ['gate'], password: PASSWORD, users: 3000 });
  try {
    const target = ['--device', crowd.devices[0]?.url ?? ''];
    const running = start(folder, ['users', 'export', ...target, '--out', out, '--json', '--progress'], env);
    running.child.stdout?.once('data', () => running.child.kill('SIGKILL'));
    await running.ended;
    const left = leftIn(folder.path);

    await run(folder, ['jobs', 'list', '--json']);

    expect(left).toHaveLength(1);
    expect([existsSync(out), leftIn(folder.path)]).toEqual([false, []]);
  } finally {
    await crowd.close();
  }
});
