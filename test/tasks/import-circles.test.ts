/** Files that import each other in a circle, types included, cannot be read or moved one by one. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

/** A field of a form may hold further fields: its part draws itself. */
const NESTED = 'src/renderer/common/forms/FieldNode.vue';

type Imports = ReadonlyMap<string, readonly string[]>;

function importsOf(folder: string): Imports {
  const files = globSync(`${folder}/**/*.{ts,vue}`);
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(file, 'utf8');
      const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'([.#][^']+)'/g)];
      const paths = found.map(([, path = '']) =>
        path.startsWith('#') ? join('src', path.slice(1)) : join(dirname(file), path),
      );
      return [file, paths.filter((path) => known.has(path))];
    }),
  );
}

/** Each circle once, as the way from one file back to itself. */
function circlesIn(imports: Imports): readonly string[] {
  const circles: string[] = [];
  const finished = new Set<string>();
  const walk = (file: string, way: readonly string[]): void => {
    const before = way.indexOf(file);
    if (before >= 0) {
      circles.push([...way.slice(before), file].join(' imports '));
      return;
    }
    if (finished.has(file)) return;
    for (const imported of imports.get(file) ?? []) walk(imported, [...way, file]);
    finished.add(file);
  };
  for (const file of imports.keys()) walk(file, []);
  return circles;
}

// Would catch: a circle that is not found, however long, and two ways to one file that are none.
it('finds circles, and takes nothing else for one', () => {
  const imports = new Map([
    ['a', ['b', 'c']],
    ['b', ['d']],
    ['c', ['d']],
    ['d', ['e']],
    ['e', ['c', 'e']],
  ]);

  expect(circlesIn(imports)).toEqual(['d imports e imports c imports d', 'e imports e']);
});

// Would catch: a type that is taken from the file of its user; it belongs into a file that both import.
it('no files of the sources import each other in a circle', () => {
  const imports = importsOf('src');

  expect([...imports.values()].flat().length).toBeGreaterThan(5000);
  const circles = circlesIn(imports).filter((circle) => !circle.includes(NESTED));
  expect(circles, 'Move what both need into a file that imports neither.').toEqual([]);
});
