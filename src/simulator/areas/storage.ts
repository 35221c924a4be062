/** Read/write lock, unlock and health of the storage card (part 3, 2.2). */
import { describeXml } from '../device-documents/xml.ts';
import { replyDone, refuse, type Handlers } from '../handler.ts';
import { findChild, getChildText, type XmlNode } from '../wire/xml-reader.ts';
import { createFixedHandler } from './stored.ts';
import { STORAGE_CARD, UNLOCK_MINUTES } from './storage-card.ts';

export const storageHandlers: Handlers = {
  ...createFixedHandler(
    'storage.rwLock.capabilities.get',
    describeXml(
      'RWLock',
      `
    <enabled opt="true,false"/>
    <passwd min="1" max="10"/>
    <originalPasswd min="1" max="10"/>
    <SDCardType opt="lockable"/>`,
    ),
  ),

  // The element is required; its content is not used.
  ...createFixedHandler(
    'storage.rwLock.get',
    describeXml(
      'RWLock',
      (device) => `
    <enabled>${device.part(STORAGE_CARD).enabled}</enabled>
    <passwd></passwd>`,
    ),
  ),

  /** Setting the lock needs a password, changing it the present one as well, taking it off the present one. */
  'storage.rwLock.put': (call, device) => {
    const card = device.part(STORAGE_CARD);
    const root = call.body?.xml;
    const wanted = getChildText(root, 'enabled') === 'true';
    const password = passwordIn(root, 'passwd');
    if (!card.present) return refuse('invalidOperation', 'There is no card.');
    if (card.enabled) {
      const proven = card.isPassword(passwordIn(root, 'originalPasswd')) || card.isPassword(password);
      if (!proven) return refuse('wrongPassword');
    }
    return replyDone(() => {
      if (wanted) card.lock(password ?? '');
      else card.removeLock();
    });
  },

  ...createFixedHandler(
    'storage.unlock.capabilities.get',
    describeXml(
      'UnLock',
      `
    <passwd min="1" max="15"/>
    <SDCardUnlockTime min="2" max="3">${UNLOCK_MINUTES}</SDCardUnlockTime>`,
    ),
  ),

  'storage.unlock.put': (call, device) => {
    const card = device.part(STORAGE_CARD);
    if (!card.present || !card.enabled) return refuse('invalidOperation', 'The card is not locked.');
    if (!card.isPassword(passwordIn(call.body?.xml, 'passwd'))) return refuse('wrongPassword');
    return replyDone(() => card.unlock());
  },

  ...createFixedHandler(
    'storage.status.get',
    describeXml('StorageDetection', (device) => {
      const card = device.part(STORAGE_CARD);
      return `
      <healthState>${card.present ? 'good' : 'unknown'}</healthState>
      <badBlocks>${card.badBlocks}</badBlocks>
      <SDCardState>${card.state}</SDCardState>
      <abnormalPowerLoss>${card.powerLosses}</abnormalPowerLoss>
      <remainingLife>${card.remainingLife}</remainingLife>`;
    }),
  ),
};

/** Returns the text as it was sent: white space may be part of it. */
function passwordIn(root: XmlNode | undefined, name: string): string | undefined {
  return findChild(root, name)?.text;
}
