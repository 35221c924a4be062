/** What a command of the built app reads before it does anything. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { assertBuilt, ROOT } from './desktop-app.ts';

const MAIN = join(ROOT, 'out', 'main');
const folder = mkdtempSync(join(tmpdir(), 'fieldwright-start-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Prints the address of each module that is loaded on its standard error. */
const SAYING = `data:text/javascript,import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { process.stderr.write(url + '\\n'); return next(url, context); } });`;

/** Files of the build, and modules of Node, that a command loads. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', SAYING.replaceAll('\n', ''), join(MAIN, 'cli.cjs'), ...args, '--data-dir', folder],
    { encoding: 'utf8' },
  );
  expect(status, stderr).toBe(0);
  return stderr
    .split('\n')
    .flatMap((line) => /(?:\/out\/main\/(?:chunks\/)?|^(?=node:))(\S+?)(?:\.cjs)?$/.exec(line)?.[1] ?? []);
}

describe('what a built command loads', () => {
  // Would catch: an import that brings a area, its libraries or the second language back into every start.
  it('is no area, no template reader, no HTTP and no Chinese where templates are listed', () => {
    assertBuilt();
    const whenUsed = readdirSync(join(MAIN, 'chunks')).filter((name) => /^src\..*\.cjs$/.test(name));
    expect(whenUsed).toEqual(
      expect.arrayContaining(['src.engine.flow.area.cjs', 'src.engine.template.read-tree.cjs']),
    );

    const loaded = loadedBy('template', 'list');

    expect(loaded).toContain('cli');
    expect(
      loaded.filter((name) =>
        /^(src\.|undici|schemas|chinese|zh-CN|simulator|pdf|serve|dist|node:(child_process|tls|http|dgram)$)/.test(
          name,
        ),
      ),
    ).toEqual([]);
  });

  // Would catch: a stand-in that loads nothing, or not what the sources import.
  it('is the template reader, and still no other area, where a template is checked', () => {
    const loaded = loadedBy('template', 'check', join(ROOT, 'resources', 'templates', 'site-basics.yaml'));

    expect(loaded).toContain('src.engine.template.read-tree');
    expect(loaded.filter((name) => /^src\..*\.area$/.test(name))).toEqual([]);
  });

  // Would catch: a desktop app that looks for a area hours later, when an update has replaced its files.
  it('is all there is where the desktop app starts', () => {
    const chunks = readdirSync(join(MAIN, 'chunks')).filter((name) => /^src\..*\.cjs$/.test(name));
    const index = readFileSync(join(MAIN, 'index.cjs'), 'utf8');

    expect(chunks.length).toBeGreaterThan(10);
    expect(chunks.filter((name) => !index.includes(`require("./chunks/${name}")`))).toEqual([]);
  });
});

describe('what V8 made of a built command', () => {
  const compiled = join(folder, 'compiled');
  const script = join(folder, 'start.mjs');
  const loader = pathToFileURL(join(ROOT, 'build', 'tasks', 'support', 'built.mjs')).href;
  writeFileSync(
    script,
    `import { runBuilt } from ${JSON.stringify(loader)};
     runBuilt(${JSON.stringify(join(MAIN, 'cli.cjs'))}, ${JSON.stringify(compiled)});`,
  );
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [script, ...args, '--data-dir', folder], { encoding: 'utf8' });
  const kept = (command: string): readonly string[] => {
    const found = join(compiled, `${process.versions.v8}-${process.arch}`, command);
    return existsSync(found) ? readdirSync(found).map((name) => join(found, name)) : [];
  };

  // Would catch: code that is compiled with every start; and a folder for each word that somebody mistypes.
  it('is kept for the command that it was used by, where there is one', () => {
    const { status, stdout } = run('template', 'list');

    expect(status).toBe(0);
    expect(stdout).toContain('bundled:site-basics');
    expect(kept('template').length).toBeGreaterThan(3);
    expect(run('no-such-command').status).toBe(2);
    expect(kept('no-such-command')).toEqual([]);
  });

  // Would catch: after a laptop lost power while it was written, a command that crashes V8 with every start.
  it.each([
    ['cut', (data: Buffer) => data.subarray(0, data.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    [
      'zero from its middle on',
      (data: Buffer) => Buffer.concat([data.subarray(0, data.length / 2), Buffer.alloc(data.length / 2)]),
    ],
  ])('is made anew where what was kept is %s', (_what, damage) => {
    const sound = run('template', 'list').stdout;
    // What bounds V8's memory comes after half a second: on a busy machine with a command as short as this one, and not with the next.
    const files = kept('template').filter((file) => !file.includes('young-generation'));
    for (const file of files) writeFileSync(file, damage(readFileSync(file)));
    const damaged = files.map((file) => readFileSync(file));

    const { status, stdout } = run('template', 'list');

    expect({ status, stdout }).toEqual({ status: 0, stdout: sound });
    expect(files.filter((file, index) => damaged[index]?.equals(readFileSync(file)))).toEqual([]);
  });

  // Would catch: after an update the code of the version before, where a file has the length that it had.
  it('is not used for other code of the same length', () => {
    const program = join(folder, 'program.cjs');
    const other = join(folder, 'other.mjs');
    writeFileSync(other, readFileSync(script, 'utf8').replaceAll(join(MAIN, 'cli.cjs'), program));
    const saying = (word: string): string => {
      writeFileSync(program, `console.log('${word}')`);
      return spawnSync(process.execPath, [other, 'say'], { encoding: 'utf8' }).stdout;
    };

    expect([saying('one'), saying('one'), saying('two')]).toEqual(['one\n', 'one\n', 'two\n']);
    expect(kept('say')).toHaveLength(1);
  });
});
