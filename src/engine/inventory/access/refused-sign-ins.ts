/**
 * Sign-ins that devices refused and accounts that they locked, stored across runs: a script that repeats a wrong
 * password would lock the account, or keep it locked. Covers addresses outside the inventory too. While the vault is
 * locked, no refused sign-in is recorded.
 */
import { FieldwrightError } from '#shared/errors.ts';
import type { Clock } from '#engine/api/host.ts';
import type { AccountLock, RefusedSignIns } from '#engine/device/directory.ts';
import type { Store } from '#engine/store/index.ts';
import type { Vault } from './vault.ts';

interface RefusedSignInsOptions {
  readonly store: Store;
  readonly vault: Pick<Vault, 'mark'>;
  readonly clock: Clock;
}

export function createRefusedSignIns({ store, vault, clock }: RefusedSignInsOptions): RefusedSignIns {
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
