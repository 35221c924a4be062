/** Last look at the agreed settings of each device. */
import { readOwnJson } from '#shared/read-json.ts';
import type { DriftedSetting } from '#shared/agreement.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { Store } from '../store/index.ts';

/** Result of a look. */
export interface Look {
  readonly deviceId: string;
  /** ISO 8601: when the settings were last seen; absent if they never were. */
  readonly readAt?: string;
  readonly differences: readonly DriftedSetting[];
  readonly unseen: number;
  /** Why the last look failed; the rest is of the one before. */
  readonly error?: ErrorShape;
  /** ISO 8601: when the last look ended, also one that failed. */
  readonly triedAt: string;
}

interface LookRow {
  readonly device_id: string;
  readonly tried_at: string;
  readonly read_at: string | null;
  readonly unseen: number;
  readonly differences: string;
  readonly error: string | null;
}

export function readLooks(store: Store, deviceIds: readonly string[]): ReadonlyMap<string, Look> {
  const rows = store.all<LookRow>(
    `SELECT device_id, tried_at, read_at, unseen, differences, error FROM agreement_looks
     WHERE device_id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(deviceIds),
  );
  return new Map(
    rows.map((row) => [
      row.device_id,
      {
        deviceId: row.device_id,
        triedAt: row.tried_at,
        ...(row.read_at === null ? {} : { readAt: row.read_at }),
        differences: readOwnJson(row.differences) as readonly DriftedSetting[],
        unseen: row.unseen,
        ...(row.error === null ? {} : { error: readOwnJson(row.error) as ErrorShape }),
      },
    ]),
  );
}

/** Lists the devices of which the last look showed a difference. */
export function listDiffering(store: Store): ReadonlySet<string> {
  const rows = store.all<{ readonly id: string }>(
    "SELECT device_id AS id FROM agreement_looks WHERE differences <> '[]'",
  );
  return new Set(rows.map(({ id }) => id));
}

export function saveLook(store: Store, look: Look): void {
  store.insert(
    'agreement_looks',
    {
      device_id: look.deviceId,
      tried_at: look.triedAt,
      read_at: look.readAt ?? null,
      unseen: look.unseen,
      differences: JSON.stringify(look.differences),
      error: look.error === undefined ? null : JSON.stringify(look.error),
    },
    'replace',
  );
}
