/** Saved sign-ins: a label and a user name for everybody, a password for the vault alone. */
import { say } from '#shared/details.ts';
import { randomBytes } from 'node:crypto';
import type { CredentialScope } from '#shared/access.ts';
import { FieldwrightError, userError } from '#shared/errors.ts';
import type { Credential } from '#shared/model.ts';
import type { Clock } from '#engine/api/host.ts';
import type { CredentialsApi } from '#engine/api/routes.ts';
import type { Store } from '#engine/store/index.ts';
import {
  buildCredentialContext,
  getCredentialNames,
  readCredentialNames,
  requireCredential,
  revealCredential,
  type CredentialNames,
} from './credential-rows.ts';
import { checkName, checkTags } from '../device-text.ts';
import type { Inventory } from '../devices.ts';
import type { CredentialUse } from './credential-use.ts';
import { requireSite } from '../sites.ts';
import type { Vault } from './vault.ts';

interface CredentialsOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly inventory: Pick<Inventory, 'use' | 'atomically'>;
}

/** Functions for the rest of the engine in addition to the API. */
export interface Credentials extends Omit<CredentialsApi, 'change'> {
  /** Throws `not-found`. */
  get(id: string): Credential;
  /**
   * Assigns a credential that was tried: unlike `assignTo` it also replaces the present one of other devices.
   */
  give(given: Parameters<CredentialsApi['assignTo']>[0]): void;
}

/**
 * Creates the API. `save` with an id and an empty password keeps the stored password and changes only the
 * names.
 */
export function createCredentials({
  store,
  vault,
  clock,
  inventory: { use, atomically },
}: CredentialsOptions): Credentials {
  function toCredential(
    names: CredentialNames,
    { devices, scopes }: ReturnType<CredentialUse['counts']>,
  ): Credential {
    const given = scopes.get(names.id);
    return {
      ...names,
      devices: devices.get(names.id) ?? 0,
      scopes: given,
    };
  }
  const get = (id: string): Credential => toCredential(getCredentialNames(store, id), use.counts(id));
  function list(): Credential[] {
    const counts = use.counts();
    return readCredentialNames(store).map((names) => toCredential(names, counts));
  }
  /**
   * Returns true for a new password. An empty or unchanged one is not sealed anew: its devices go on as they
   * are.
   */
  function isOther(id: string, password: string): boolean {
    if (password === '') return false;
    try {
      return revealCredential(store, vault, id).password !== password;
    } catch (error) {
      if (error instanceof FieldwrightError && error.code === 'vault-damaged') return true;
      throw error;
    }
  }

  function giveTo(
    credentialId: string | null,
    scope: CredentialScope,
    deviceIds: readonly string[] = [],
  ): void {
    const [column, subject] =
      scope.kind === 'tag' ? (['tag', checkTag(scope.tag)] as const) : (['site_id', scope.siteId] as const);
    if (scope.kind === 'site') requireSite(store, subject);
    store.run(`DELETE FROM credential_scopes WHERE ${column} = ?`, subject);
    if (credentialId !== null)
      store.run(
        `INSERT INTO credential_scopes (${column}, credential_id) VALUES (?, ?)`,
        subject,
        credentialId,
      );
    use.assign(null, deviceIds);
  }

  /** @throws `confirmation-needed` if devices that sign in today, other than `deviceIds`, got another credential by it. */
  function untried<T>(
    work: () => { readonly result: T; readonly changed: readonly string[] },
    deviceIds: readonly string[] = [],
  ) {
    return atomically(() => {
      const working = use.working();
      const done = work();
      const replaced = done.changed.filter((id) => working.has(id) && !deviceIds.includes(id));
      if (replaced.length > 0) throw createReplacesWorkingError(replaced.length);
      return done;
    });
  }
  function give({ credentialId, scope, deviceIds }: Parameters<CredentialsApi['assignTo']>[0]): void {
    if (credentialId !== null) requireCredential(store, credentialId);
    giveTo(credentialId, scope, deviceIds);
  }

  return {
    list,
    get,
    give,
    save({ id: given, label, userName, password, deviceIds, scope }) {
      if (checkName(userName, 'userName') === undefined)
        throw userError('usage', say('credential-without-user'), { path: 'userName' });
      const name = checkName(label, 'label') ?? userName;
      const id = given ?? `c-${randomBytes(8).toString('hex')}`;
      const now = clock.now().toISOString();
      const touched =
        given === undefined && scope === undefined
          ? { deviceIds: deviceIds ?? [], credentialId: id }
          : undefined;
      const write = (): void => {
        if (given === undefined) {
          store.insert('credentials', {
            id,
            label: name,
            user_name: userName,
            secret: vault.seal(password, buildCredentialContext(id)),
            created_at: now,
            updated_at: now,
          });
        } else {
          requireCredential(store, given);
          const other = isOther(id, password);
          store.update('credentials', { label: name, user_name: userName, updated_at: now }, { id });
          if (other)
            store.update('credentials', { secret: vault.seal(password, buildCredentialContext(id)) }, { id });
        }
        if (scope !== undefined) giveTo(id, scope, deviceIds);
        else if (deviceIds !== undefined) use.assign(id, deviceIds);
      };
      if (scope === undefined) use.during(write, touched);
      else untried(() => use.during(write, touched), deviceIds);
      return get(id);
    },
    assign: ({ credentialId, deviceIds }) => ({
      changed: use.during(() => use.assign(credentialId, deviceIds), { deviceIds }).result,
    }),
    assignTo(given) {
      const change = () => use.during(() => give(given));
      const { changed } = given.credentialId === null ? change() : untried(change, given.deviceIds);
      return { changed: changed.length };
    },
    remove: ({ id }) => ({
      removed: use.during(() => {
        use.lose(id);
        return store.remove('credentials', { id }).changes > 0;
      }).result,
    }),
  };
}

export function createReplacesWorkingError(devices: number): FieldwrightError {
  return userError('confirmation-needed', say('sign-in-replaces', { devices }), {
    reason: 'replaces-working',
  });
}

function checkTag(written: string): string {
  const [tag] = checkTags([written]);
  if (tag === undefined) throw userError('missing-field', say('tag-missing'), { path: 'tag' });
  return tag;
}
