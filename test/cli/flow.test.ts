/** Guided flows without a screen: answers from a file, what is missing is named, and what was begun goes on. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import type { ScriptJob } from '#cli/output/for-scripts.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { makeFolder, run, type Folder } from './helpers.ts';

const ANSWERS = `password: { kept: true, understood: true }
prove: { wait: false }
sign: { name: A. Installer }
`;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
let site: Site;
let folder: Folder;
let env: Record<string, string>;
let device: readonly string[];

beforeAll(async () => {
  site = await startSite({ devices: 4, kinds: ['thermal', 'ai', 'counter', 'recorder'] });
});
afterAll(() => site.close());
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

function use(nth: number): void {
  const chosen = site.devices[nth];
  if (chosen === undefined) throw new Error('there is no such device');
  const { url, user, password } = chosen;
  device = ['--device', url, '--user', user];
  env = { FIELDWRIGHT_PASSWORD: password };
}

function answers(text: string): string {
  const file = folder.file('answers.yaml');
  writeFileSync(file, text);
  return file;
}

describe('flow', () => {
  it('lists the flows and the steps of one', async () => {
    const list = (await run(folder, ['flow', 'list', '--json'])).json<readonly { name: string }[]>();
    expect(list.map(({ name }) => name)).toEqual(expect.arrayContaining(['storage-lock', 'token-key']));
    const shown = (await run(folder, ['flow', 'show', 'storage-lock', '--json'])).json<{ steps: object[] }>();
    expect(shown.steps[0]).toEqual({ id: 'health', title: 'State of the card' });
  });

  // Would catch: a script without a yes whose device was written to.
  it('sends nothing without a yes', async () => {
    use(0);
    const before = site.device(0).requests.length;

    const result = await run(folder, ['flow', 'run', 'storage-lock', ...device, '--json'], { env });

    expect(result.code).toBe(2);
    expect(result.stderr + result.stdout).toContain('confirmation-needed');
    expect(site.device(0).requests.length).toBe(before);
  });

  // Would catch: an hour of work on site whose record has no place, found out at the end.
  it('refuses a record that could not be written before it asks a device anything', async () => {
    use(0);
    const other = site.devices[1]?.url ?? '';
    writeFileSync(folder.file('record-2.json'), '');
    const before = site.device(0).requests.length;

    for (const [file, code] of [
      [folder.file('record.json'), 'usage'],
      [folder.file('nowhere/record.json'), 'unreadable-file'],
    ] as const) {
      const both = [...device, '--device', other, '--record', file, '--yes', '--json'];
      const result = await run(folder, ['flow', 'run', 'storage-lock', ...both], { env });
      expect(result.code).toBe(2);
      expect(result.json()).toMatchObject({ code });
      expect(result.stdout).not.toContain('--force');
    }
    expect(site.device(0).requests.length).toBe(before);
  });

  it('stops at the field that has no answer with exit 4, and goes on from there', async () => {
    use(1);
    const short = answers('password: { kept: true, understood: true }\nprove: { wait: false }\n');
    const first = await run(
      folder,
      ['flow', 'run', 'storage-lock', ...device, '--answers', short, '--yes', '--json'],
      { env },
    );
    expect(first.code).toBe(4);
    expect(first.stderr).toContain('sign.name');
    const { jobId } = first.json<{ jobId: string }>();
    const waiting = (await run(folder, ['jobs', 'list', '--open', '--json'])).json<
      readonly { id: string }[]
    >();
    expect(waiting.map(({ id }) => id)).toEqual([jobId]);

    const record = folder.file('record.html');
    const whole = ['--answers', answers(ANSWERS), '--record', record, '--yes', '--json'];
    const rest = await run(folder, ['flow', 'resume', jobId, ...device, ...whole], { env });

    expect(rest.code).toBe(0);
    const done = rest.json<ScriptJob>();
    expect(done.state).toBe('done');
    expect(done.results[0]?.sections.map(({ outcome }) => outcome)).not.toContain('pending');
    const locks = site.device(1).requests.filter(({ operation }) => operation === 'storage.rwLock.put');
    expect(locks.filter(({ http }) => http === 200)).toHaveLength(1);
    expect(readFileSync(record, 'utf8')).toContain('commissioning.storage-lock');
    expect((await run(folder, ['jobs', 'list', '--open', '--json'])).json()).toEqual([]);
    const records = (await run(folder, ['flow', 'records', '--json'])).json<readonly object[]>();
    expect(records).toHaveLength(1);

    const verified = await run(folder, ['flow', 'verify', record, '--json']);
    expect(verified.json()).toMatchObject({ state: 'intact', form: 'html' });
    writeFileSync(record, readFileSync(record, 'utf8').replace('A. Installer', 'B. Installer'));
    const changed = await run(folder, ['flow', 'verify', record, '--json']);
    expect(changed.code).toBe(1);
    expect(changed.json()).toMatchObject({ state: 'changed' });
  });

  // Would catch: a file that only we can open, or one that anybody can.
  it.runIf(hasOpenssl)('hands the secrets over in a file that openssl opens', async () => {
    use(2);
    const result = await run(
      folder,
      ['flow', 'run', 'storage-lock', ...device, '--answers', answers(ANSWERS), '--yes', '--json'],
      { env },
    );
    expect(result.code).toBe(0);
    const out = folder.file('keys.enc');
    const passphrase = 'correct horse battery';
    const short = await run(folder, ['keys', 'export', '--out', out, '--json'], {
      env: { FIELDWRIGHT_EXPORT_PASSPHRASE: 'short' },
    });
    expect(short.code).toBe(2);
    const written = await run(folder, ['keys', 'export', '--out', out, '--json'], {
      env: { FIELDWRIGHT_EXPORT_PASSPHRASE: passphrase },
    });

    expect(written.json()).toEqual({ file: out, count: 1 });
    const args = ['enc', '-d', '-aes-256-cbc', '-pbkdf2', '-iter', '600000', '-md', 'sha256', '-in', out];
    const opened = execFileSync('openssl', [...args, '-pass', 'env:PASSPHRASE'], {
      env: { PATH: process.env['PATH'], PASSPHRASE: passphrase },
    });
    const [entry] = JSON.parse(opened.toString()) as readonly { secret: string; value: string }[];
    expect(entry).toMatchObject({ secret: 'storage-card' });
    expect(entry?.value).toHaveLength(10);
    expect(readFileSync(out).includes(entry?.value ?? '')).toBe(false);
    // Would catch: the password of a card saved without its camera, as this one is in no list of devices.
    const address = site.devices[2]?.url ?? '';
    expect(entry).toMatchObject({ device: new URL(address).host, address });
    expect((await run(folder, ['keys', 'list'])).stdout).toContain(address);
  });

  it('takes no secret from a file with answers', async () => {
    use(3);
    const file = answers('password: { password: typed, new: Card-1, again: Card-1 }\n');
    const result = await run(
      folder,
      ['flow', 'run', 'storage-lock', ...device, '--answers', file, '--yes', '--json'],
      { env },
    );

    expect(result.code).toBe(4);
    expect(result.stderr).toContain('not taken from a file');
    expect(result.stderr + result.stdout).not.toContain('Card-1');
  });
});
