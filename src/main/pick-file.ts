/**
 * A file that the person picks in a dialog of the system. Its path never comes from the page: whoever runs a script there,
 * or has broken into its process, could name any file of this computer. A file that is dropped onto the page comes as
 * bytes for the same reason: this process is told of no drop, so a path of one would be the page's word.
 */
import { BrowserWindow, dialog } from 'electron';

let open = false;

/** Undefined where the person picked none, or a dialog stands open already. */
export async function pickFile(): Promise<string | undefined> {
  if (open) return undefined;
  open = true;
  try {
    const options = { properties: ['openFile', 'dontAddToRecent'] } satisfies Electron.OpenDialogOptions;
    const [window] = BrowserWindow.getAllWindows();
    const { canceled, filePaths } = await (window === undefined
      ? dialog.showOpenDialog(options)
      : dialog.showOpenDialog(window, options));
    return canceled ? undefined : filePaths[0];
  } finally {
    open = false;
  }
}
