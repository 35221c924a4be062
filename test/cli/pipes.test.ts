/** Pipes instead of files: read once, and waited for only as long as the command is wanted. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { line } from '../engine/fingerprints/site-with-prints.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { makeFolder, run, start, type Folder } from './helpers.ts';

let folder: Folder;
let site: Site;
let pipe = '';
const env = { FIELDWRIGHT_PASSWORD: 'Piped-Passw0rd' };
beforeAll(async () => {
  folder = makeFolder();
  site = await startSite({ devices: 1, kinds: ['gate'], password: env.FIELDWRIGHT_PASSWORD });
  pipe = folder.file('pipe');
});
afterAll(async () => {
  await site.close();
  folder.remove();
});

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  beforeAll(() => void execFileSync('mkfifo', [pipe]));

  // Would catch: a table that was read to see whether it can be read, and is empty then.
  it.each([
    ['people', ['users', 'import'], 'employeeNo,name\n7001,Ada\n', ['--dry-run'], '"fresh":1'],
    ['fingerprints', ['fingerprints', 'import'], `${line('1001', 2)}\n`, ['--yes'], '"employeeNo":"1001"'],
  ])('brings %s', async (_what, command, text, more, found) => {
    const device = ['--device', site.devices[0]?.url ?? ''];
    const running = run(folder, [...command, pipe, ...device, ...more, '--json'], { env });
    const writer = createWriteStream(pipe);
    writer.end(text);
    await once(writer, 'close');

    const ran = await running;

    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toContain(found);
  });

  // Would catch: a command that only kill -9 ends, because a thread waits for the other end of the pipe.
  it.runIf(process.platform === 'linux').each([
    ['a template', ['template', 'check']],
    ['people', ['users', 'import', '--dry-run', '--device', 'http://127.0.0.1:9']],
    ['a site file', ['site', 'open', '--yes']],
  ])('that brings nothing is waited for until Ctrl-C: %s', async (_what, command) => {
    const [name = '', verb = '', ...more] = command;
    const running = start(folder, [name, verb, pipe, ...more, '--json'], {
      FIELDWRIGHT_PACK_PASSPHRASE: 'correct horse',
    });
    // Opens once the command has the other end.
    const writer = await open(pipe, 'w');
    running.child.kill('SIGINT');

    const ended = await running.ended;

    await writer.close();
    expect(ended.code).toBe(130);
  });
});
