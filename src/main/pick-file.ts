/**
 * Lets the person pick a file in a dialog of the system. The path never comes from the page: a script there,
 * or an attacker in its process, could name any file of this computer. A file dropped onto the page comes as
 * bytes for the same reason: this process is not notified of drops, so the path of one would be a claim of
 * the page.
 */
import { dialog } from 'electron';
import { getMainWindow } from './windows.ts';

let open = false;

/** Returns the path that the person chooses for a file to be written; undefined as with `pickFile`. */
export function chooseTarget(fileName: string): Promise<string | undefined> {
  return askOnce(async (window) => {
    const options = {
      defaultPath: fileName,
      properties: ['dontAddToRecent'],
    } satisfies Electron.SaveDialogOptions;
    const { canceled, filePath } = await (window === undefined
      ? dialog.showSaveDialog(options)
      : dialog.showSaveDialog(window, options));
    return canceled ? undefined : filePath;
  });
}

/** Returns the path; undefined if none was picked, or if a dialog is already open. */
export function pickFile(): Promise<string | undefined> {
  return askOnce(async (window) => {
    const options = { properties: ['openFile', 'dontAddToRecent'] } satisfies Electron.OpenDialogOptions;
    const { canceled, filePaths } = await (window === undefined
      ? dialog.showOpenDialog(options)
      : dialog.showOpenDialog(window, options));
    return canceled ? undefined : filePaths[0];
  });
}

async function askOnce(
  ask: (window: ReturnType<typeof getMainWindow>) => Promise<string | undefined>,
): Promise<string | undefined> {
  if (open) return undefined;
  open = true;
  try {
    return await ask(getMainWindow());
  } finally {
    open = false;
  }
}
