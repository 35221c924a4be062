/**
 * Open work of a device that was replaced: it belongs to the device in its place, and to the old one again when that is undone.
 * It keeps its address, so that a person is asked before anything that was kept for the old device goes to the new one.
 */
import type { Device } from '#shared/model.ts';
import type { Store } from '#engine/store/index.ts';

/** A device of a job, with the name that it had there. */
export interface MovedWork {
  readonly job: string;
  readonly position: number;
  readonly name: string;
}

export function countOpenWork(store: Store, deviceId: string): number {
  return listOpenWork(store, deviceId).length;
}

export function moveOpenWork(store: Store, oldId: string, to: Device): readonly MovedWork[] {
  const moved = listOpenWork(store, oldId);
  for (const { job, position } of moved)
    store.update('job_devices', { device_id: to.id, name: to.name }, { job_id: job, position });
  return moved;
}

/** Returns to the old device what is still open. */
export function returnOpenWork(store: Store, work: readonly MovedWork[], oldId: string): void {
  for (const { job, position, name } of work)
    store.run(
      `UPDATE job_devices SET device_id = ?, name = ?
       WHERE job_id = ? AND position = ? AND open_reason IS NOT NULL`,
      oldId,
      name,
      job,
      position,
    );
}

function listOpenWork(store: Store, deviceId: string): readonly MovedWork[] {
  return store.all<MovedWork & object>(
    `SELECT d.job_id AS job, position, name FROM job_devices AS d JOIN jobs ON jobs.id = d.job_id
     WHERE device_id = ? AND open_reason IS NOT NULL AND jobs.state NOT IN ('running', 'waiting', 'cancelled')`,
    deviceId,
  );
}
