/**
 * The replacement of the module `electron`: as much of it as src/main uses, and no more, so that a new use
 * fails loudly in these tests. README.md says what it promises and what it cannot show.
 */
import { EventEmitter } from 'node:events';

export { app } from './app.ts';
export { BrowserWindow, ipcMain } from './browser-window.ts';
export { safeStorage } from './safe-storage.ts';
export { protocol, session } from './session.ts';

export const dialog = {
  showErrorBox(title: string, content: string): void {
    process.stderr.write(`[dialog] ${title}: ${content}\n`);
  },
  /** The person picks no file, unless a test replaces it. */
  showOpenDialog: (..._question: unknown[]) =>
    Promise.resolve({ canceled: true, filePaths: [] as readonly string[] }),
  /** The second button: the person agrees, unless a test replaces it. */
  showMessageBox: (..._question: unknown[]) => Promise.resolve({ response: 1, checkboxChecked: false }),
};
export const Menu = {
  buildFromTemplate: (template: readonly object[]): readonly object[] => template,
  setApplicationMenu(): void {
    /* there is no menu bar */
  },
};
export const nativeTheme = { shouldUseDarkColors: false };
export const powerMonitor = new EventEmitter();
export const screen = { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] };
