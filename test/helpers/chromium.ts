/** A Chromium for tests: one that is on the machine, else the test runner's own download. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';

/** Nothing of a test browser talks to anybody but the test. */
export const CHROMIUM_ARGS: readonly string[] = [
  '--no-sandbox',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--mute-audio',
];

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** `FIELDWRIGHT_CHROMIUM`, then what is on the path, then Playwright's; undefined: none. */
export function findChromium(): string | undefined {
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const usual = [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/snap/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ];
  return [process.env['FIELDWRIGHT_CHROMIUM'], ...onPath, ...usual, chromium.executablePath()].find(
    (file) => file !== undefined && file !== '' && existsSync(file),
  );
}
