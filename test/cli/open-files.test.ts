/** A computer that lets a process open few files, as macOS does with apps. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSite as startVirtualSite, type Site } from '../helpers/strict-site.ts';
import type { Job } from '../../src/shared/model.ts';
import { ENTRY, makeFolder } from './helpers.ts';

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
  'fault 7: 300 devices are done with 256 files (else: all of them fail as unreachable)',
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

/** Some files fewer than each command needs: what cannot be opened differs with each. */
const FEW = [24, 28];

it.skipIf(process.platform === 'win32')(
  'fault 20: a command that may open few files works or says so (else: a stack, or a file or folder that is said to be broken)',
  async () => {
    const template = folder.file('few.yaml');
    writeFileSync(
      template,
      'fieldwright: template/1\nname: Mode\nsections:\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mode: expert }\n',
    );
    const url = site.device(0).url;
    const commands = [
      ['call', 'thermal.thermometryMode.get', '--param', 'channelID=1', '--device', url],
      ['apply', '--template', template, '--yes', '--device', url],
      ['device', 'probe', url],
      ['device', 'list'],
    ];
    for (const most of FEW)
      for (const command of commands) {
        const child = spawn(
          'sh',
          ['-c', `ulimit -n ${most} && exec "$0" "$@"`, process.execPath, ENTRY, ...command, '--json'],
          {
            stdio: ['ignore', 'pipe', 'pipe'],
            env: { ...process.env, FIELDWRIGHT_DATA_DIR: folder.file(`few-${most}`) },
          },
        );
        const [printed, complaints, [code]] = await Promise.all([
          text(child.stdout),
          text(child.stderr),
          once(child, 'close'),
        ]);
        const about = `${command.join(' ')} with ${most} files: ${code} ${printed}${complaints}`;

        expect(complaints, about).not.toContain('EMFILE');
        const said = JSON.parse(printed) as {
          readonly code?: string;
          readonly results?: readonly { readonly error?: { readonly code: string } }[];
        };
        if (code !== 0)
          expect([said.code, said.results?.[0]?.error?.code], about).toContain('too-many-files');
      }
  },
  60_000,
);
