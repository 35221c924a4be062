/** What a start does not load: modules of the build that are read from disk when something of them is first called. */
import type { Plugin } from 'vite';

/**
 * Modules by the end of their path, with the functions and classes that others import from them. Where one is missing
 * the build fails; a value, or a class that somebody extends or asks `instanceof` of, cannot stand here.
 */
export type FirstUse = Readonly<Record<string, readonly string[]>>;

const STAND_IN = '\0first-use:';
/** Stands in the code until it is known from where the chunk is asked for. */
const PLACE = 'first-use-place:';

function chunkOf(end: string): string {
  return `chunks/${end.replace(/\.ts$/, '').replaceAll('/', '.')}.cjs`;
}

/**
 * In place of each module stand functions of the same names, which load its chunk with the first call. Sources
 * stay as they are; there is one instance for all, and a start pays for nothing that it does not call. `whole` is the
 * entry that loads all of them with itself: it runs long, and its files may be replaced meanwhile.
 */
export function firstUse(modules: FirstUse, { whole }: { readonly whole: string }): Plugin {
  const endOf = (id: string): string | undefined =>
    Object.keys(modules).find((end) => id.replaceAll('\\', '/').endsWith(`/${end}`));
  return {
    name: 'first-use',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (source.startsWith(PLACE)) return { id: source, external: true };
      if (importer === undefined || source.startsWith('\0')) return undefined;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      return resolved === null || endOf(resolved.id) === undefined ? undefined : `${STAND_IN}${resolved.id}`;
    },
    load(id) {
      if (!id.startsWith(STAND_IN)) return undefined;
      const real = id.slice(STAND_IN.length);
      const end = endOf(real) ?? '';
      this.emitFile({ type: 'chunk', id: real, fileName: chunkOf(end), preserveSignature: 'strict' });
      return {
        code: [
          `let loaded;`,
          `const load = () => (loaded ??= require('${PLACE}${end}'));`,
          ...(modules[end] ?? []).map(
            (name) =>
              `export function ${name}(...given) { return new.target === undefined ? load().${name}(...given) : Reflect.construct(load().${name}, given); }`,
          ),
        ].join('\n'),
        moduleSideEffects: false,
      };
    },
    renderChunk(code, { fileName, isEntry, name }) {
      const isWhole = isEntry && name === whole;
      if (!isWhole && !code.includes(PLACE)) return undefined;
      const back = '../'.repeat(fileName.split('/').length - 1) || './';
      const ends = Object.keys(modules);
      const imports = isWhole ? ends.map((end) => `require('${back}${chunkOf(end)}');`).join('') : '';
      return ends.reduce(
        (text, end) => text.replaceAll(`${PLACE}${end}`, `${back}${chunkOf(end)}`),
        imports + code,
      );
    },
  };
}
