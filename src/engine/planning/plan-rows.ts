/** Plans in the database, so that a plan survives a restart between review and apply. */
import type { Plan, PlanDevice } from '#shared/model.ts';
import type { Store } from '../store/index.ts';
import { readOwnJson } from '#shared/read-json.ts';

/** Older plans are forgotten: a plan that is to last is a file. */
const PLANS_KEPT = 20;
const DEVICES_A_PART = 50;

interface PlanRows {
  save(plan: Plan): void;
  get(id: string): Plan | undefined;
}

export function createPlanRows(store: Store): PlanRows {
  return {
    save(plan) {
      store.transaction(() => {
        store.insert('plans', {
          id: plan.id,
          created_at: plan.createdAt,
          body: JSON.stringify({ ...plan, devices: [] }),
        });
        let bytes = 0;
        for (let first = 0; first < plan.devices.length; first += DEVICES_A_PART) {
          const devices = JSON.stringify(plan.devices.slice(first, first + DEVICES_A_PART));
          bytes += devices.length;
          store.insert('plan_parts', { plan_id: plan.id, number: first / DEVICES_A_PART, devices });
        }
        store.requireRoom(bytes);
        store.run(
          'DELETE FROM plans WHERE rowid NOT IN (SELECT rowid FROM plans ORDER BY rowid DESC LIMIT ?)',
          PLANS_KEPT,
        );
      });
    },
    get(id) {
      const row = store.get<{ readonly body: string }>('SELECT body FROM plans WHERE id = ?', id);
      if (row === undefined) return undefined;
      const plan = readOwnJson(row.body) as Plan;
      const parts = store.all<{ readonly devices: string }>(
        'SELECT devices FROM plan_parts WHERE plan_id = ? ORDER BY number',
        id,
      );
      return {
        ...plan,
        devices: parts.flatMap(({ devices }) => readOwnJson(devices) as readonly PlanDevice[]),
      };
    },
  };
}
