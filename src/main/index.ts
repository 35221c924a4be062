/** The desktop face: starts the engine in Electron's main process and shows its window. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BrowserWindow, app, dialog, powerMonitor, session } from 'electron';
import { createDetail, say, splitSentences } from '#shared/details.ts';
import { closeAll } from '#engine/async/close-all.ts';
import { createEngine } from '#engine/index.ts';
import { KEY_FILE, createKeyFileProtection } from '#engine/host/key-protection.ts';
import { loadAll } from '#engine/load-all.ts';
import { createPeerFactory, createRouter } from '#rpc/index.ts';
import {
  boundYoungGeneration,
  createSimulation,
  getDefaultDataDir,
  findRendererDir,
  findResourcesDir,
  loadAssets,
} from '#rpc/hosting/index.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { registerAppScheme, serveApp } from './app-protocol.ts';
import { createBridge } from './bridge.ts';
import { askInDialog } from './confirm.ts';
import { getLastSentences, getWindowSentences } from './language.ts';
import { lockDownSession } from './lock-down.ts';
import { openLogFile } from './log-file.ts';
import { installMenu } from './menu.ts';
import { pickFile } from './pick-file.ts';
import { Quit } from './quit.ts';
import { createSafeStorageProtection } from './safe-storage.ts';
import { openWindow } from './window.ts';

const dataDir = getDefaultDataDir();
mkdirSync(dataDir, { recursive: true, mode: 0o700 });
const log = openLogFile(join(dataDir, 'fieldwright.log'));

boundYoungGeneration();
app.setName('Fieldwright');
app.setPath('userData', dataDir);
// Chromium's own files apart from what belongs to the person.
app.setPath('sessionData', join(dataDir, 'session'));
registerAppScheme();

// Two engines on one data folder would fight over its journal: the first window comes forward instead.
if (app.requestSingleInstanceLock()) {
  // A broken state is worse than a restart: every write is journalled and can be resumed.
  process.on('uncaughtException', () => {
    fail('uncaught-exception', undefined);
  });
  process.on('unhandledRejection', () => {
    log({ level: 'error', event: 'unhandled-rejection' });
  });
  start().catch((error: unknown) => {
    fail('start-failed', error);
  });
} else {
  app.quit();
}

async function start(): Promise<void> {
  await app.whenReady();
  lockDownSession(session.defaultSession);
  serveApp(await loadAssets(findRendererDir()));
  installMenu();

  const keychain = await createSafeStorageProtection();
  if (keychain === undefined) log({ level: 'warn', event: 'no-keychain-key-file-used' });
  const keyFile = createKeyFileProtection(join(dataDir, KEY_FILE));
  const engine = await createEngine({
    dataDir,
    resourcesDir: findResourcesDir(),
    face: 'desktop',
    version: app.getVersion(),
    log,
    // The key file second: a vault that the command line made opens here too, and the keychain then keeps its key as well.
    protections: keychain === undefined ? [keyFile] : [keychain, keyFile],
  });
  engine.models.waitForAbsent();
  const simulation = createSimulation(engine, async (options) =>
    (await import('#simulator/index.ts')).startSite(options),
  );
  const quit = new Quit({
    engine,
    log,
    close: () => closeAll([() => engine.close(), () => simulation.close()]),
  });

  const bridge = createBridge(
    createPeerFactory(
      createRouter(engine, {
        canSimulate: true,
        startSimulatedSite: simulation.startSimulatedSite,
        confirm: askInDialog,
        pickFile,
        sentences: getWindowSentences,
      }),
      log,
    ),
    log,
  );
  const open = (): BrowserWindow => {
    const window = openWindow({ dataDir, bridge, log });
    quit.guard(window);
    return window;
  };
  app.on('second-instance', () => {
    bringForward(BrowserWindow.getAllWindows()[0] ?? open());
  });
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) open();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  powerMonitor.on('suspend', () => {
    log({ level: 'info', event: 'power-suspend' });
  });
  powerMonitor.on('resume', () => {
    log({ level: 'info', event: 'power-resume' });
  });
  open();
  // A part that cannot be loaded now is tried again when it is needed.
  await loadAll().catch(() => undefined);
}

function bringForward(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** Shows an error to the person: only messages of Fieldwright, as other errors may hold anything. */
function fail(event: string, error: unknown): void {
  const shape = error instanceof FieldwrightError ? error.shape : say('start-failed');
  const sentence = getLastSentences();
  const { message, hint } = shape.detail === undefined ? shape : splitSentences(sentence(shape.detail));
  log({ level: 'error', event, code: error instanceof FieldwrightError ? error.code : 'internal' });
  dialog.showErrorBox(
    sentence(createDetail('quit.forced')),
    hint === undefined ? message : `${message}\n\n${hint}`,
  );
  app.exit(1);
}
