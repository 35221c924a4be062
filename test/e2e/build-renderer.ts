/** The renderer of the sources as they are now, built with the product's own configuration into a folder of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import config from '../../electron.vite.config.ts';

export interface BuiltRenderer {
  readonly dir: string;
  remove(): Promise<void>;
}

export async function buildRenderer(): Promise<BuiltRenderer> {
  const dir = await mkdtemp(join(tmpdir(), 'fieldwright-renderer-'));
  const { renderer } = config as { readonly renderer: Parameters<typeof build>[0] };
  await build({ ...renderer, configFile: false, mode: 'production', base: './', logLevel: 'error', build: { ...renderer?.build, outDir: dir, emptyOutDir: true } });
  return { dir, remove: () => rm(dir, { recursive: true, force: true, maxRetries: 5 }) };
}
