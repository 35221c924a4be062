/** Modules that a long-running face loads when it starts. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const LIST = join('src', 'engine', 'load-all.ts');

/** Modules that a source loads when it needs them, as paths from the root; Node's own need no file. */
function importsLater(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/\bimport\(\s*'([^']+)'/g)].flatMap(([, name = '']) => {
    if (name.startsWith('node:')) return [];
    if (name.startsWith('.')) return [join(dirname(file), name)];
    return [name];
  });
}

// Would catch: a part of the engine that is looked for days after the start, when an update has replaced its file.
it('is everything that the engine loads when it first needs it', () => {
  const later = globSync('src/engine/**/*.ts')
    .filter((file) => file !== LIST)
    .flatMap(importsLater);

  expect(new Set(importsLater(LIST))).toEqual(new Set(later));
});
