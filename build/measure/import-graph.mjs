/** Imports between files of the project, types included. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the files that each TypeScript and Vue file of a folder imports, as paths from the root. */
export function readImports(folder) {
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

/** Returns each circle once: the files from one back to itself. */
export function findCircles(imports) {
  const circles = [];
  const finished = new Set();
  const walk = (file, way) => {
    const before = way.indexOf(file);
    if (before >= 0) {
      circles.push([...way.slice(before), file]);
      return;
    }
    if (finished.has(file)) return;
    for (const imported of imports.get(file) ?? []) walk(imported, [...way, file]);
    finished.add(file);
  };
  for (const file of imports.keys()) walk(file, []);
  return circles;
}
