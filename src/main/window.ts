/** The one window: a sandboxed guest that shows `app://fieldwright/`. */
import { join } from 'node:path';
import { BrowserWindow, nativeTheme } from 'electron';
import { findBuildDir, findResourcesDir } from '#rpc/hosting/index.ts';
import type { LogEntry } from '#engine/api.ts';
import { APP_PAGE } from './app-protocol.ts';
import type { Bridge } from './bridge.ts';
import { lockDownContents } from './lock-down.ts';
import { getLanguage } from './language.ts';
import { addContextMenu, changeZoom } from './menu.ts';
import { restoreAfterFailure } from './restore.ts';
import { getSmallestSize, keepWindowState, type WindowState } from './window-state.ts';
import { setMainWindow } from './windows.ts';

export interface WindowOptions {
  readonly stateFile: string;
  readonly state: WindowState;
  readonly bridge: Bridge;
  readonly log: (entry: LogEntry) => void;
}

export function openWindow({ stateFile, state, bridge, log }: WindowOptions): BrowserWindow {
  const smallest = getSmallestSize();
  const window = new BrowserWindow({
    ...state.bounds,
    minWidth: smallest.width,
    minHeight: smallest.height,
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
  setMainWindow(window);
  lockDownContents(window.webContents);
  bridge.admit(window.webContents);
  addContextMenu(window);
  keepWindowState(window, stateFile, getLanguage);
  window.once('ready-to-show', () => {
    window.webContents.setZoomLevel(state.zoom);
    if (state.maximized) window.maximize();
    window.show();
  });
  // The wheel with Ctrl: Chromium leaves it to the app.
  window.webContents.on('zoom-changed', (_event, direction) => changeZoom(direction === 'in' ? 1 : -1));
  restoreAfterFailure(window, log);
  // A failed load shows in the window itself, so its rejection is ignored.
  void window.loadURL(APP_PAGE).catch(() => {
    log({ level: 'error', event: 'page-not-loaded' });
  });
  return window;
}
