/**
 * A disk that fills up while devices are being written to: the script gets the error, and the rest can be
 * done later.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobSummary } from '#shared/model.ts';
import { ANSWERS as THERMAL } from '../engine/flow/thermal-answers.ts';
import { line } from '../engine/fingerprints/site-with-prints.ts';
import { canMount, mountSmallDisk, type SmallDisk } from '../helpers/small-disk.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { ENTRY, makeFolder, type Folder } from './helpers.ts';

const PASSWORD = 'Site-Passw0rd';
/** Free bytes that are enough for each of the jobs, and what the search for too few stops at. */
const ENOUGH = 12 * 1024 * 1024;
/** Free bytes that are too few to begin with. */
const TOO_FEW = 3 * 1024 * 1024;
const CLOSE = 4 * 1024;

interface Kind {
  readonly name: string;
  readonly site: { readonly kinds: readonly ['gate' | 'thermal' | 'ai']; readonly devices: number };
  /** Returns the command, different with every `nth`, so that each run has something to do. */
  readonly command: (folder: Folder, nth: number) => readonly string[];
  /** Stream of results instead of one document. */
  readonly isStream?: true;
  /** Values that the job writes count only after a restart. */
  readonly waitsForRestart?: true;
}

const KINDS: readonly Kind[] = [
  {
    name: 'settings',
    site: { kinds: ['thermal'], devices: 12 },
    command: (folder, nth) => {
      writeFileSync(
        folder.file('t.yaml'),
        `fieldwright: template/1\nname: T\nsections:\n  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value: { distance: ${nth + 2} }\n`,
      );
      return ['apply', '--template', folder.file('t.yaml'), '--concurrency', '2', '--yes'];
    },
  },
  {
    name: 'people',
    site: { kinds: ['gate'], devices: 4 },
    command: (folder, nth) => {
      const rows = Array.from({ length: 60 }, (_, at) => `${nth}${100 + at},Person ${at}\n`);
      writeFileSync(folder.file('p.csv'), `employeeNo,name\n${rows.join('')}`);
      return ['users', 'import', folder.file('p.csv'), '--concurrency', '1', '--yes'];
    },
  },
  {
    name: 'fingerprints',
    site: { kinds: ['gate'], devices: 3 },
    isStream: true,
    command: (folder, nth) => {
      const lines = Array.from({ length: 40 }, (_, at) => line(`${nth}${100 + at}`, 1));
      writeFileSync(folder.file('f.ndjson'), `${lines.join('\n')}\n`);
      return ['fingerprints', 'import', folder.file('f.ndjson'), '--yes', '--progress'];
    },
  },
  {
    name: 'packages',
    site: { kinds: ['ai'], devices: 8 },
    waitsForRestart: true,
    command: (folder, nth) => {
      writeFileSync(folder.file('m.bin'), Buffer.alloc(200_000, nth));
      const args = ['model', 'send', '--file', folder.file('m.bin'), '--mpid', `helmet-${nth}`];
      return [...args, '--mode', 'push', '--engine', '2', '--concurrency', '1', '--yes'];
    },
  },
  {
    name: 'flows',
    site: { kinds: ['thermal'], devices: 3 },
    command: (folder) => {
      writeFileSync(folder.file('a.json'), JSON.stringify(THERMAL));
      return ['flow', 'run', 'thermal', '--answers', folder.file('a.json'), '--yes'];
    },
  },
  {
    name: 'single calls',
    site: { kinds: ['thermal'], devices: 12 },
    command: (folder, nth) => {
      writeFileSync(folder.file('b.json'), JSON.stringify({ mode: nth % 2 === 0 ? 'expert' : 'normal' }));
      const args = ['call', 'thermal.thermometryMode.put', '--param', 'channelID=1'];
      return [...args, '--body', folder.file('b.json'), '--yes'];
    },
  },
];

function applied(site: Site): number {
  return site.devices.reduce(
    (sum, _, nth) => sum + site.device(nth).requests.filter((one) => one.applied).length,
    0,
  );
}

describe.skipIf(!canMount()).each(KINDS)('a disk that fills up under a job with $name', (kind) => {
  let site: Site;
  let folder: Folder;
  const env = { FIELDWRIGHT_PASSWORD: PASSWORD };
  beforeAll(async () => {
    folder = makeFolder();
    site = await startSite({ ...kind.site, password: PASSWORD, pushModels: true });
    writeFileSync(folder.file('d.csv'), `url\n${site.devices.map(({ url }) => url).join('\n')}\n`);
    const made = spawnSync(
      process.execPath,
      [ENTRY, 'device', 'import', folder.file('d.csv'), '--json', '--data-dir', folder.file('seed')],
      { encoding: 'utf8', env: { ...process.env, ...env } },
    );
    expect([made.status, made.stderr]).toEqual([0, '']);
  });
  afterAll(async () => {
    await site.close();
    folder.remove();
  });

  async function command(disk: SmallDisk, ...args: readonly string[]) {
    return disk.run(process.execPath, [ENTRY, ...args, '--json', '--data-dir', `${disk.path}/data`], env);
  }

  /** Runs the command once with so many bytes free. */
  async function runWith(room: number, nth: number): Promise<'not-begun' | 'cut' | 'finished'> {
    const disk = await mountSmallDisk();
    try {
      await disk.run('cp', ['-a', folder.file('seed'), `${disk.path}/data`]);
      disk.leave(room);
      for (let at = 0; at < site.devices.length; at += 1) site.device(at).clearRequests();
      const ran = await command(disk, ...kind.command(folder, nth), '--devices', folder.file('d.csv'));
      const where = `${room} bytes free, exit ${ran.code}: ${ran.stdout.slice(0, 2000)} ${ran.stderr}`;
      const documents = ran.stdout.trimEnd().split('\n');
      for (const document of documents) expect(() => void JSON.parse(document), where).not.toThrow();
      if (kind.isStream !== true) expect(documents, where).toHaveLength(1);
      disk.leave(ENOUGH);
      const [job] = JSON.parse((await command(disk, 'jobs', 'list')).stdout) as readonly JobSummary[];

      if (applied(site) === 0) return 'not-begun';
      expect(ran.code, where).not.toBe(2);
      // Room for the record was there before each write.
      expect(job?.counts.unknown ?? 0, where).toBe(0);
      if (ran.stdout.includes('not-available') === false) return 'finished';
      if (kind.name === 'single calls') {
        expect(ran.code, where).toBe(1);
        return 'cut';
      }
      expect(ran.code, where).toBe(4);
      expect(ran.stderr, where).toContain(`fieldwright jobs resume ${job?.id}`);
      if (kind.name === 'flows') expect(job, where).toMatchObject({ resumable: true });
      else {
        const resumed = await command(disk, 'jobs', 'resume', job?.id ?? '', '--yes');
        expect(resumed.code, `${where} ${resumed.stdout} ${resumed.stderr}`).toBe(
          kind.waitsForRestart === true ? 4 : 0,
        );
      }
      return 'cut';
    } finally {
      await disk.close();
    }
  }

  // Would catch: a write that was sent and that no journal has room to record.
  it('writes to no device while the room to record it is missing', async () => {
    expect(await runWith(TOO_FEW, 100)).toBe('not-begun');
  });

  // Would catch: "nothing was sent" after devices were written to; a second document that no script can read.
  it('gives one result, exit 4 once a device was written to, and the rest is done later', async () => {
    let [low, high] = [TOO_FEW, ENOUGH];
    let nth = 0;
    expect(await runWith(high, nth)).toBe('finished');
    while (high - low > CLOSE) {
      nth += 1;
      const middle = (low + high) / 2;
      const end = await runWith(middle, nth);
      if (end === 'cut') return;
      if (end === 'finished') high = middle;
      else low = middle;
    }
    expect.fail('No run was cut off.');
  });
});

// Would catch: half a file, or people's data beside it, where the disk had no room; an error that says nothing of the disk.
describe.skipIf(!canMount())('a disk without room for the file', () => {
  it.each([
    ['users export', 'users.csv', ['users', 'export']],
    ['report capabilities', 'report.html', ['report', 'capabilities']],
    ['template capture', 'captured.yaml', ['template', 'capture']],
  ])('%s: one document says so, and nothing is left', async (_name, name, args) => {
    const folder = makeFolder();
    const site = await startSite({ devices: 1, kinds: ['gate'], users: 300, password: PASSWORD });
    const disk = await mountSmallDisk();
    try {
      const out = `${disk.path}/${name}`;
      disk.leave(4096);
      const words = [...args, '--device', site.devices[0]?.url ?? '', '--out', out];
      const ran = await disk.run(
        process.execPath,
        [ENTRY, ...words, '--json', '--data-dir', folder.file('data')],
        {
          FIELDWRIGHT_PASSWORD: PASSWORD,
        },
      );
      const left = await disk.run('ls', ['-A', disk.path]);

      expect(ran.code, ran.stdout + ran.stderr).toBe(2);
      expect(JSON.parse(ran.stdout)).toMatchObject({
        code: 'unreadable-file',
        file: out,
        message: 'The disk has no room for this file.',
      });
      expect(left.stdout).toBe('');
    } finally {
      await disk.close();
      await site.close();
      folder.remove();
    }
  });
});
