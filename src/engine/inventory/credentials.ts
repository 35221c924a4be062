/** Saved sign-ins: a label and a user name for everybody, a password for the vault alone. */
import { randomBytes } from 'node:crypto';
import { FieldwrightError } from '../../shared/errors.ts';
import type { Credential } from '../../shared/model.ts';
import type { Clock, CredentialsApi } from '../api.ts';
import type { Store } from '../store/index.ts';
import { credentialContext, credentialExists, listCredentials } from './credential-rows.ts';
import type { Inventory } from './devices.ts';
import type { Vault } from './vault.ts';

export interface CredentialsOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly inventory: Pick<Inventory, 'assign' | 'credentialChanged'>;
}

/** `save` with an id and an empty password keeps the stored password and changes only the names. */
export function createCredentials({ store, vault, clock, inventory }: CredentialsOptions): CredentialsApi {
  function one(id: string): Credential {
    const found = listCredentials(store).find((credential) => credential.id === id);
    if (found === undefined) throw missing();
    return found;
  }
  return {
    list: () => listCredentials(store),
    save({ id: given, label, userName, password, deviceIds }) {
      if (userName.trim() === '' || /\p{Cc}/u.test(userName)) throw new FieldwrightError({ code: 'usage', source: 'user', path: 'userName', message: 'A sign-in needs a user name.' });
      if (given !== undefined && !credentialExists(store, given)) throw missing();
      const id = given ?? `c-${randomBytes(8).toString('hex')}`;
      const now = clock.now().toISOString();
      const name = label.trim() === '' ? userName : label.trim();
      store.transaction(() => {
        if (given === undefined) {
          store.run('INSERT INTO credentials (id, label, user_name, secret, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)', id, name, userName, vault.seal(password, credentialContext(id)), now, now);
        } else {
          store.run('UPDATE credentials SET label = ?, user_name = ?, updated_at = ? WHERE id = ?', name, userName, now, id);
          if (password !== '') store.run('UPDATE credentials SET secret = ? WHERE id = ?', vault.seal(password, credentialContext(id)), id);
        }
        if (deviceIds !== undefined) inventory.assign(id, deviceIds);
      });
      if (given !== undefined) inventory.credentialChanged(id, false);
      return one(id);
    },
    assign: (credentialId, deviceIds) => inventory.assign(credentialId, deviceIds),
    remove(id) {
      if (!credentialExists(store, id)) return false;
      store.transaction(() => {
        inventory.credentialChanged(id, true);
        store.run('DELETE FROM credentials WHERE id = ?', id);
      });
      return true;
    },
  };
}

function missing(): FieldwrightError {
  return new FieldwrightError({ code: 'not-found', source: 'user', message: 'There is no saved sign-in with this id.' });
}
