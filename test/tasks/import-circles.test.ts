/** Files that import each other in a circle, types included, cannot be read or moved one by one. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

type Imports = ReadonlyMap<string, readonly string[]>;

function importsOf(folder: string): Imports {
  const files = globSync(`${folder}/**/*.ts`);
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(file, 'utf8');
      const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)];
      return [
        file,
        found.map(([, path = '']) => join(dirname(file), path)).filter((path) => known.has(path)),
      ];
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
it.each(['shared', 'protocol', 'engine'])('no files of src/%s import each other in a circle', (room) => {
  const imports = importsOf(`src/${room}`);

  expect(imports.size).toBeGreaterThan(50);
  expect(circlesIn(imports), 'Move what both need into a file that imports neither.').toEqual([]);
});
