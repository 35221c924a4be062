/** Programs that a test starts many times: in one file, and compiled once, each start takes a fifth of the time. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'vite';

export interface BuiltProgram {
  readonly file: string;
  /** Variables for its processes: compiled code is kept from one to the next. */
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

/** Builds a program of the sources with all that it imports. Its `import.meta.dirname` is the folder of the build. */
export async function buildProgram(source: string): Promise<BuiltProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-program-'));
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: { ssr: source, outDir: folder, minify: false },
  });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return {
    file: join(folder, basename(source).replace(/\.ts$/, '.js')),
    env: { NODE_COMPILE_CACHE: join(folder, 'compiled') },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
