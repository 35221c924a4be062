/** Saved sign-ins between database rows, the vault and the model. */
import { say } from '#shared/details.ts';
import { userError, type FieldwrightError } from '#shared/errors.ts';
import type { Store } from '#engine/store/index.ts';
import type { Vault } from './vault.ts';

/** Returns the context to which a sealed password is bound. */
export function buildCredentialContext(id: string): string {
  return `credential:${id}`;
}

function credentialExists(store: Store, id: string): boolean {
  return store.get('SELECT 1 FROM credentials WHERE id = ?', id) !== undefined;
}

/** Throws `not-found`. */
export function requireCredential(store: Store, id: string): void {
  if (!credentialExists(store, id)) throw noSuchCredential();
}

function noSuchCredential(): FieldwrightError {
  return userError('not-found', say('no-credential'), { path: 'credentialId' });
}

/** Throws `not-found`, `vault-locked`, `vault-damaged`. */
export function revealCredential(
  store: Store,
  vault: Vault,
  id: string,
): { readonly userName: string; readonly password: string } {
  const row = store.get<{ readonly user_name: string; readonly secret: Uint8Array }>(
    'SELECT user_name, secret FROM credentials WHERE id = ?',
    id,
  );
  if (row === undefined) throw userError('not-found', say('credential-gone'));
  return { userName: row.user_name, password: vault.open(row.secret, buildCredentialContext(id)) };
}

export interface CredentialNames {
  readonly id: string;
  readonly label: string;
  readonly userName: string;
}

interface NamesRow {
  readonly id: string;
  readonly label: string;
  readonly user_name: string;
}

export function readCredentialNames(store: Store): CredentialNames[] {
  return store
    .all<NamesRow>('SELECT id, label, user_name FROM credentials ORDER BY label, created_at, id')
    .map(toNames);
}

/** Throws `not-found`. */
export function getCredentialNames(store: Store, id: string): CredentialNames {
  const row = store.get<NamesRow>('SELECT id, label, user_name FROM credentials WHERE id = ?', id);
  if (row === undefined) throw noSuchCredential();
  return toNames(row);
}

function toNames({ id, label, user_name: userName }: NamesRow): CredentialNames {
  return { id, label, userName };
}

export function findUserName(store: Store, id: string): string | undefined {
  return store.get<{ readonly user_name: string }>('SELECT user_name FROM credentials WHERE id = ?', id)
    ?.user_name;
}
