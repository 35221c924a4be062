/**
 * `npm test [-- filter …]`: makes sure everything is there, then lint, type check and all tests.
 * The last line is `N passed, N failed, N skipped`; lint and type check count as one each.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuild } from './support/app-build.mjs';
import { ensureChromium } from './support/chromium.mjs';
import { childEnvironment, ensureBasics } from './support/modules.mjs';
import { ownNode, root, toolScript } from './support/paths.mjs';
import { capture, onStopSignal, signalExitCode, start, stopAll } from './support/processes.mjs';
import { runTask, say, TaskError } from './support/report.mjs';
import { LINT, TYPE_CHECKS } from './support/static-checks.mjs';
import { addCounts, countTests } from './support/test-counts.mjs';

/** Runs the commands of one check at the same time; prints only what went wrong. */
async function staticCheck(name, commands) {
  const started = Date.now();
  const results = await Promise.all(
    commands.map((args) => capture(ownNode, args, { cwd: root, env: childEnvironment() })),
  );
  const failed = results.filter(({ code }) => code !== 0);
  for (const { stdout, stderr } of failed) say(`${stdout}${stderr}`.trimEnd());
  say(`${failed.length === 0 ? '✓' : '✗'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return failed.length === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

async function runVitest(filters, environment) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-test-'));
  const report = join(folder, 'report.json');
  const args = [
    toolScript('vitest', 'vitest.mjs'),
    'run',
    ...filters,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  try {
    const { done } = start(ownNode, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: childEnvironment(environment),
    });
    const { code } = await done;
    return countTests(readReport(report), code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

async function main() {
  const again = await ensureBasics(fileURLToPath(import.meta.url));
  if (again !== undefined) return again;
  const stopped = new Promise((resolve) => {
    onStopSignal(resolve);
  });
  const interrupted = stopped.then(async (signal) => {
    await stopAll();
    return signalExitCode(signal);
  });
  return Promise.race([interrupted, everything(process.argv.slice(2))]);
}

async function everything(filters) {
  const counts = [];
  const environment = {};
  try {
    await ensureBuild();
    // The browser tests would build the same once more (test/e2e/build-renderer.ts).
    environment.FIELDWRIGHT_TEST_RENDERER = join(root, 'out', 'renderer');
    // Processes of the command start sooner from the build (test/cli/helpers.ts).
    environment.FIELDWRIGHT_TEST_CLI = join(root, 'out', 'main', 'cli.cjs');
    environment.FIELDWRIGHT_CHROMIUM = await ensureChromium();
  } catch (error) {
    // A failed preparation is a failure of the run; the other tests still run.
    say(error instanceof TaskError ? `${error.message}\n${error.hint ?? ''}` : String(error));
    counts.push({ passed: 0, failed: 1, skipped: 0 });
  }
  if (filters.length === 0) {
    counts.push(...(await Promise.all([staticCheck('lint', LINT), staticCheck('type check', TYPE_CHECKS)])));
  } else {
    say('Lint and type check are left out when tests are filtered.');
  }
  counts.push(await runVitest(filters, environment));
  const { passed, failed, skipped } = addCounts(counts);
  process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  return failed === 0 ? 0 : 1;
}

await runTask(main);
