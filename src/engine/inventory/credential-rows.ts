/** Saved sign-ins between database rows, the vault and the model. */
import { FieldwrightError } from '../../shared/errors.ts';
import type { Credential } from '../../shared/model.ts';
import type { Store } from '../store/index.ts';
import type { Vault } from './vault.ts';

/** What a sealed password is bound to. */
export function credentialContext(id: string): string {
  return `credential:${id}`;
}

export function credentialExists(store: Store, id: string): boolean {
  return store.get('SELECT 1 FROM credentials WHERE id = ?', id) !== undefined;
}

/** Throws `not-found`, `vault-locked`, `vault-damaged`. */
export function revealCredential(store: Store, vault: Vault, id: string): { readonly userName: string; readonly password: string } {
  const row = store.get<{ readonly user_name: string; readonly secret: Uint8Array }>('SELECT user_name, secret FROM credentials WHERE id = ?', id);
  if (row === undefined) throw new FieldwrightError({ code: 'not-found', source: 'user', message: 'The sign-in of this device is no longer there.', hint: 'Give the device another sign-in.' });
  return { userName: row.user_name, password: vault.open(row.secret, credentialContext(id)) };
}

export function listCredentials(store: Store): Credential[] {
  return store.all<{ readonly id: string; readonly label: string; readonly user_name: string; readonly devices: number }>(
    `SELECT c.id, c.label, c.user_name, count(d.id) AS devices FROM credentials c
     LEFT JOIN devices d ON d.credential_id = c.id GROUP BY c.id ORDER BY c.label, c.created_at, c.id`,
  ).map(({ id, label, user_name: userName, devices }) => ({ id, label, userName, devices }));
}

export function userNameOf(store: Store, id: string): string | undefined {
  return store.get<{ readonly user_name: string }>('SELECT user_name FROM credentials WHERE id = ?', id)?.user_name;
}
