/**
 * Changes after which devices may have another sign-in: a saved one changed or went, a device, tag
 * or site was given one. Whoever really has another one starts afresh; nobody else is touched, since
 * every sign-in attempt with a wrong password brings an account nearer to being locked.
 */
import type { Store } from '../../store/index.ts';
import type { DeviceRecord } from '../device-rows.ts';
import type { DeviceRecords } from '../records.ts';
import { sameSource, type Scopes } from './scopes.ts';

export interface SignInChanges {
  /**
   * Does the work, which writes rows and mends records in memory, all or nothing. Gives its result
   * and the devices whose sign-in is another one now; watchers hear of each that looks different.
   * `touched`: all that it can change, where that is known: thousands of others need not be looked at.
   */
  during<T>(work: () => T, touched?: Touched): { readonly result: T; readonly changed: readonly string[] };
}

interface Touched {
  readonly deviceIds: readonly string[];
  /** The saved sign-in that is new. */
  readonly credentialId?: string;
}

interface SignInChangesOptions {
  readonly store: Store;
  readonly records: DeviceRecords;
  readonly scopes: Scopes;
  readonly onSignInChanged: (deviceIds: readonly string[]) => void;
}

export function createSignInChanges({
  store,
  records,
  scopes,
  onSignInChanged,
}: SignInChangesOptions): SignInChanges {
  return {
    during(work, touched) {
      const { result, changed } = records.atomically(() => {
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
                  differs: now !== record || !sameSource(was, scopes.inForce(now)),
                },
              ];
        });
        const renewed = after.filter(({ afresh }) => afresh);
        for (const { now } of renewed) records.replace(unsettled(now));
        const ids = renewed.map(({ id }) => id);
        if (ids.length > 0)
          store.run(
            "UPDATE devices SET sign_in = 'unknown', last_error = NULL WHERE id IN (SELECT value FROM json_each(?))",
            JSON.stringify(ids),
          );
        for (const { id, differs } of after) if (differs) records.tell(id);
        return { result: done, changed: ids };
      });
      if (changed.length > 0) onSignInChanged(changed);
      return { result, changed };
    },
  };
}

/** Without what belonged to the sign-in before. */
export function unsettled(device: DeviceRecord): DeviceRecord {
  const { lastError: _settled, ...rest } = device;
  return { ...rest, signIn: 'unknown' };
}
