/** Behaviour that only a process shows: signals, closed pipes, exit codes, the launcher. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import type { ScriptJob } from '#cli/output/for-scripts.ts';
import { ENTRY, makeFolder, start, startSite } from './helpers.ts';

/** Windows ends a process at once that another one signals. */
const hasSignals = process.platform !== 'win32';
const folder = makeFolder();
afterAll(() => folder.remove());

describe('processes', () => {
  it('ends a site with 0 for SIGINT and SIGTERM, its ports free again', async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const running = start(folder, ['simulate', '--devices', '2']);
      const { devices } = JSON.parse(await running.firstLine) as {
        readonly devices: readonly { readonly url: string }[];
      };

      running.child.kill(signal);

      expect((await running.ended).code).toBe(0);
      await expect(fetch(`${devices[0]?.url}/API/System/capabilities`)).rejects.toThrow();
    }
  });

  // Would catch: a site that quietly leaves kinds out, where a script counts on all five.
  it('hands out all kinds in their order unless told otherwise', async () => {
    const site = await startSite(folder, ['--devices', '6']);
    await site.stop();

    expect(site.devices.map(({ kind }) => kind)).toEqual([
      'gate',
      'thermal',
      'ai',
      'counter',
      'recorder',
      'gate',
    ]);
  });

  // Would catch: a strict site that is none on the command line, or that refuses without saying what.
  it('names on a line of its own what a strict site refuses', async () => {
    const running = start(folder, [
      'simulate',
      '--strict',
      '--auth',
      'none',
      '--kinds',
      'thermal',
      '--devices',
      '1',
    ]);
    const { devices } = JSON.parse(await running.firstLine) as {
      readonly devices: readonly { readonly url: string; readonly name: string }[];
    };
    const path = '/API/Thermal/channels/1/thermometryMode';

    const reply = await fetch(`${devices[0]?.url}${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/xml' },
      body: '<ThermometryMode version="2.0"><mode>expert</mode></ThermometryMode>',
    });
    running.child.kill('SIGTERM');
    const { stdout } = await running.ended;

    expect(reply.status).toBe(400);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((each) => JSON.parse(each) as unknown),
    ).toEqual([
      {
        violation: {
          device: devices[0]?.name,
          method: 'PUT',
          path,
          violation: expect.stringMatching(/^namespaceMismatch: /) as string,
        },
      },
    ]);
  });

  it.runIf(hasSignals)('at SIGINT finishes what it does, exits 130, and can be resumed', async () => {
    const site = await startSite(folder, ['--devices', '6', '--kinds', 'thermal', '--latency', '60']);
    const args = site.devices.flatMap(({ url }) => ['--device', url]);
    const running = start(
      folder,
      ['apply', '--template', 'site-basics', ...args, '--yes', '--json', '--progress', '--concurrency', '1'],
      site.env,
    );

    running.child.stdout?.on('data', (part: string) => {
      if (part.includes('"type":"section"')) running.child.kill('SIGINT');
    });
    const { code, stdout } = await running.ended;
    await site.stop();

    expect(code).toBe(130);
    const job = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as ScriptJob;
    expect(job).toMatchObject({ resumable: true });
    expect(job.results.some(({ state }) => state === 'pending')).toBe(true);
    expect(job.results.flatMap(({ sections }) => sections).some(({ outcome }) => outcome === 'unknown')).toBe(
      false,
    );
  });

  it('survives a reader that leaves early', async () => {
    const child = spawn(process.execPath, [ENTRY, 'operations'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.once('data', () => child.stdout.destroy());
    const [said] = await Promise.all([text(child.stderr), once(child, 'close')]);

    expect(said).toBe('');
  });

  // Would catch: half a report in a file on a full disk, and exit code 0.
  it.skipIf(process.platform !== 'linux')('says when the result could not be written', () => {
    const result = spawnSync('sh', ['-c', `"${process.execPath}" "${ENTRY}" operations --json > /dev/full`], {
      encoding: 'utf8',
    });

    expect(result).toMatchObject({ status: 1, stderr: 'The result could not be written (ENOSPC).\n' });
  });

  it('refuses to write a body that is no JSON, also when it comes through a real pipe', () => {
    const result = spawnSync(
      process.execPath,
      [
        ENTRY,
        'call',
        'thermal.thermometryMode.put',
        '--param',
        'channelID=1',
        '--body',
        '-',
        '--device',
        'http://127.0.0.1:9',
        '--json',
      ],
      {
        input: '<mode/>',
        encoding: 'utf8',
        env: { ...process.env, FIELDWRIGHT_DATA_DIR: folder.file('data') },
      },
    );

    expect(result.status).toBe(2);
    expect(JSON.parse(result.stdout)).toMatchObject({ code: 'unreadable-file', file: '-' });
  });

  it('hands arguments, output and exit code through the launcher', () => {
    const launcher = resolve('build/tasks/fieldwright.mjs');
    const file = folder.file('broken.yaml');
    writeFileSync(file, 'fieldwright: template/9\n');

    const result = spawnSync(process.execPath, [launcher, 'template', 'check', file, '--json'], {
      encoding: 'utf8',
    });

    expect(result.status).toBe(2);
    expect(JSON.parse(result.stdout)).toMatchObject({ ok: false, file });
  });

  // Would catch: a script that only works in its own folder, or that loses words with spaces and the exit code.
  it.runIf(process.platform !== 'win32')('starts from another folder, and through a link', () => {
    const file = folder.file('broken file.yaml');
    writeFileSync(file, 'fieldwright: template/9\n');
    const link = folder.file('fw');
    symlinkSync(resolve('fieldwright'), link);

    for (const program of [resolve('fieldwright'), link]) {
      const result = spawnSync(program, ['template', 'check', file, '--json'], {
        encoding: 'utf8',
        cwd: folder.path,
      });

      expect(result.status).toBe(2);
      expect(JSON.parse(result.stdout)).toMatchObject({ ok: false, file });
    }
  });
});
