#!/usr/bin/env node
/**
 * Makes sure that what a task needs is there: `node build/tasks/ensure.mjs [build] [chromium]`.
 * Dependencies and the Node that belongs to them always come first.
 */
import { fileURLToPath } from 'node:url';
import { ensureBuild } from './support/app-build.mjs';
import { ensureChromium } from './support/chromium.mjs';
import { ensureBasics } from './support/modules.mjs';
import { runTask, TaskError } from './support/report.mjs';

const STEPS = { build: () => ensureBuild(), chromium: () => ensureChromium() };

await runTask(async () => {
  const again = await ensureBasics(fileURLToPath(import.meta.url));
  if (again !== undefined) return again;
  for (const name of process.argv.slice(2)) {
    if (!Object.hasOwn(STEPS, name))
      throw new TaskError(`There is no step ${name}; there are: ${Object.keys(STEPS).join(', ')}.`);
    await STEPS[name]();
  }
  return 0;
});
