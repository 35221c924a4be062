/** Questions that the page must not answer, in a dialog of the system. */
import type { HostConfirmation } from '#rpc/index.ts';
import { createDetail } from '#shared/details.ts';
import { getSentences } from './language.ts';
import { askPerson } from './windows.ts';

/** "No" is the default and what closing the dialog means. */
export const askInDialog: HostConfirmation = async ({ message, details }, signal) => {
  const sentence = getSentences();
  const response = await askPerson({
    type: 'warning',
    title: 'Fieldwright',
    buttons: [sentence(createDetail('ask.no')), sentence(createDetail('ask.yes'))],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
    message,
    detail: [...details, '', sentence(createDetail('ask.yourself'))].join('\n'),
    signal,
  });
  return response === 1 && !signal.aborted ? 'yes' : 'no';
};
