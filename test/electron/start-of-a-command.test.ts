/** Files that a command of the built app reads before it does anything. */
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertBuilt, ROOT } from './desktop-app.ts';

const MAIN = join(ROOT, 'out', 'main');
const folder = mkdtempSync(join(tmpdir(), 'fieldwright-start-'));
beforeAll(() => assertBuilt());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Prints the address of each module that is loaded on its standard error. */
const SAYING = `data:text/javascript,import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { process.stderr.write(url + '\\n'); return next(url, context); } });`;

/** Arguments of Node for a command that says what it loads. */
function saying(...args: readonly string[]): string[] {
  return ['--import', SAYING.replaceAll('\n', ''), join(MAIN, 'cli.cjs'), ...args, '--data-dir', folder];
}

/** Returns the name of a chunk without its hash, or of a module of Node; undefined for everything else. */
function moduleName(line: string): string | undefined {
  const [, chunk, builtin] =
    /\/out\/main\/(?:chunks\/)?(\S+?)(?:-[\w-]{8})?\.cjs$|^(node:\S+)$/.exec(line) ?? [];
  return chunk ?? builtin;
}

/** Files of the build, and modules of Node, that a command loads. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const { status, stderr } = spawnSync(process.execPath, saying(...args), { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stderr.split('\n').flatMap((line) => moduleName(line) ?? []);
}

/**
 * Modules that load when they are first needed: reports and their formats, HTTP, the search for devices,
 * Chinese.
 */
const LATER = [
  ...['reports', 'html', 'pdf', 'pdfkit.node', 'verify'],
  ...['http', 'undici', 'search', 'probe-access', 'read-plan', 'zh-CN'],
];

describe('what a built command loads', () => {
  // Would catch: an import that brings reports, HTTP, another face or the second language back into every start.
  it('is nothing that is needed later, and no other command, where templates are listed', () => {
    const loaded = loadedBy('template', 'list');

    expect(loaded).toEqual(expect.arrayContaining(['cli', 'template', 'engine']));
    const others = ['simulator', 'serve', 'rpc', 'apply', 'node:tls', 'node:http', 'node:http2'];
    expect(loaded.filter((name) => [...LATER, ...others].includes(name))).toEqual([]);
  });

  // Would catch: a page that looks for a part of the program hours later, when an update has replaced its files.
  it('is all there is where a face that runs for long starts', async () => {
    const child = spawn(process.execPath, saying('serve'), { stdio: ['ignore', 'ignore', 'pipe'] });
    const missing = new Set(LATER);
    for await (const line of createInterface({ input: child.stderr })) {
      missing.delete(moduleName(line) ?? '');
      if (missing.size === 0) child.kill();
    }

    expect([...missing]).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('the compiled code of a built command', () => {
  const installed = join(folder, 'installed');
  const compiled = join(installed, 'out', 'main', '.compiled');
  const run = (...args: readonly string[]) =>
    spawnSync(
      process.execPath,
      [join(installed, 'build', 'tasks', 'fieldwright.mjs'), ...args, '--data-dir', folder],
      // The runner of the tests names a folder of its own.
      { encoding: 'utf8', env: { ...process.env, NODE_COMPILE_CACHE: undefined } },
    );
  const kept = (): readonly string[] =>
    readdirSync(compiled, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  // A folder without sources: the command runs the build, whatever its age.
  beforeAll(() => {
    mkdirSync(join(installed, 'out'), { recursive: true });
    for (const name of ['build', 'package.json'])
      cpSync(join(ROOT, name), join(installed, name), { recursive: true });
    cpSync(MAIN, join(installed, 'out', 'main'), {
      recursive: true,
      filter: (path) => !path.endsWith('.map') && !path.endsWith('.compiled'),
    });
    symlinkSync(join(ROOT, 'resources'), join(installed, 'resources'));
  });

  // Would catch: code that is compiled with every start, and code that another account may replace.
  it('is kept in a folder that its owner alone can write', () => {
    const { status, stdout, stderr } = run('template', 'list');

    expect(status, stderr).toBe(0);
    expect(stdout).toContain('bundled:site-basics');
    expect(kept().length).toBeGreaterThan(3);
    expect(statSync(compiled).mode & 0o777).toBe(0o700);
  });

  // Would catch: after a laptop lost power while it was written, a command that crashes with every start.
  it.each([
    ['cut', (data: Buffer) => data.subarray(0, data.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    [
      'zero from its middle on',
      (data: Buffer) => Buffer.concat([data.subarray(0, data.length / 2), Buffer.alloc(data.length / 2)]),
    ],
  ])('is made anew where what was kept is %s', (_what, damage) => {
    const sound = run('template', 'list').stdout;
    for (const file of kept()) writeFileSync(file, damage(readFileSync(file)));

    const { status, stdout } = run('template', 'list');

    expect({ status, stdout }).toEqual({ status: 0, stdout: sound });
  });

  // Would catch: after an update the code of the version before, where a file has the length that it had.
  it('is not used for other code of the same length', () => {
    const saysWord = (word: string): string => {
      writeFileSync(join(installed, 'out', 'main', 'cli.cjs'), `console.log('${word}')`);
      return run().stdout;
    };

    expect([saysWord('one'), saysWord('one'), saysWord('two')]).toEqual(['one\n', 'one\n', 'two\n']);
  });
});
