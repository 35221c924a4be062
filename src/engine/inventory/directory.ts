/** How connections see the devices of the inventory, and what they tell of them. */
import { say } from '#shared/details.ts';
import { isGone } from '#shared/error-meaning.ts';
import { userError, FieldwrightError } from '#shared/errors.ts';
import type { Clock } from '../api/host.ts';
import type { DeviceDirectory, Observation, AccountLock, RefusedSignIns } from '../device/directory.ts';
import type { Store } from '../store/index.ts';
import { revealCredential } from './access/credential-rows.ts';
import type { CredentialUse } from './access/credential-use.ts';
import type { Scopes } from './access/scopes.ts';
import type { Vault } from './access/vault.ts';
import { isNotableChange, applyObservation } from './observe.ts';
import type { Overlays } from './overlays.ts';
import type { DeviceRecords } from './records.ts';

interface DirectoryOptions extends Pick<DeviceDirectory, 'judge'> {
  readonly isCut: (url: string) => boolean;
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly records: DeviceRecords;
  readonly overlays: Overlays;
  readonly scopes: Scopes;
  readonly use: CredentialUse;
}

export function createDirectory({
  store,
  vault,
  clock,
  records,
  overlays,
  scopes,
  use,
  judge,
  isCut,
}: DirectoryOptions): DeviceDirectory {
  const stamp = createStamp(clock);
  return {
    settings: (deviceId) => overlays.over(records.recent(deviceId)),
    signIn(deviceId) {
      const given = overlays.get(deviceId).signIn;
      if (given !== undefined) return given;
      const { credentialId, from } = scopes.saved(records.get(deviceId));
      if (from?.kind === 'conflict') throw contradiction(from.tags);
      return credentialId === undefined ? undefined : revealCredential(store, vault, credentialId);
    },
    signInWorked(deviceId) {
      return overlays.get(deviceId).signIn === undefined && use.worked(records.get(deviceId));
    },
    judge,
    refused: createRefusedSignIns({ store, vault, clock }),
    observe(deviceId, observation) {
      const before = records.peek(deviceId);
      if (before === undefined || (tellsOfAbsence(observation) && isCut(before.url))) return;
      const next = applyObservation(before, observation, stamp());
      if (next === before) return;
      const isNotable = isNotableChange(before, next);
      records.note(next, { tell: isNotable, keep: isNotable || observation.type !== 'checked' });
    },
  };
}

/** Returns whether the observation is that nothing answered, which a lost network explains as well. */
function tellsOfAbsence(observation: Observation): boolean {
  return 'error' in observation && observation.error !== undefined && isGone(observation.error.shape);
}

/** The time of now, written out once for all who ask in the same millisecond: answers come by the hundred. */
function createStamp(clock: Clock): () => string {
  let last = clock.now();
  let text = last.toISOString();
  return () => {
    const now = clock.now();
    if (now.getTime() !== last.getTime()) [last, text] = [now, now.toISOString()];
    return text;
  };
}

/** Trying one sign-in after the other would lock the account. */
function contradiction(tags: readonly string[]): FieldwrightError {
  return userError(
    'sign-in-required',
    say('device.tags-differ', { tags: tags.map((tag) => `"${tag}"`).join(' and ') }),
    { reason: 'tags-differ' },
  );
}

interface RefusedSignInsOptions {
  readonly store: Store;
  readonly vault: Pick<Vault, 'mark'>;
  readonly clock: Clock;
}

function createRefusedSignIns({ store, vault, clock }: RefusedSignInsOptions): RefusedSignIns {
  const kept = (url: string) =>
    store.get<{ readonly mark: string }>('SELECT mark FROM refused_sign_ins WHERE url = ?', url)?.mark;

  /** Returns a keyed hash of an attempt; without the key of the vault it reveals neither name nor password. */
  function markOf(...[url, { userName, password }, method]: Parameters<RefusedSignIns['has']>) {
    try {
      return vault.mark(JSON.stringify([url, userName, password, method]), 'refused-sign-in');
    } catch (error) {
      if (error instanceof FieldwrightError) return undefined;
      throw error;
    }
  }

  return {
    has(...attempt) {
      const known = kept(attempt[0]);
      return known !== undefined && known === markOf(...attempt);
    },
    note(...attempt) {
      const mark = markOf(...attempt);
      if (mark !== undefined)
        store.insert('refused_sign_ins', { url: attempt[0], mark, at: clock.now().toISOString() }, 'replace');
    },
    lock: (url) =>
      store.get<AccountLock>(
        'SELECT user_name AS userName, until, since FROM account_locks WHERE url = ?',
        url,
      ),
    noteLock(url, { userName, until, since }) {
      store.insert('account_locks', { url, user_name: userName, until, since }, 'replace');
    },
    forget(url) {
      if (kept(url) !== undefined) store.remove('refused_sign_ins', { url });
      if (this.lock(url) !== undefined) store.remove('account_locks', { url });
    },
  };
}
