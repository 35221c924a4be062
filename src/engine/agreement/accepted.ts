/** Values that people accepted as a device showed them, each with its reason. */
import { randomBytes } from 'node:crypto';
import { readOwnJson } from '#shared/read-json.ts';
import type { AgreedBy } from '#shared/agreement.ts';
import type { Params } from '#shared/model.ts';
import type { Store } from '../store/index.ts';

interface Accepted {
  readonly deviceId: string;
  readonly set: string;
  readonly params: Params;
  /** Patch of the payload with the accepted values alone. */
  readonly value: unknown;
  readonly by: AgreedBy & { readonly reason: string };
}

interface AcceptedRow {
  readonly device_id: string;
  readonly section: string;
  readonly params: string;
  readonly value: string;
  readonly at: string;
  readonly by_user: string;
  readonly reason: string;
}

export function readAccepted(store: Store, deviceIds: readonly string[]): readonly Accepted[] {
  return store
    .all<AcceptedRow>(
      `SELECT device_id, section, params, value, at, by_user, reason FROM accepted_values
       WHERE device_id IN (SELECT value FROM json_each(?)) ORDER BY at, rowid`,
      JSON.stringify(deviceIds),
    )
    .map((row) => ({
      deviceId: row.device_id,
      set: row.section,
      params: readOwnJson(row.params) as Params,
      value: readOwnJson(row.value),
      by: { at: row.at, user: row.by_user, reason: row.reason },
    }));
}

export function saveAccepted(store: Store, { deviceId, set, params, value, by }: Accepted): void {
  store.insert('accepted_values', {
    id: `a-${randomBytes(6).toString('hex')}`,
    device_id: deviceId,
    section: set,
    params: JSON.stringify(params),
    value: JSON.stringify(value),
    at: by.at,
    by_user: by.user,
    reason: by.reason,
  });
}
