/**
 * Determines the confirmation that an action needs: none, a preview, or the device's name if data is lost for
 * good.
 */
import { isDestructive } from '#protocol/destroys.ts';
import type { DevicePage } from '../workspace/pages.ts';

export type Confirmation =
  | { readonly kind: 'none' }
  | { readonly kind: 'confirm' }
  /** `loses` is a key of the words under `device.loses`. */
  | { readonly kind: 'type'; readonly loses: LossKey };

type LossKey =
  | 'model'
  | 'task'
  | 'controller'
  | 'controllers'
  | 'audio'
  | 'count'
  | 'stored'
  | 'person'
  | 'fingerprint'
  | 'engine'
  | 'reset'
  | 'something'
  | 'tokenKey';

const LOSES: Readonly<Record<string, LossKey>> = {
  'aiPlatform.models.delete': 'model',
  'aiPlatform.engine.unload': 'engine',
  'aiPlatform.engine.reset': 'reset',
  'aiPlatform.picturePollingTasks.delete': 'task',
  'accessControl.localController.delete': 'controller',
  'accessControl.localController.deleteAll': 'controllers',
  'accessControl.controllerAudio.delete': 'audio',
  'accessControl.users.setUp': 'person',
  'accessControl.fingerprints.setUp': 'fingerprint',
  'peopleCounting.count.reset': 'count',
  'peopleCounting.flashStorage.remove': 'stored',
  'token.secretKey.set': 'tokenKey',
};

export function getConfirmation(page: DevicePage, body: unknown): Confirmation {
  if (page.kind === 'query') return { kind: 'none' };
  const loses = Object.hasOwn(LOSES, page.operation.id) ? LOSES[page.operation.id] : undefined;
  const takesAway = isDestructive(page.operation, body) || page.operation.id === 'token.secretKey.set';
  return takesAway ? { kind: 'type', loses: loses ?? 'something' } : { kind: 'confirm' };
}
