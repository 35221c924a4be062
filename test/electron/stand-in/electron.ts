/**
 * The replacement of the module `electron`: as much of it as src/main uses, and no more, so that a new use
 * fails loudly in these tests. README.md says what it promises and what it cannot show.
 */
import { EventEmitter } from 'node:events';
import { release } from 'node:os';
import { app } from './app.ts';

export { app } from './app.ts';
export { BrowserWindow, ipcMain } from './browser-window.ts';
export { safeStorage } from './safe-storage.ts';
export { Menu, MenuItem } from './menu.ts';
export { protocol, session } from './session.ts';
export { Notification, clipboard, powerSaveBlocker, screen, shell } from './system.ts';

// Electron adds it to Node's process.
Object.assign(process, { getSystemVersion: () => release() });

export const dialog = {
  showErrorBox(title: string, content: string): void {
    // Linux, before the app is ready, writes to the error output and shows nothing.
    process.stderr.write(`[${app.isReady() ? 'dialog' : 'no dialog yet'}] ${title}: ${content}\n`);
  },
  /** The person picks no file, unless a test replaces it. */
  showOpenDialog: (..._question: unknown[]) =>
    Promise.resolve({ canceled: true, filePaths: [] as readonly string[] }),
  /** The second button: the person agrees, unless a test replaces it. */
  showMessageBox: (..._question: unknown[]) => Promise.resolve({ response: 1, checkboxChecked: false }),
};
export const nativeTheme = { shouldUseDarkColors: false };
export const powerMonitor = new EventEmitter();
