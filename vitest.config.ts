import vue from '@vitejs/plugin-vue';
import { join } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumCandidates } from './build/tasks/support/chromium.mjs';

const PURE = ['test/{shared,protocol,template,report-layout,renderer}/**/*.test.ts'];
const COMPONENTS = ['test/components/**/*.test.ts'];
const BROWSER = ['test/{browser,e2e,electron}/**/*.test.ts'];

/** Paths a test may rely on whether it was started by `npm test` or alone. */
const env = { FIELDWRIGHT_CHROMIUM: chromiumCandidates()[0] ?? '', NO_COLOR: '1' };

// Compiling the sources is most of what a short process does: done once for all of a run, and for the next one.
process.env['NODE_COMPILE_CACHE'] ||= join(import.meta.dirname, 'node_modules', '.cache', 'compiled');

/** Sources that Node runs as they are, with all files of a worker in one process: what they import is loaded once. */
const NATIVE = {
  pool: 'forks',
  isolate: false,
  restoreMocks: true,
  experimental: { viteModuleRunner: false, nodeLoader: false },
} as const;

/** Patience of tests that wait for an event, on a machine of any load. */
const PATIENT = { poll: { timeout: 60_000 } };

/**
 * Four kinds of tests: `unit` (pure), `integration` (real HTTP, files, child processes), `components`
 * (parts of the renderer in a real page) and
 * `browser` (real Chromium pages).
 * A file that is in no list of its own is an integration test.
 */
export default defineConfig({
  test: {
    maxWorkers: 3,
    passWithNoTests: true,
    projects: [
      { test: { name: 'unit', include: PURE, env, pool: 'threads', isolate: false, testTimeout: 45_000 } },
      {
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: [...PURE, ...BROWSER, ...COMPONENTS],
          env,
          ...NATIVE,
          testTimeout: 90_000,
          expect: PATIENT,
          hookTimeout: 90_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: BROWSER,
          globalSetup: ['test/e2e/build-once.ts'],
          env,
          ...NATIVE,
          testTimeout: 240_000,
          expect: PATIENT,
          hookTimeout: 240_000,
        },
      },
      {
        plugins: [vue()],
        optimizeDeps: {
          include: ['axe-core', 'vue', 'vue-i18n', 'vue-router', 'naive-ui', '@vueuse/core', 'pinia'],
        },
        test: {
          name: 'components',
          include: COMPONENTS,
          testTimeout: 240_000,
          expect: PATIENT,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: env.FIELDWRIGHT_CHROMIUM, args: ['--no-sandbox'] },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
