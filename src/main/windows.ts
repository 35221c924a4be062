/** The window that shows the app; others, such as that of the licences, belong to it. */
import { dialog, type BrowserWindow } from 'electron';

let main: BrowserWindow | undefined;

export function setMainWindow(window: BrowserWindow): void {
  main = window;
  window.once('closed', () => {
    if (main === window) main = undefined;
  });
}

/** Returns the window of the app; undefined on macOS after it was closed, and while the app starts. */
export function getMainWindow(): BrowserWindow | undefined {
  return main?.isDestroyed() === true ? undefined : main;
}

/** Shows a window to the person, wherever it is. */
export function bringForward(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** Asks in a dialog of the app's window, or in one of its own. Returns the number of the button. */
export async function askPerson(question: Electron.MessageBoxOptions): Promise<number> {
  const window = getMainWindow();
  const { response } = await (window === undefined
    ? dialog.showMessageBox(question)
    : dialog.showMessageBox(window, question));
  return response;
}
