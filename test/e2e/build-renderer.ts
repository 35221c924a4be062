/** The renderer of the sources as they are now, built with the product's own configuration into a folder of its own: once for a whole run of tests (build-once.ts). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import config from '../../electron.vite.config.ts';

export interface BuiltRenderer {
  readonly dir: string;
  remove(): Promise<void>;
}

/** Names the folder that a run of tests built for all of its files. */
export const BUILT = 'FIELDWRIGHT_TEST_RENDERER';

export async function buildRenderer(): Promise<BuiltRenderer> {
  const built = process.env[BUILT];
  if (built !== undefined) return { dir: built, remove: () => Promise.resolve() };
  const dir = await mkdtemp(join(tmpdir(), 'fieldwright-renderer-'));
  const { renderer } = config as { readonly renderer: Parameters<typeof build>[0] };
  // The runner of the tests sets it, and the builder takes it before its own mode: libraries would come with their checks.
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  await build({
    ...renderer,
    configFile: false,
    mode: 'production',
    base: './',
    logLevel: 'error',
    build: { ...renderer?.build, outDir: dir, emptyOutDir: true },
  }).finally(() => {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  });
  return { dir, remove: () => rm(dir, { recursive: true, force: true, maxRetries: 5 }) };
}
