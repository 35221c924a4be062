/** Which modules of the build stand in one file: each file takes a start half a millisecond. */
import type { Rolldown } from 'vite';

/**
 * What both entries import, and what the second imports beside, each in one chunk. Both sets hold whatever they
 * import, so that no chunk waits for another in a circle.
 */
export function togetherAtStart(first: string, second: string): Rolldown.CodeSplittingOptions {
  let sets: readonly (readonly [name: string, ids: ReadonlySet<string>])[] | undefined;
  return {
    groups: [
      {
        debugName: 'together at start',
        name(id, context) {
          if (sets === undefined) {
            const [one, other] = [importedFrom(first, context), importedFrom(second, context)];
            sets = [
              ['base', new Set([...one].filter((id) => other.has(id)))],
              ['engine', other],
            ];
          }
          return sets.find(([, ids]) => ids.has(id))?.[0] ?? null;
        },
      },
    ],
  };
}

/** The module and whatever it imports, dynamic imports aside. */
function importedFrom(entry: string, context: Rolldown.ChunkingContext): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [entry];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(context.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
