/**
 * `npm run demo`: installs what is missing, builds, starts a virtual site and opens the app on it.
 * `npm run demo -- --check` does the main job without a screen.
 */
import { fileURLToPath } from 'node:url';
import { demoCheck } from './demo-check.mjs';
import { ensureBuild } from './support/app-build.mjs';
import { startCli } from './support/cli.mjs';
import { DEVICES, startDemoSite } from './support/demo-site.mjs';
import { ensureElectron, hasDisplay } from './support/electron.mjs';
import { childEnvironment, ensureBasics } from './support/modules.mjs';
import { root } from './support/paths.mjs';
import { onStopSignal, signalExitCode, start, stopAll } from './support/processes.mjs';
import { runTask, say, step, TaskError } from './support/report.mjs';

/** A window of the desktop app; resolves when it is closed. */
async function runDesktop(binary, dataDir) {
  const args = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox', root] : [root];
  const env = childEnvironment({ FIELDWRIGHT_DATA_DIR: dataDir });
  delete env.ELECTRON_RUN_AS_NODE;
  const { code, error } = await start(binary, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  }).done;
  if (error) throw new TaskError(`Electron does not start: ${error.message}`);
  return code ?? 1;
}

async function runBrowserHosted(dataDir, reason) {
  const server = await startCli(['serve', '--data-dir', dataDir, ...(hasDisplay() ? ['--open'] : [])], {
    atTerminal: true,
  });
  say(`The app runs in the browser, because ${reason}.`);
  process.stdout.write(`${server.ready.url}\n`);
  say('The address works once. Ctrl-C ends the demo.');
  const { code } = await server.done;
  return code ?? 1;
}

async function demo() {
  const electron = await ensureElectron();
  const site = await step(`Starting a virtual site of ${DEVICES} devices`, startDemoSite);
  try {
    return electron.path
      ? await runDesktop(electron.path, site.dataDir)
      : await runBrowserHosted(site.dataDir, electron.reason);
  } finally {
    await site.dispose();
  }
}

await runTask(async () => {
  const again = await ensureBasics(fileURLToPath(import.meta.url));
  if (again !== undefined) return again;
  const args = process.argv.slice(2);
  const unknown = args.find((word) => word !== '--check');
  if (unknown) throw new TaskError(`There is no option ${unknown}; there is --check.`);
  const stopped = Promise.withResolvers();
  const ignore = onStopSignal(stopped.resolve);
  const work = (async () => {
    await ensureBuild();
    return args.includes('--check') ? demoCheck() : demo();
  })();
  // The work ends by itself when its children end; its own clean-up runs before this process does.
  const signal = await Promise.race([
    stopped.promise,
    work.then(
      () => undefined,
      () => undefined,
    ),
  ]);
  if (signal === undefined) {
    ignore();
    return work;
  }
  await stopAll();
  await work.catch(() => undefined);
  return args.includes('--check') ? signalExitCode(signal) : 0;
});
