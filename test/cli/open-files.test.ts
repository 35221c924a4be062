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
