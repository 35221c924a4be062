/**
 * Builds the page once, before the first test in a browser. A build in every file took most of a run, and
 * more time than a test has on a loaded machine.
 */
import { BUILT, buildRenderer } from './build-renderer.ts';

export async function setup(): Promise<() => Promise<void>> {
  const renderer = await buildRenderer();
  process.env[BUILT] = renderer.dir;
  return renderer.remove;
}
