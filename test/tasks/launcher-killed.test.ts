/** A launcher that is killed can pass nothing on: what it started ends all the same. Real processes, killed for real. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { Job, JobSummary } from '#shared/model.ts';
import { makeFolder, run } from '../cli/helpers.ts';
import { startSite } from '../helpers/strict-site.ts';

const folder = makeFolder();
afterAll(() => folder.remove());

/** Makes the launcher believe that it runs in an old Node of the system, so that it starts another one. */
const OLD = folder.file('old.cjs');
writeFileSync(
  OLD,
  `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });
   process.execPath = '/usr/bin/old-node';`,
);
/** There a job object of Node ends a child with its launcher. */
const ENDS_AT_ONCE = process.platform === 'win32';
const FIELDWRIGHT = resolve('build/tasks/fieldwright.mjs');

interface Launched {
  readonly child: ChildProcess;
  /** All of stdout, once the last process that could write to it has ended. */
  readonly silent: Promise<string>;
}
/** `onText` gets what stdout said so far. */
function launch(args: readonly string[], onText: (text: string, child: ChildProcess) => void): Launched {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      FIELDWRIGHT_DATA_DIR: folder.file('data'),
      FIELDWRIGHT_PASSWORD: 'Killed-1',
    },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    onText(text, child);
  });
  return { child, silent: once(child.stdout, 'end').then(() => text) };
}

/** A Node of the system that is too old; undefined on a computer without one. */
const OLD_NODE = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .filter((path) => existsSync(path))
  .find((path) => Number(/^v(\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))?.[1]) < 22);

// Would catch: a SyntaxError about a function that Node 20 does not have, instead of the start of the checkout's own Node.
it.skipIf(OLD_NODE === undefined)("starts the checkout's own Node from an old one of the system", () => {
  const text = execFileSync(OLD_NODE ?? '', [FIELDWRIGHT, '--version'], { encoding: 'utf8' });

  expect(text).toMatch(/^\d+\.\d+\.\d+\n$/);
});

describe('a launcher that is killed', () => {
  // Would catch: four devices written by a command that was killed, while `jobs resume` says it is being worked on.
  it('leaves a job whose write under way is finished, and the rest to be resumed', async () => {
    const site = await startSite({ devices: 4, kinds: ['thermal'], password: 'Killed-1', latencyMs: 60 });
    try {
      const file = folder.file('t.yaml');
      writeFileSync(
        file,
        'fieldwright: template/1\nname: Killed\nsections:\n  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value: { distance: 9 }\n',
      );
      const devices = site.devices.flatMap(({ url }) => ['--device', url]);
      const writes = () =>
        site.devices.map(
          (_, at) =>
            site.device(at).requests.filter(({ method, http }) => method === 'PUT' && http !== 401).length,
        );

      const apply = ['apply', '--template', file, ...devices, '--yes', '--json', '--progress'];
      const { silent } = launch(
        ['--require', OLD, FIELDWRIGHT, ...apply, '--concurrency', '1'],
        (text, child) => {
          if (text.includes('"phase":"writing"')) child.kill('SIGKILL');
        },
      );
      await silent;
      const written = writes();
      const [job] = (await run(folder, ['jobs', 'list', '--json'])).json<readonly JobSummary[]>();
      const resumed = await run(folder, ['jobs', 'resume', job?.id ?? '', '--json'], {
        env: { FIELDWRIGHT_PASSWORD: 'Killed-1' },
      });

      expect(written.at(-1)).toBe(0);
      expect(job).toMatchObject({
        resumable: true,
        // Windows ends the child at once: the resume looks up what became of the one write.
        counts: ENDS_AT_ONCE ? { unknown: 1 } : { effective: written.filter(Boolean).length },
      });
      expect([resumed.code, resumed.json<Job>().state]).toEqual([0, 'done']);
      expect(writes()).toEqual([1, 1, 1, 1]);
    } finally {
      await site.close();
    }
  });

  it('takes a virtual site with it', async () => {
    let url = '';
    const { silent } = launch(
      ['--require', OLD, FIELDWRIGHT, 'simulate', '--devices', '1'],
      (text, child) => {
        url ||= /"url":"([^"]+)"/.exec(text)?.[1] ?? '';
        if (url !== '') child.kill('SIGKILL');
      },
    );

    await silent;

    await expect(fetch(`${url}/API/System/capabilities`)).rejects.toThrow();
  });

  const processes = pathToFileURL(resolve('build/tasks/support/processes.mjs')).href;
  it.each([
    ['becomes another program', 'become', 'setInterval(() => {}, 1000)'],
    ['starts one', 'start', 'setInterval(() => {}, 1000)'],
    [
      'starts one that cleans up',
      'start',
      'process.once("SIGTERM", () => { console.log("cleaned"); process.exit() }); setInterval(() => {}, 1000)',
    ],
  ])('a task %s: it ends too', async (what, name, script) => {
    const child = `console.log('ready'); ${script}`;
    const task = `import { ${name} } from ${JSON.stringify(processes)};
      ${name}(process.execPath, ['--eval', ${JSON.stringify(child)}], { stdio: ['ignore', 'inherit', 'ignore'] });
      setInterval(() => {}, 1000);`;

    const { silent } = launch(['--input-type=module', '--eval', task], (text, launcher) => {
      if (text.includes('ready')) launcher.kill('SIGKILL');
    });

    expect(await silent).toBe(what.includes('cleans') && !ENDS_AT_ONCE ? 'ready\ncleaned\n' : 'ready\n');
  });

  // Would catch: a task on Windows, where a signal is no request, that ends the command in the middle of a write.
  it('a task that stops what it started asks it without a signal', async () => {
    const child = `process.once('SIGTERM', (_, number) => { console.log('asked', number); process.exit() });
      console.log('ready'); setInterval(() => {}, 1000)`;
    const task = `import { start, stop } from ${JSON.stringify(processes)};
      const running = start(process.execPath, ['--eval', ${JSON.stringify(child)}], { stdio: ['ignore', 'pipe', 'ignore'] });
      running.child.stdout.pipe(process.stdout);
      running.child.stdout.once('data', () => stop(running));
      await running.done;
      console.log('ended');`;

    const { silent } = launch(['--input-type=module', '--eval', task], () => undefined);

    // A signal of the system brings its number.
    expect(await silent).toBe('ready\nasked undefined\nended\n');
  });

  it('a program of a program has a launcher of its own', async () => {
    const inner = `console.log('env ' + process.env.FIELDWRIGHT_LAUNCHER)`;
    const child = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' })`;
    const task = `import { become } from ${JSON.stringify(processes)};
      process.exitCode = await become(process.execPath, ['--eval', ${JSON.stringify(child)}]);`;

    const { silent } = launch(['--input-type=module', '--eval', task], () => undefined);

    expect(await silent).toBe('env undefined\n');
  });
});
