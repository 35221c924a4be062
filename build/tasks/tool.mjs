/**
 * Runs a tool of node_modules after making sure that it is there, for the small npm scripts:
 * `node build/tasks/tool.mjs lint|format|typecheck|bench|mutation [arguments]`.
 */
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { ensureBasics, childEnvironment } from './support/modules.mjs';
import { ownNode, root, toolScript } from './support/paths.mjs';
import { become } from './support/processes.mjs';
import { runTask, TaskError } from './support/report.mjs';
import { FORMAT, LINT, TYPE_CHECKS } from './support/static-checks.mjs';

const TOOLS = {
  lint: LINT,
  format: [FORMAT],
  typecheck: TYPE_CHECKS,
  measure: [[join(root, 'build', 'measure', 'index.mjs')]],
  bench: [[join(root, 'test', 'bench', 'index.ts')]],
  screenshots: [[join(root, 'test', 'screenshots', 'index.ts')]],
  mutation: [[join(root, 'build', 'tasks', 'mutation.mjs')]],
  vitest: [[toolScript('vitest', 'vitest.mjs')]],
};

await runTask(async () => {
  const again = await ensureBasics(fileURLToPath(import.meta.url));
  if (again !== undefined) return again;
  const [name, ...args] = process.argv.slice(2);
  if (!Object.hasOwn(TOOLS, name ?? ''))
    throw new TaskError(`There is no tool ${name ?? ''}; there are: ${Object.keys(TOOLS).join(', ')}.`);
  for (const command of TOOLS[name]) {
    const code = await become(ownNode, [...command, ...args], { cwd: root, env: childEnvironment() });
    if (code !== 0) return code;
  }
  return 0;
});
