/** Questions that the page must not answer, in a dialog of the system. */
import { BrowserWindow, dialog } from 'electron';
import type { HostConfirmation } from '#rpc/index.ts';
import { createDetail } from '#shared/details.ts';
import { getLastSentences } from './language.ts';

/** "No" is the default and what closing the dialog means. */
export const askInDialog: HostConfirmation = async ({ message, details }, signal) => {
  const sentence = getLastSentences();
  const options = {
    type: 'warning',
    title: 'Fieldwright',
    buttons: [sentence(createDetail('ask.no')), sentence(createDetail('ask.yes'))],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
    message,
    detail: [...details, '', sentence(createDetail('ask.yourself'))].join('\n'),
    signal,
  } satisfies Electron.MessageBoxOptions;
  const [window] = BrowserWindow.getAllWindows();
  const { response } = await (window === undefined
    ? dialog.showMessageBox(options)
    : dialog.showMessageBox(window, options));
  return response === 1 && !signal.aborted ? 'yes' : 'no';
};
