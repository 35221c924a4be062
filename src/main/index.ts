/** The desktop face: starts the engine in Electron's main process and shows its window. */
import { basename, join } from 'node:path';
import { app, powerMonitor, session, shell, type BrowserWindow } from 'electron';
import { closeAll } from '#engine/async/close-all.ts';
import { createEngine } from '#engine/index.ts';
import type { LogEntry } from '#engine/api.ts';
import { KEY_FILE, createKeyFileProtection } from '#engine/host/key-protection.ts';
import { loadAll } from '#engine/load-all.ts';
import { createPeerFactory, createRouter } from '#rpc/index.ts';
import {
  boundYoungGeneration,
  createSimulation,
  getDefaultDataDir,
  getSessionDir,
  findRendererDir,
  findResourcesDir,
  loadAssets,
} from '#rpc/hosting/index.ts';
import { openLogFolder, readLicences, showAbout } from './about.ts';
import { registerAppScheme, serveApp } from './app-protocol.ts';
import { createBridge } from './bridge.ts';
import { askInDialog } from './confirm.ts';
import { Events } from './events.ts';
import { getSentences, setLanguage } from './language.ts';
import { lockDownSession } from './lock-down.ts';
import { installMenu } from './menu.ts';
import { findFiles, readForPage, refuseFurther } from './open-files.ts';
import { chooseTarget, pickFile } from './pick-file.ts';
import { Quit } from './quit.ts';
import { createSafeStorageProtection } from './safe-storage.ts';
import { fail, handleErrors, listStartFaults, openDataDir, records } from './start-up.ts';
import { openWindow } from './window.ts';
import { readWindowState } from './window-state.ts';
import { createRestCheck } from './background-rest.ts';
import { bringForward, getMainWindow } from './windows.ts';
import { watchHelpers } from './restore.ts';
import { showWorkSigns } from './work-signs.ts';

/** The same as in the installer (`build/electron-builder.yml`). */
const APP_ID = 'tools.fieldwright.app';

handleErrors();
const events = new Events();
const opened: string[] = [];
// macOS tells of the file that started the app before the app is ready.
app.on('open-file', (event, path) => {
  event.preventDefault();
  // It tells of files that were opened together one by one.
  opened.push(path);
  setImmediate(() => openFiles(opened.splice(0)));
});
const dataDir = getDefaultDataDir();
const log = (entry: LogEntry): void => records.log(entry);

app.setName('Fieldwright');
// Windows shows notifications, and groups windows in its taskbar, by the id of the installed shortcut.
app.setAppUserModelId(APP_ID);
registerAppScheme();
begin();

/** Starts the app; in a second process it brings the first one forward and ends. */
function begin(): void {
  try {
    openDataDir(dataDir, getSessionDir(dataDir));
  } catch (error) {
    void fail('start-failed', error, dataDir);
    return;
  }
  // Two engines on one data folder would fight over its journal: the first window comes forward instead.
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  boundYoungGeneration();
  start().catch((error: unknown) => fail('start-failed', error, dataDir));
}

/** Hands a file that the person opened to the page, and shows the window; the first page gets those of before. */
function openFiles([path, ...further]: readonly string[]): void {
  if (path !== undefined) events.add(readForPage(path));
  if (further.length > 0) events.add(refuseFurther(further));
  const window = getMainWindow();
  if (window !== undefined) bringForward(window);
}

async function start(): Promise<void> {
  await app.whenReady();
  const saved: string[] = [];
  lockDownSession(session.defaultSession, (path) => {
    events.add({ type: 'saved', id: saved.push(path) - 1, name: basename(path) });
  });
  openFiles(findFiles(process.argv.slice(1), process.cwd()));
  serveApp(await loadAssets(findRendererDir()), readLicences);
  const stateFile = join(dataDir, 'window.json');
  const { language } = readWindowState(stateFile);
  if (language !== undefined) setLanguage(language);
  const showMenu = (): void =>
    installMenu({ showAbout: () => void showAbout(), openLogFolder: () => openLogFolder(dataDir) });
  showMenu();
  watchHelpers(log);

  const keychain = await createSafeStorageProtection();
  if (keychain === undefined) log({ level: 'warn', event: 'no-keychain-key-file-used' });
  const keyFile = createKeyFileProtection(join(dataDir, KEY_FILE), () =>
    log({ level: 'warn', event: 'key-file-open-to-others' }),
  );
  const engine = await createEngine({
    notices: listStartFaults(log),
    dataDir,
    resourcesDir: findResourcesDir(),
    face: 'desktop',
    version: app.getVersion(),
    log,
    // The key file second: a vault that the command line made opens here too, and the keychain then keeps its key as well.
    protections: keychain === undefined ? [keyFile] : [keychain, keyFile],
  });
  engine.openWork.doInBackground();
  engine.agreements.lookInBackground({
    mayLook: createRestCheck({
      isHidden: () => {
        const window = getMainWindow();
        return window === undefined || window.isMinimized() || !window.isVisible();
      },
    }),
  });
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
        chooseTarget,
        sentences: () => Promise.resolve(getSentences()),
        desktopEvents: (signal) => events.watch(signal),
        showSaved: (id) => {
          const path = saved[id];
          if (path !== undefined) shell.showItemInFolder(path);
          return path !== undefined;
        },
        showLanguage: (tag) => {
          setLanguage(tag);
          showMenu();
        },
      }),
      log,
    ),
    log,
  );
  const open = (): BrowserWindow => {
    const window = openWindow({ stateFile, state: readWindowState(stateFile), bridge, log });
    quit.guard(window);
    return window;
  };
  app.on('second-instance', (_event, args, folder) => {
    if (getMainWindow() === undefined) open();
    openFiles(findFiles(args.slice(1), folder));
  });
  const ended = new AbortController();
  app.once('will-quit', () => ended.abort());
  void showWorkSigns({
    engine,
    log,
    signal: ended.signal,
    open: ({ id, kind }) => {
      events.add({ type: 'job', id, kind });
      bringForward(getMainWindow() ?? open());
    },
  });
  app.on('activate', () => {
    if (getMainWindow() === undefined) open();
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
