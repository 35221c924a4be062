/** Questions that the page must not answer, in a dialog of the system. */
import { BrowserWindow, dialog } from 'electron';
import type { HostConfirmation } from '#rpc/index.ts';
import { detailOf } from '#shared/details.ts';
import { lastSentences } from './language.ts';

/** "No" is the default and what closing the dialog means. */
export const askInDialog: HostConfirmation = async ({ message, details }, signal) => {
  const sentence = lastSentences();
  const options = {
    type: 'warning',
    title: 'Fieldwright',
    buttons: [sentence(detailOf('ask.no')), sentence(detailOf('ask.yes'))],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
    message,
    detail: [...details, '', sentence(detailOf('ask.yourself'))].join('\n'),
    signal,
  } satisfies Electron.MessageBoxOptions;
  const [window] = BrowserWindow.getAllWindows();
  const { response } = await (window === undefined
    ? dialog.showMessageBox(options)
    : dialog.showMessageBox(window, options));
  return response === 1 && !signal.aborted ? 'yes' : 'no';
};
