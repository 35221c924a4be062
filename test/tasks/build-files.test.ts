/** Which files the build is cut into. */
import type { Rolldown } from 'vite';
import { expect, it } from 'vitest';
import { together } from '../../build/together.ts';

const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  'C:/src/one.ts': ['C:/src/both.ts', 'C:/src/alone.ts'],
  'C:/src/other.ts': ['C:/src/both.ts'],
  'C:/src/both.ts': [],
  'C:/src/alone.ts': [],
};
const context = {
  getModuleInfo: (id: string) =>
    id in IMPORTS ? { importedIds: IMPORTS[id], isEntry: false, dynamicImporters: [] } : null,
} as unknown as Rolldown.ChunkingContext;

/** Returns the file of a module, for a build whose roots are written as Windows does. */
function fileOf(id: string, root = 'C:\\src\\one.ts'): unknown {
  const { groups } = together({ base: [root, 'C:\\src\\other.ts'], then: { engine: root } });
  const name = groups?.[0]?.name;
  return typeof name === 'function' ? name(id, context) : name;
}

// Would catch: 61 small files more on Windows, each of which a start reads.
it('fault 23: modules stand in the same files where paths have backslashes', () => {
  expect(Object.keys(IMPORTS).map((id) => fileOf(id))).toEqual(['engine', null, 'base', 'engine']);
});

it('fault 23: a root that is no module of the build stops it', () => {
  expect(() => fileOf('C:/src/one.ts', 'C:\\src\\gone.ts')).toThrow('is not a module of this build');
});
