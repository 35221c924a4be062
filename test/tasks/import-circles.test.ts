/** Files that import each other in a circle, types included, cannot be read or moved one by one. */
import { expect, it } from 'vitest';
import { findCircles, readImports } from '../../build/measure/import-graph.mjs';

/** A field of a form may hold further fields: its part draws itself. */
const NESTED = 'src/renderer/common/forms/FieldNode.vue';

// Would catch: a circle that is not found, however long, and two ways to one file that are none.
it('finds circles, and takes nothing else for one', () => {
  const imports = new Map([
    ['a', ['b', 'c']],
    ['b', ['d']],
    ['c', ['d']],
    ['d', ['e']],
    ['e', ['c', 'e']],
  ]);

  expect(findCircles(imports)).toEqual([
    ['d', 'e', 'c', 'd'],
    ['e', 'e'],
  ]);
});

// Would catch: a type that is taken from the file of its user; it belongs into a file that both import.
it('no files of the sources import each other in a circle', () => {
  const imports = readImports('src');

  expect([...imports.values()].flat().length).toBeGreaterThan(5000);
  const circles = findCircles(imports).filter((circle) => !circle.includes(NESTED));
  expect(circles, 'Move what both need into a file that imports neither.').toEqual([]);
});
