/** `serve`: its first line, its page, its end. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '#cli/main.ts';
import { openPage, tabAt } from '../rpc/helpers/running-server.ts';
import { errorOf, makeFolder, run, SOURCES, start } from './helpers.ts';

const folder = makeFolder();
afterAll(() => folder.remove());

const isBuilt = existsSync('out/renderer/index.html');

/** Programs of the system come from fixed folders; returns a module that puts one more before them, for a process of its own. */
function firstAmongPrograms(bin: string): string {
  const file = folder.file('first.mjs');
  writeFileSync(
    file,
    `import { registerHooks } from 'node:module';
     registerHooks({
       load(url, context, next) {
         const found = next(url, context);
         if (!url.endsWith('/system-programs.ts')) return found;
         return { ...found, source: String(found.source).replace("'/usr/bin',", ${JSON.stringify(`'${bin}', '/usr/bin',`)}) };
       },
     });`,
  );
  return pathToFileURL(file).href;
}

/** An `xdg-open` that notes what it was started with, and what everybody on the computer sees meanwhile. */
function standInBrowser(): { readonly done: string; read(name: string): string } {
  const seen = folder.file('seen');
  mkdirSync(seen);
  mkdirSync(folder.file('bin'));
  const script = [
    '#!/bin/sh',
    `cd '${seen}'`,
    'echo "$@" > arguments',
    'cat "$1" > file',
    'stat -c %a "$1" > mode',
    'env > environment',
    'ps -ewwo args > processes',
    'touch done',
    '',
  ];
  writeFileSync(join(folder.file('bin'), 'xdg-open'), script.join('\n'), { mode: 0o755 });
  return { done: join(seen, 'done'), read: (name) => readFileSync(join(seen, name), 'utf8') };
}

/** The command at a terminal of its own, in this process. */
function startAtTerminal(args: readonly string[]) {
  const streams = {
    stdin: Object.assign(new PassThrough(), { isTTY: true }),
    stdout: new PassThrough(),
    stderr: Object.assign(new PassThrough(), { isTTY: true }),
  };
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    streams[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  const handlers = new Set<() => void>();
  const ended = runCli(args, {
    ...streams,
    env: { FIELDWRIGHT_DATA_DIR: folder.file('terminal') },
    platform: process.platform,
    homeDir: folder.path,
    user: 'tester',
    onSignal(handler) {
      handlers.add(handler);
      return () => {
        handlers.delete(handler);
      };
    },
    exitNow: () => {
      throw new Error('The command was ended by force.');
    },
  });
  return {
    async printed(stream: keyof typeof said, pattern: RegExp): Promise<string> {
      await expect.poll(() => said[stream]).toMatch(pattern);
      return said[stream];
    },
    type: (text: string) => {
      streams.stdin.write(text);
    },
    interrupt(): Promise<number> {
      for (const handler of handlers) handler();
      return ended;
    },
  };
}

describe('serve', () => {
  it.skipIf(!isBuilt)('prints an address that opens the app, and ends with 0 at SIGINT', async () => {
    const running = start(folder, ['serve']);
    const { url } = JSON.parse(await running.firstLine) as { readonly url: string };

    const page = await fetch(url);
    running.child.kill('SIGINT');

    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=/);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<div id="app"');
    expect((await running.ended).code).toBe(0);
  });

  it.skipIf(!isBuilt || process.platform !== 'linux')(
    '--open shows the link to nobody but the browser, and the browser no password (else: it stands in the list of processes)',
    async () => {
      const seen = standInBrowser();
      const running = start(
        folder,
        ['serve', '--open'],
        {
          NODE_OPTIONS: `--import ${firstAmongPrograms(folder.file('bin'))}`,
          FIELDWRIGHT_PASSWORD: 'hunter-for-open',
          FIELDWRIGHT_SECRET_WIFI: 'hunter-for-wifi',
          SOME_TOKEN: 'hunter-of-others',
        },
        SOURCES,
      );
      const { url } = JSON.parse(await running.firstLine) as { readonly url: string };
      const token = new URL(url).searchParams.get('token') ?? '';

      await expect.poll(() => existsSync(seen.done)).toBe(true);
      running.child.kill('SIGINT');
      await running.ended;

      const [file = ''] = seen.read('arguments').split('\n');
      expect(seen.read('file')).toContain(`url=${url}"`);
      expect(seen.read('mode').trim()).toBe('600');
      expect(seen.read('processes')).toContain('serve --open');
      expect(seen.read('processes')).not.toContain(token);
      expect(seen.read('environment')).toContain('PATH=');
      expect(seen.read('environment')).not.toMatch(/FIELDWRIGHT|hunter/);
      expect(existsSync(file)).toBe(false);
    },
  );

  it.skipIf(!isBuilt)(
    'asks in its terminal before a saved credential goes to a new address, and takes only a typed yes',
    async () => {
      const terminal = startAtTerminal(['serve']);
      const { url } = JSON.parse(await terminal.printed('stdout', /\n/)) as { readonly url: string };
      const page = openPage(new URL(url).origin, (await tabAt(url).current()) ?? '');
      const { id: credentialId } = await page.api.credentials.save({
        label: 'Hall',
        userName: 'installer',
        password: 'saved-long-ago-7',
      });

      const refused = page.api.devices
        .add({ address: 'http://127.0.0.1:9', credentialId })
        .catch((error: unknown) => error);
      await terminal.printed('stderr', /"Hall" \(installer\).*\[y\/N\]/s);
      terminal.type('\n');
      const agreed = refused.then(() =>
        page.api.devices.add({ address: 'http://127.0.0.1:10', credentialId }),
      );
      await terminal.printed('stderr', /127\.0\.0\.1:10.*\[y\/N\]/s);
      terminal.type('y\n');

      expect(await refused).toMatchObject({ shape: { code: 'confirmation-needed', reason: 'outside-no' } });
      expect(await agreed).toMatchObject({ url: 'http://127.0.0.1:10', credentialId });
      page.close();
      expect(await terminal.interrupt()).toBe(0);
    },
  );

  it('--host that others can reach is refused with the reason', async () => {
    const result = await run(folder, ['serve', '--host', '0.0.0.0', '--json']);

    expect([result.code, errorOf(result).code]).toEqual([2, 'not-allowed']);
    expect(errorOf(result).message).toContain('TLS and a passphrase');
  });

  it('refuses a port that is none', async () => {
    const result = await run(folder, ['serve', '--port', 'http', '--json']);

    expect([result.code, errorOf(result).code]).toEqual([2, 'usage']);
  });
});
