/** Devices that were replaced: kept as they were, with what the device in their place had before. */
import { readOwnJson } from '#shared/read-json.ts';
import type { ArchivedDevice } from '#shared/replacement.ts';
import type { Device } from '#shared/model.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Clock } from '../api/host.ts';
import type { Store } from '../store/index.ts';
import type { DeviceRecord } from './device-rows.ts';
import type { DeviceChanges } from './change-devices.ts';
import type { MovedWork } from '../jobs/open/moved-work.ts';
import { toDevice, type DeviceRecords } from './records.ts';

interface ArchiveOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly records: Pick<DeviceRecords, 'get' | 'known' | 'insert' | 'atomically'>;
  readonly update: DeviceChanges['update'];
  /** Removes devices from the inventory. */
  readonly remove: (ids: readonly string[]) => void;
  readonly requireFree: (url: string) => void;
}

interface Replacement {
  readonly oldId: string;
  readonly newId: string;
  readonly jobId: string;
  readonly by: string;
}

/** Fields of the new device that a replacement sets. */
type Place = Pick<DeviceRecord, 'name' | 'tags' | 'siteId' | 'credentialId'>;

interface ArchiveRow {
  readonly device_id: string;
  readonly record: string;
  readonly replaced_by: string;
  readonly place_before: string;
  readonly moved_work: string;
  readonly job_id: string;
  readonly at: string;
  readonly by_user: string;
}

export interface Archive {
  list(): readonly ArchivedDevice[];
  /** Returns the archived device with this id, as it was. */
  known(id: string): Device | undefined;
  /** Gives the new device the place of the old one, which goes into the archive; does nothing if this job did it already. */
  replace(replacement: Replacement, moveWork: (to: Device) => readonly MovedWork[]): void;
  /** Gives the new device name, tags and site of the old one, and its sign-in if it has none. */
  takePlace(oldId: string, newId: string): void;
  /** Takes a device out of the archive again; does nothing if it is in the inventory. */
  restore(oldId: string, moveBack: (work: readonly MovedWork[], oldId: string) => void): void;
}

export function createArchive({
  store,
  clock,
  records,
  update,
  remove,
  requireFree,
}: ArchiveOptions): Archive {
  const read = (id: string): ArchiveRow | undefined =>
    store.get<ArchiveRow & object>('SELECT * FROM archived_devices WHERE device_id = ?', id);
  const recordOf = ({ record }: ArchiveRow): DeviceRecord => readOwnJson(record) as DeviceRecord;
  const deviceOf = (row: ArchiveRow): Device => toDevice(recordOf(row), {});

  function takePlace(oldId: string, newId: string): void {
    const { name, tags, siteId, credentialId } = records.get(oldId);
    const { credentialId: own, signIn } = records.get(newId);
    update(newId, {
      name,
      tags,
      siteId: siteId ?? null,
      ...(own !== undefined || signIn === 'ok' ? {} : removeUndefined({ credentialId })),
    });
  }

  return {
    list: () =>
      store.all<ArchiveRow>('SELECT * FROM archived_devices ORDER BY at DESC, rowid DESC').map((row) => ({
        device: deviceOf(row),
        at: row.at,
        by: row.by_user,
        replacedBy: { id: row.replaced_by, name: records.known(row.replaced_by)?.name ?? row.replaced_by },
        jobId: row.job_id,
      })),
    known(id) {
      const row = read(id);
      return row === undefined ? undefined : deviceOf(row);
    },
    replace: ({ oldId, newId, jobId, by }, moveWork) =>
      records.atomically(() => {
        if (read(oldId)?.job_id === jobId) return;
        const old = records.get(oldId);
        const before = records.get(newId);
        takePlace(oldId, newId);
        const place: Place = {
          name: before.name,
          tags: before.tags,
          ...removeUndefined({ siteId: before.siteId, credentialId: before.credentialId }),
        };
        store.insert('archived_devices', {
          device_id: oldId,
          record: JSON.stringify(old),
          replaced_by: newId,
          place_before: JSON.stringify(place),
          moved_work: JSON.stringify(moveWork(toDevice(records.get(newId), {}))),
          job_id: jobId,
          at: clock.now().toISOString(),
          by_user: by,
        });
        remove([oldId]);
      }),
    takePlace,
    restore: (oldId, moveBack) =>
      records.atomically(() => {
        const row = read(oldId);
        if (row === undefined) return;
        const old = recordOf(row);
        requireFree(old.url);
        if (records.known(row.replaced_by) !== undefined) {
          const { siteId = null, credentialId = null, ...place } = readOwnJson(row.place_before) as Place;
          update(row.replaced_by, { ...place, siteId, credentialId });
        }
        records.insert(withoutRemoved(store, old));
        moveBack(readOwnJson(row.moved_work) as readonly MovedWork[], oldId);
        store.remove('archived_devices', { device_id: oldId });
      }),
  };
}

/** Returns the device without a sign-in and a site that were removed meanwhile. */
function withoutRemoved(store: Store, { credentialId, siteId, ...device }: DeviceRecord): DeviceRecord {
  const isThere = (table: 'credentials' | 'sites', id: string | undefined): boolean =>
    id !== undefined && store.get(`SELECT 1 AS found FROM ${table} WHERE id = ?`, id) !== undefined;
  return {
    ...device,
    ...(isThere('credentials', credentialId) ? removeUndefined({ credentialId }) : {}),
    ...(isThere('sites', siteId) ? removeUndefined({ siteId }) : {}),
  };
}
