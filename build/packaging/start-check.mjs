/**
 * `node build/packaging/start-check.mjs PROGRAM [ARGUMENTS]`: starts a packed desktop app on an empty data folder, waits
 * for its first screen and an answer of its engine, closes the window and expects a clean end. CI does this before a
 * package is uploaded. It looks from outside, through Chromium's own debugging port, so the app has no mode for it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright';
import { root } from '../tasks/support/paths.mjs';
import { runTask, say, TaskError } from '../tasks/support/report.mjs';

const PATIENCE_MS = 90_000;
const FIRST_SCREEN = '[data-test-id="site-screen"]';

async function findFreePort() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** Tries until something comes back; the last error says why it did not. */
async function retry(attempt, isOver) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (isOver() || Date.now() > end) throw error;
      await new Promise((done) => setTimeout(done, 250));
    }
  }
}

/** Runs in the page: asks the engine who it is, as the page itself does. */
function askInfo() {
  const { fieldwright } = globalThis;
  return new Promise((answer) => {
    fieldwright.onMessage((text) => {
      const message = JSON.parse(text);
      if (message.i === 'start-check') answer(JSON.stringify(message));
    });
    fieldwright.send(JSON.stringify({ i: 'start-check', p: { u: '/app/info', b: {} } }));
  });
}

/** Returns the page of the app among those of a browser, once it shows its first screen. */
async function findAppPage(browser) {
  const pages = browser.contexts().flatMap((context) => context.pages());
  for (const page of pages)
    if (await page.evaluate(() => globalThis.fieldwright !== undefined).catch(() => false)) {
      await page.locator(FIRST_SCREEN).waitFor({ timeout: PATIENCE_MS });
      return page;
    }
  throw new TaskError('No window of the app was opened.');
}

/** Looks at the app through its debugging port and closes its window. Throws where it does not work as it should. */
export async function checkWindow(endpoint, version, isOver) {
  const browser = await retry(() => chromium.connectOverCDP(endpoint), isOver);
  try {
    const page = await retry(() => findAppPage(browser), isOver);
    const answer = await page.evaluate(askInfo);
    if (!answer.includes('"face":"desktop"') || !answer.includes(JSON.stringify(version)))
      throw new TaskError('The engine answers something else than expected.', answer.slice(0, 500));
    await page.close();
  } finally {
    await browser.close().catch(() => undefined);
  }
}

async function checkStart(program, args) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-start-'));
  const port = await findFreePort();
  const { ELECTRON_RUN_AS_NODE: _asNode, ...env } = process.env;
  const child = spawn(resolve(program), [...args, `--remote-debugging-port=${port}`], {
    env: { ...env, FIELDWRIGHT_DATA_DIR: dataDir },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit');
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  try {
    await checkWindow(`http://127.0.0.1:${port}`, version, isOver);
    // An app of macOS goes on without a window.
    if (process.platform === 'darwin') child.kill('SIGTERM');
    const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    const [code, signal] = await ended;
    clearTimeout(patience);
    if (code !== 0) throw new TaskError(`The app ended with ${code ?? signal}.`);
  } catch (error) {
    if (isOver()) throw new TaskError(`The app ended by itself, with ${child.exitCode ?? child.signalCode}.`);
    child.kill('SIGKILL');
    throw error;
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

if (process.argv[1] === import.meta.filename)
  await runTask(async () => {
    const [, , program, ...args] = process.argv;
    if (program === undefined) throw new TaskError('Name the program of the packed app.');
    await checkStart(program, args);
    say('The packed app starts, answers and ends.');
    return 0;
  });
