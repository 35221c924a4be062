/** Locking a storage card, and its three usable minutes after an unlock (part 3, 2.2 and 3). */
import { pick, type Trial } from '../trial.ts';

const MINUTE_MS = 60_000;
const KIND = 'recorder';

export async function storage(trial: Trial): Promise<void> {
  await trial.call(KIND, 'storage.rwLock.capabilities.get');
  await trial.call(KIND, 'storage.unlock.capabilities.get');
  trial.check(
    'storage.rwLock.get',
    pick(await trial.call(KIND, 'storage.rwLock.get'), 'enabled') === false,
    'the card is locked from the start',
  );

  await trial.call(KIND, 'storage.rwLock.put', { body: { enabled: true, passwd: 'card & 1' } });
  trial.proved(
    'storage.rwLock.put',
    'locked',
    pick(await trial.call(KIND, 'storage.rwLock.get'), 'enabled') === true &&
      (await state(trial)) === 'locked',
  );
  await trial.refused(
    KIND,
    'storage.rwLock.put',
    { body: { enabled: true, passwd: 'other', originalPasswd: 'wrong' } },
    'invalid-content',
  );

  await trial.refused(KIND, 'storage.unlock.put', { body: { passwd: 'wrong' } }, 'invalid-content');
  await trial.call(KIND, 'storage.unlock.put', { body: { passwd: 'card & 1' } });
  trial.proved('storage.unlock.put', 'usable', (await state(trial)) === 'onLine');
  trial.device(KIND).clock.advance(3 * MINUTE_MS);
  trial.proved('storage.unlock.put', 'locked after 3 minutes', (await state(trial)) === 'locked');

  await trial.call(KIND, 'storage.rwLock.put', { body: { enabled: false, passwd: 'card & 1' } });
  trial.proved('storage.rwLock.put', 'taken off', (await state(trial)) === 'onLine');
}

async function state(trial: Trial): Promise<unknown> {
  return pick(await trial.call(KIND, 'storage.status.get'), 'SDCardState');
}
