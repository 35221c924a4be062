/**
 * Measures what the tests would notice: `npm run mutation -- src/protocol/fields src/protocol/diff.ts`
 * changes the code there in small ways, and runs the tests of the same folder on each. Prints the changes
 * that no test saw, and the score. Tests named beside them (`test/protocol/fields.test.ts`) are run instead:
 * others that go over the network, or through all definitions, take long and see little more. The score is
 * the lower for it, never the higher.
 * A report with all of them is kept beside what is remembered for the next run.
 */
import { hash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { cacheDir, root } from './support/paths.mjs';

const named = process.argv.slice(2).map((place) => place.replace(/\/$/, ''));
const unknown = named.find((place) => !existsSync(join(root, place)));
const places = named.filter((place) => !place.startsWith('test/'));
const tests = named.filter((place) => place.startsWith('test/'));
if (places.length === 0 || unknown !== undefined) {
  process.stderr.write(`Name folders or files of src${unknown === undefined ? '' : `, not ${unknown}`}.\n`);
  process.exit(2);
}

/** `src/engine/planning/pure` has its tests in `test/engine/planning/pure`, a folder further in in the nearest one that has any. */
function testsOf(place) {
  const parts = place.split('/').slice(1);
  while (!existsSync(join(root, 'test', ...parts)) || parts.at(-1)?.endsWith('.ts')) parts.pop();
  return `test/${parts.join('/')}/**/*.test.ts`;
}

/**
 * Name of the data remembered for the next run of the same places; many of them would exceed the length of a
 * file name.
 */
const spelled = places.join('+').replaceAll('/', '-');
const name =
  spelled.length <= 100 ? spelled : `${spelled.slice(0, 80)}-${hash('sha256', spelled).slice(0, 12)}`;
await new Stryker({
  // Definitions are data.
  mutate: [
    ...places.map((place) => (statSync(join(root, place)).isFile() ? place : `${place}/**/*.ts`)),
    '!src/protocol/definitions/**',
  ],
  testFiles: tests.length > 0 ? tests : [...new Set(places.map(testsOf))],
  testRunner: 'vitest',
  vitest: { configFile: 'build/tasks/support/mutation.vitest.mjs' },
  plugins: ['@stryker-mutator/vitest-runner'],
  coverageAnalysis: 'perTest',
  concurrency: 2,
  ignorePatterns: ['/out', '/dist', '/.git', '/build/installers'],
  // Made once when a file is loaded, each would need all tests anew; what is computed from them is changed instead.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: join(cacheDir, `mutation-${name}.json`),
  reporters: ['progress-append-only', 'clear-text', 'json'],
  jsonReporter: { fileName: join(cacheDir, `mutation-${name}-report.json`) },
  clearTextReporter: { allowColor: false, logTests: false, allowEmojis: false },
  thresholds: { high: 95, low: 85, break: 85 },
  timeoutMS: 10_000,
  dryRunTimeoutMinutes: 20,
  tempDirName: '.stryker-tmp',
  cleanTempDir: 'always',
}).runMutationTest();
