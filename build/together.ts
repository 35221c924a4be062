/** Which modules of the build stand in one file: each file takes a start half a millisecond. */
import type { Rolldown } from 'vite';

interface Together {
  /** What both of these modules import. */
  readonly base: readonly [string, string];
  /** By the name of the file: what this module imports beside that, and beside what the ones before it do. */
  readonly then: Readonly<Record<string, string>>;
}

/** Each set holds whatever it imports, or the sets before it do, so that no file waits for another in a circle. */
export function together({ base, then }: Together): Rolldown.CodeSplittingOptions {
  let names: ReadonlyMap<string, string> | undefined;
  return {
    includeDependenciesRecursively: false,
    groups: [
      {
        debugName: 'together',
        name(id, context) {
          names ??= namesOf(context);
          return names.get(id) ?? null;
        },
      },
    ],
  };

  function namesOf(context: Rolldown.ChunkingContext): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    const [one, other] = base.map((root) => importedFrom(root, context));
    for (const id of one ?? []) if (other?.has(id) === true) found.set(id, 'base');
    for (const [name, root] of Object.entries(then)) {
      for (const id of importedFrom(root, context))
        if (!found.has(id) && !isAsked(id, context)) found.set(id, name);
    }
    return found;
  }
}

/** It has a file of its own: whoever starts it, or comes to it in its own time, wants no other with it. */
function isAsked(id: string, context: Rolldown.ChunkingContext): boolean {
  const about = context.getModuleInfo(id);
  return about?.isEntry === true || (about?.dynamicImporters.length ?? 0) > 0;
}

/** Returns the module and whatever it imports, dynamic imports aside. Module names have slashes on Windows too. */
function importedFrom(path: string, context: Rolldown.ChunkingContext): ReadonlySet<string> {
  const entry = path.replaceAll('\\', '/');
  if (context.getModuleInfo(entry) === null) throw new Error(`${path} is not a module of this build.`);
  const found = new Set<string>();
  const open = [entry];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(context.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
