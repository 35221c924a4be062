/** Questions that the page must not answer, in a dialog of the system. */
import { BrowserWindow, dialog } from 'electron';
import type { HostConfirmation } from '../rpc/index.ts';

/** "No" is the default and what closing the dialog means. */
export const askInDialog: HostConfirmation = async ({ message, details }, signal) => {
  const options = {
    type: 'warning',
    title: 'Fieldwright',
    buttons: ['No', 'Yes, allow it'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
    message,
    detail: [...details, '', 'Say yes only if you have just asked for this yourself.'].join('\n'),
    signal,
  } satisfies Electron.MessageBoxOptions;
  const [window] = BrowserWindow.getAllWindows();
  const { response } = await (window === undefined
    ? dialog.showMessageBox(options)
    : dialog.showMessageBox(window, options));
  return response === 1 && !signal.aborted ? 'yes' : 'no';
};
