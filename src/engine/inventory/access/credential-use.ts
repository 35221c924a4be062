/**
 * Tracks which credential is in force on which device, and every change that may replace it: a saved one
 * changed or was removed, a device, tag or site was given one. A device that really gets another one starts
 * afresh; no other is touched, since every sign-in attempt with a wrong password brings an account nearer to
 * being locked.
 */
import type { CredentialScope } from '#shared/access.ts';
import type { Device } from '#shared/model.ts';
import type { Store } from '#engine/store/index.ts';
import type { DeviceRecord } from '../device-rows.ts';
import { toDevice, type DeviceRecords } from '../records.ts';
import { requireCredential } from './credential-rows.ts';
import { isSameSource, type Scopes } from './scopes.ts';

/** All that a change can touch, where that is known: thousands of others need not be looked at. */
interface Touched {
  readonly deviceIds: readonly string[];
  readonly credentialId?: string;
}

interface CredentialUseOptions {
  readonly store: Store;
  readonly records: DeviceRecords;
  readonly scopes: Scopes;
  readonly onSignInChanged: (deviceIds: readonly string[]) => void;
}

export class CredentialUse {
  readonly #options: CredentialUseOptions;

  constructor(options: CredentialUseOptions) {
    this.#options = options;
  }

  /**
   * Does the work, which writes rows and mends records in memory, all or nothing. Gives its result
   * and the devices whose credential is another one now; watchers hear of each that looks different.
   */
  during<T>(work: () => T, touched?: Touched): { readonly result: T; readonly changed: readonly string[] } {
    const { store, records, scopes, onSignInChanged } = this.#options;
    return records.atomically(() => {
      const devices =
        touched === undefined
          ? records.all()
          : [...new Set(touched.deviceIds)].flatMap((id) => records.known(id) ?? []);
      const before = devices.map((record) => ({ record, was: scopes.inForce(record) }));
      const done = work();
      if (touched === undefined) scopes.reload();
      else if (touched.credentialId !== undefined) scopes.learn(touched.credentialId);
      const after = before.flatMap(({ record: { id }, was, record }) => {
        const now = records.peek(id);
        return now === undefined
          ? []
          : [
              {
                id,
                now,
                afresh: scopes.inForce(now).key !== was.key,
                differs: now !== record || !isSameSource(was, scopes.inForce(now)),
              },
            ];
      });
      const renewed = after.filter(({ afresh }) => afresh);
      for (const { now } of renewed) records.replace(clearSignInState(now));
      const ids = renewed.map(({ id }) => id);
      if (ids.length > 0)
        store.run(
          "UPDATE devices SET sign_in = 'unknown', last_error = NULL WHERE id IN (SELECT value FROM json_each(?))",
          JSON.stringify(ids),
        );
      for (const { id, differs } of after) if (differs) records.tell(id);
      if (ids.length > 0) records.afterwards(() => onSignInChanged(ids));
      return { result: done, changed: ids };
    });
  }

  /**
   * Returns the devices that are signed in now with a saved credential and would get another one by `work`, which is
   * undone. Must not run within another change.
   */
  replacedBy(work: () => unknown): readonly Device[] {
    const { records } = this.#options;
    const working = this.working();
    try {
      records.atomically(() => {
        const { changed } = this.during(work);
        throw new Tried(changed);
      });
    } catch (error) {
      if (error instanceof Tried) return error.changed.flatMap((id) => working.get(id) ?? []);
      throw error;
    }
    return [];
  }

  /** Returns the devices that are signed in now with a saved credential, by id. */
  working(): ReadonlyMap<string, Device> {
    const { records, scopes } = this.#options;
    return new Map(
      records.kept().flatMap((record) => {
        const inForce = scopes.inForce(record);
        return record.signIn === 'ok' && inForce.credentialId !== undefined
          ? [[record.id, toDevice(record, inForce)] as const]
          : [];
      }),
    );
  }

  /** Gives the devices this credential as their own, or with null takes theirs away; only within `during`. Gives on how many that is a change. */
  assign(credentialId: string | null, deviceIds: readonly string[]): number {
    const { store, records } = this.#options;
    if (credentialId !== null) requireCredential(store, credentialId);
    const others = [...new Set(deviceIds)]
      .map((id) => records.get(id))
      .filter((device) => (device.credentialId ?? null) !== credentialId);
    store.run(
      'UPDATE devices SET credential_id = ? WHERE id IN (SELECT value FROM json_each(?))',
      credentialId,
      JSON.stringify(others.map(({ id }) => id)),
    );
    for (const { credentialId: _before, ...rest } of others)
      records.replace(credentialId === null ? rest : { ...rest, credentialId });
    return others.length;
  }

  /** Removes the credential from the devices that have it as their own; only within `during`. */
  lose(credentialId: string): void {
    const { records } = this.#options;
    for (const { credentialId: _lost, ...rest } of records.owning(credentialId)) records.replace(rest);
  }

  /**
   * Counts the devices on which each credential is in force, and what it was given to; with an id, of that
   * one alone.
   */
  counts(only?: string): {
    readonly devices: ReadonlyMap<string, number>;
    readonly scopes: ReadonlyMap<string, readonly CredentialScope[]>;
  } {
    const { records, scopes } = this.#options;
    const given = scopes.all();
    if (only !== undefined) return { devices: new Map([[only, this.#saved(only).length]]), scopes: given };
    const devices = new Map<string, number>();
    for (const record of records.kept()) {
      const { credentialId } = scopes.saved(record);
      if (credentialId !== undefined) devices.set(credentialId, (devices.get(credentialId) ?? 0) + 1);
    }
    return { devices, scopes: given };
  }

  /** Devices on which it is in force. */
  usersOf(credentialId: string): readonly Device[] {
    const { scopes } = this.#options;
    return this.#saved(credentialId).flatMap((record) => {
      const inForce = scopes.inForce(record);
      return inForce.credentialId === credentialId ? [toDevice(record, inForce)] : [];
    });
  }

  /** Returns true if the sign-in of the device has worked on some device before, as far as is stored. */
  worked(device: DeviceRecord): boolean {
    const { credentialId } = this.#options.scopes.saved(device);
    return credentialId !== undefined && this.#saved(credentialId).some(({ signIn }) => signIn === 'ok');
  }

  /** Returns the devices that use a credential. The others have to be looked through only if it is shared. */
  #saved(credentialId: string): readonly DeviceRecord[] {
    const { records, scopes } = this.#options;
    return scopes.isShared(credentialId)
      ? records.kept().filter((record) => scopes.saved(record).credentialId === credentialId)
      : records.owning(credentialId);
  }
}

/** Ends a change that is only tried. */
class Tried extends Error {
  readonly changed: readonly string[];
  constructor(changed: readonly string[]) {
    super('tried');
    this.changed = changed;
  }
}

/** Removes the state that belonged to the previous credential. */
export function clearSignInState(device: DeviceRecord): DeviceRecord {
  const { lastError: _settled, ...rest } = device;
  return { ...rest, signIn: 'unknown' };
}
