/** The one window: a sandboxed guest that shows `app://fieldwright/`. */
import { join } from 'node:path';
import { BrowserWindow, nativeTheme } from 'electron';
import { findBuildDir, findResourcesDir } from '#rpc/hosting/index.ts';
import type { LogEntry } from '#engine/api.ts';
import { APP_PAGE } from './app-protocol.ts';
import type { Bridge } from './bridge.ts';
import { lockDownContents } from './lock-down.ts';
import { SMALLEST, keepWindowState, readWindowState } from './window-state.ts';

export interface WindowOptions {
  readonly dataDir: string;
  readonly bridge: Bridge;
  readonly log: (entry: LogEntry) => void;
}

/** A page that crashes again this soon is not loaded a third time by itself. */
const CRASH_PAUSE_MS = 10_000;

export function openWindow({ dataDir, bridge, log }: WindowOptions): BrowserWindow {
  const stateFile = join(dataDir, 'window.json');
  const state = readWindowState(stateFile);
  const window = new BrowserWindow({
    ...state.bounds,
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    title: 'Fieldwright',
    // Elsewhere the program file carries it.
    ...(process.platform === 'linux' ? { icon: join(findResourcesDir(), 'icons', 'icon.png') } : {}),
    show: false,
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#16181d' : '#ffffff',
    webPreferences: {
      preload: join(findBuildDir(), 'preload', 'index.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      // It would fetch dictionaries from the internet.
      spellcheck: false,
    },
  });
  lockDownContents(window.webContents);
  bridge.admit(window.webContents);
  keepWindowState(window, stateFile);
  window.once('ready-to-show', () => {
    if (state.maximized) window.maximize();
    window.show();
  });
  reloadAfterCrash(window, log);
  // A failed load shows in the window itself, so its rejection is ignored.
  void window.loadURL(APP_PAGE).catch(() => {
    log({ level: 'error', event: 'page-not-loaded' });
  });
  return window;
}

/** The engine lives in this process, so a crashed page loses nothing but its view. */
function reloadAfterCrash(window: BrowserWindow, log: WindowOptions['log']): void {
  let last = -Infinity;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    log({ level: 'error', event: 'page-crashed', code: reason });
    const now = performance.now();
    if (reason !== 'clean-exit' && now - last > CRASH_PAUSE_MS && !window.isDestroyed())
      window.webContents.reload();
    last = now;
  });
}
