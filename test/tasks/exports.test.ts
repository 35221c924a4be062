/** Every export of a file is imported by another: an unused export hides dead code. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const EXPORTED = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;

// Would catch: a helper, or a type, whose last user went.
it('everything that a source exports is used by another file', () => {
  const files = globSync('{src,test,build}/**/*.{ts,vue,mjs}').map((path) => ({
    path,
    text: readFileSync(path, 'utf8'),
  }));
  const uses = new Map<string, number>();
  for (const { text } of files)
    for (const word of new Set(text.match(/\b[A-Za-z_]\w*/g))) uses.set(word, (uses.get(word) ?? 0) + 1);

  const unused = files
    .filter(({ path }) => path.startsWith('src'))
    .flatMap(({ path, text }) => [...text.matchAll(EXPORTED)].map(([, name = '']) => ({ path, name })))
    .filter(({ name }) => uses.get(name) === 1)
    .map(({ path, name }) => `${path}: ${name}`);

  expect(files.length).toBeGreaterThan(1000);
  expect(unused).toEqual([]);
});
