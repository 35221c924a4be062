/** `site folder`: a site as text for git. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { canTrace, trace } from '../helpers/system-calls.ts';
import { ENTRY, LANES, makeFolder, run, type Folder } from './helpers.ts';

let site: Site;
let folder: Folder;
const into = (): string => folder.file('harbour');
const write = (...more: readonly string[]) =>
  run(folder, ['site', 'folder', into(), '--site', 'Harbour', '--json', ...more]);

beforeAll(async () => {
  site = await startSite({ devices: 2, kinds: ['thermal', 'gate'] });
  folder = makeFolder();
  writeFileSync(folder.file('lanes.yaml'), LANES);
  await run(folder, ['site', 'add', 'Harbour']);
  await run(folder, ['template', 'save', folder.file('lanes.yaml')]);
  for (const [nth, { url, user, password }] of site.devices.entries()) {
    await run(folder, ['device', 'add', url, '--name', `Lane/${nth}`, '--user', user, '--site', 'Harbour'], {
      env: { FIELDWRIGHT_PASSWORD: password },
    });
    await run(folder, ['device', 'test', '--device', `Lane/${nth}`]);
  }
});
afterAll(async () => {
  await site.close();
  folder.remove();
});

function git(...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
    cwd: into(),
    encoding: 'utf8',
  });
}

function hasGit(): boolean {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

// Would catch: a folder in which every run changes something, or one value more than one line.
it.skipIf(process.platform === 'win32' && !hasGit())(
  'changes with the site alone: one value is one line, and nothing is no line',
  async () => {
    const early = await write();
    await run(folder, ['snapshot', 'Lane/0']);
    await run(folder, ['snapshot', 'Lane/1']);
    const first = await write();
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    const again = await write();
    const unchanged = git('status', '--porcelain');
    const lanes = ['--template', folder.file('lanes.yaml'), '--values', 'distance=17', '--device', 'Lane/0'];
    await run(folder, ['apply', ...lanes, '--yes']);
    const changed = await write();

    expect(early.json()).toMatchObject({ files: 2 });
    expect(first.json()).toMatchObject({ files: 4 });
    expect(git('ls-files').trim().split('\n')).toEqual([
      'devices/Lane-0.yaml',
      'devices/Lane-1.yaml',
      'site.json',
      'templates/Lanes.yaml',
    ]);
    expect([again.json<object>(), unchanged]).toEqual([
      { dir: into(), files: 4, changed: 0, removed: 0 },
      '',
    ]);
    // The agreement is a file of its own, which site.json names.
    expect(changed.json()).toMatchObject({ files: 5, changed: 3 });
    const agreed = JSON.parse(readFileSync(join(into(), 'agreed/Lane-0.json'), 'utf8')) as object;
    expect(agreed).toMatchObject({
      sections: [{ set: 'thermal.thermometryBasic', value: { distance: 17 } }],
    });
    const lines = git('diff', '-U0')
      .split('\n')
      .filter((line) => /^[+-] /.test(line));
    expect(lines.filter((line) => line.includes('distance'))).toEqual([
      expect.stringContaining('-'),
      expect.stringContaining('distance: 17'),
    ]);
    expect(lines.filter((line) => line.startsWith('-') && !line.includes('settings'))).toHaveLength(1);
  },
);

it('holds no password and no key', () => {
  const all = ['devices/Lane-0.yaml', 'devices/Lane-1.yaml', 'site.json'].map((path) =>
    readFileSync(join(into(), path), 'utf8'),
  );
  for (const { password } of site.devices) expect(all.join('\n')).not.toContain(password);
});

// Would catch: the work of a person that the next run replaces without a word.
it('leaves a file alone that a person has changed, and all others with it', async () => {
  const path = join(into(), 'devices/Lane-1.yaml');
  const written = readFileSync(path, 'utf8');
  writeFileSync(path, `# ours\n${written}`);
  await run(folder, ['device', 'update', 'Lane/0', '--tag', 'roof']);
  const refused = await write();
  const inventory = readFileSync(join(into(), 'site.json'), 'utf8');
  const kept = readFileSync(path, 'utf8');
  const forced = await write('--force');

  expect([refused.code, forced.code]).toEqual([2, 0]);
  expect(refused.stdout).toContain('Lane-1.yaml');
  expect([kept.startsWith('# ours'), inventory.includes('roof')]).toEqual([true, false]);
  expect(readFileSync(path, 'utf8')).toBe(written);
});

it('removes the file of a device that is gone, and never one that it did not write', async () => {
  writeFileSync(join(into(), 'devices/notes.yaml'), 'ours');
  await run(folder, ['device', 'remove', 'Lane/1', '--yes']);
  await write();
  expect(existsSync(join(into(), 'devices/Lane-1.yaml'))).toBe(false);
  expect(existsSync(join(into(), 'devices/notes.yaml'))).toBe(true);
});

// Would catch: a file of a device that is gone, which stays for ever because the record forgot it first.
it.skipIf(!canTrace())('forgets a file only once it is gone from the disk', async () => {
  const [, gate] = site.devices;
  await run(folder, ['device', 'add', gate?.url ?? '', '--name', 'Gone', '--site', 'Harbour'], {
    env: { FIELDWRIGHT_PASSWORD: gate?.password ?? '' },
  });
  await run(folder, ['device', 'test', '--device', 'Gone']);
  await run(folder, ['snapshot', 'Gone']);
  await write();
  const path = join(into(), 'devices/Gone.yaml');
  const wasThere = existsSync(path);
  await run(folder, ['device', 'remove', 'Gone', '--yes']);

  const args = ['site', 'folder', into(), '--site', 'Harbour', '--json'];
  const { calls, code } = await trace([process.execPath, ENTRY, ...args], {
    into: folder.file('trace'),
    env: { FIELDWRIGHT_DATA_DIR: folder.file('data') },
  });

  expect([wasThere, code, existsSync(path)]).toEqual([true, 0, false]);
  const at = (name: RegExp, text: string, after = 0) =>
    calls.find((call) => name.test(call.name) && call.args.includes(text) && call.begun > after)?.begun ??
    NaN;
  const gone = at(/^unlink/, `"${path}"`);
  const synced = at(/^fsync$/, `<${join(into(), 'devices')}>`, gone);
  expect(at(/^rename/, 'written.json"')).toBeGreaterThan(synced);
});

// Would catch: a command that waits for ever, writes outside of the folder, replaces a file that it could not read, or ends as `internal`.
it.skipIf(process.platform === 'win32')(
  'takes what it cannot have written for the work of a person',
  async () => {
    const outside = folder.file('outside');
    const begin = (name: string): string => {
      const path = folder.file(name);
      mkdirSync(path);
      return path;
    };
    const linked = begin('linked');
    mkdirSync(outside);
    symlinkSync(outside, join(linked, 'devices'));
    const piped = begin('piped');
    execFileSync('mkfifo', [join(piped, 'site.json')]);
    const large = begin('large');
    writeFileSync(join(large, 'site.json'), 'ours');
    truncateSync(join(large, 'site.json'), 2 ** 32);
    const blocked = begin('blocked');
    writeFileSync(join(blocked, 'devices'), 'a file');
    const file = folder.file('harbour.txt');
    writeFileSync(file, 'a file');
    const into = (path: string) => run(folder, ['site', 'folder', path, '--site', 'Harbour', '--json']);

    const refused = [await into(linked), await into(blocked), await into(piped), await into(large)];
    const unwritable = [await into(file), await into('/dev/full')];

    expect(refused.map((each) => each.json<{ code: string }>().code)).toEqual(Array(4).fill('usage'));
    expect(readdirSync(outside)).toEqual([]);
    expect(readdirSync(large)).toEqual(['site.json']);
    expect(unwritable.map((each) => each.json<{ code: string }>().code)).toEqual([
      'unreadable-file',
      'unreadable-file',
    ]);
  },
);
