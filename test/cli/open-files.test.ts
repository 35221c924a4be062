/** A computer that lets a process open few files, as macOS does with apps. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite as startVirtualSite, type Site } from '../helpers/strict-site.ts';
import type { Job } from '#shared/model.ts';
import { makeFolder, SOURCES } from './helpers.ts';

/** The sources, which open one file after the other while they start. */
const ENTRY = SOURCES;

const DEVICES = 300;
const folder = makeFolder();
let site: Site;
beforeAll(async () => {
  site = await startVirtualSite({ devices: DEVICES, kinds: ['thermal'], auth: 'none' });
});
afterAll(async () => {
  await site.close();
  folder.remove();
});

it.skipIf(process.platform === 'win32')(
  '300 devices are done with 256 files (else: all of them fail as unreachable)',
  async () => {
    const template = folder.file('mode.yaml');
    writeFileSync(
      template,
      'fieldwright: template/1\nname: Mode\nsections:\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mode: expert }\n',
    );
    const work = [
      'apply',
      '--template',
      template,
      '--yes',
      '--json',
      '--concurrency',
      '256',
      ...site.devices.flatMap(({ url }) => ['--device', url]),
    ];

    const child = spawn('sh', ['-c', 'ulimit -n 256 && exec "$0" "$@"', process.execPath, ENTRY, ...work], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, FIELDWRIGHT_DATA_DIR: folder.file('data') },
    });
    const [printed, , [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);

    expect((JSON.parse(printed) as Job).counts).toEqual({ effective: DEVICES });
    expect(code).toBe(0);
  },
);

/**
 * Limits from as many files as Node itself needs to more than each command needs: each makes other files fail
 * to open.
 */
const FEW = [22, 24, 25, 26, 28];

describe.skipIf(process.platform === 'win32')('a command that may open few files', () => {
  /** A command, and what its text on standard output tells where it worked. */
  const COMMANDS: Readonly<Record<string, (device: string, file: (name: string) => string) => string[]>> = {
    call: (url) => ['call', 'thermal.thermometryMode.get', '--param', 'channelID=1', '--device', url],
    'call by name': (url) => [
      'call',
      'thermal.thermometryMode.get',
      '--param',
      'channelID=1',
      '--device',
      `http://localhost:${new URL(url).port}`,
    ],
    apply: (url, file) => ['apply', '--template', file('few.yaml'), '--yes', '--device', url],
    'device probe': (url) => ['device', 'probe', url],
    'device test': (url) => ['device', 'test', '--device', url],
    'device list': () => ['device', 'list'],
    discover: (url) => [
      ...['discover', '--seconds', '0.1', '--force', '--sweep', '127.0.0.1/32'],
      ...['--ports', new URL(url).port],
    ],
    report: (url, file) => ['report', 'capabilities', '--device', url, '--force', '--out', file('few.pdf')],
    'in Chinese': () => ['device', 'list', '--lang', 'zh-CN'],
    help: () => ['--help'],
  };

  async function run(most: number, words: readonly string[], data: string) {
    const child = spawn(
      'sh',
      ['-c', `ulimit -n ${most} && exec "$0" "$@"`, process.execPath, ENTRY, ...words],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, FIELDWRIGHT_DATA_DIR: folder.file(data) },
      },
    );
    const [printed, complaints, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code: code as number, said: printed + complaints };
  }

  beforeAll(() => {
    writeFileSync(
      folder.file('few.yaml'),
      'fieldwright: template/1\nname: Mode\nsections:\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mode: expert }\n',
    );
  });

  it.each(Object.entries(COMMANDS))(
    '%s: works or says so (else: a device that is well is unreachable, a file is broken, or a stack)',
    async (name, words) => {
      for (const most of FEW) {
        const { code, said } = await run(
          most,
          words(site.device(0).url, (file) => folder.file(file)),
          `few-${name}`,
        );
        const about = `${name} with ${most} files: ${code} ${said}`;

        expect(said, about).not.toContain('EMFILE');
        if (code !== 0) expect(said, about).toContain('too-many-files');
        else expect(said, about).not.toMatch(/unreachable|No device was found/);
      }
    },
    120_000,
  );
});
