/** What a command of the built app reads before it does anything. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    ['--import', SAYING.replaceAll('\n', ''), join(MAIN, 'cli.js'), ...args, '--data-dir', folder],
    { encoding: 'utf8' },
  );
  expect(status, stderr).toBe(0);
  return stderr
    .split('\n')
    .flatMap((line) => /(?:\/out\/main\/(?:chunks\/)?|^(?=node:))(\S+?)(?:\.js)?$/.exec(line)?.[1] ?? []);
}

describe('what a built command loads', () => {
  // Would catch: an import that brings a wing, its libraries or the second language back into every start.
  it('is no wing, no template reader, no HTTP and no Chinese where templates are listed', () => {
    assertBuilt();
    const whenUsed = readdirSync(join(MAIN, 'chunks')).filter((name) => /^src\..*\.js$/.test(name));
    expect(whenUsed).toEqual(
      expect.arrayContaining(['src.engine.flow.wing.js', 'src.engine.template.read-yaml.js']),
    );

    const loaded = loadedBy('template', 'list');

    expect(loaded).toContain('cli');
    expect(
      loaded.filter((name) =>
        /^(src\.|undici|schemas|chinese|zh-CN|simulator|pdf|serve|dist|node:(child_process|tls|http|dgram|v8)$)/.test(
          name,
        ),
      ),
    ).toEqual([]);
  });

  // Would catch: a stand-in that loads nothing, or not what the sources import.
  it('is the template reader, and still no other wing, where a template is checked', () => {
    const loaded = loadedBy('template', 'check', join(ROOT, 'resources', 'templates', 'site-basics.yaml'));

    expect(loaded).toContain('src.engine.template.read-yaml');
    expect(loaded.filter((name) => /^src\..*\.wing$/.test(name))).toEqual([]);
  });

  // Would catch: a desktop app that looks for a wing with `require` inside its archive, where only `import` is sure.
  it('is all there is where the desktop app starts', () => {
    const chunks = readdirSync(join(MAIN, 'chunks')).filter((name) => /^src\..*\.js$/.test(name));
    const index = readFileSync(join(MAIN, 'index.js'), 'utf8');

    expect(chunks.length).toBeGreaterThan(10);
    expect(chunks.filter((name) => !new RegExp(`import\\s*["']\\./chunks/${name}["']`).test(index))).toEqual(
      [],
    );
  });
});
