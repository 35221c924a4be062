/** Plans in the database, so that a plan survives a restart between review and apply. */
import type { Plan } from '../../shared/model.ts';
import type { Store } from '../store/index.ts';

/** Older plans are forgotten: a plan that is to last is a file. */
const PLANS_KEPT = 20;

export interface PlanRows {
  save(plan: Plan): void;
  get(id: string): Plan | undefined;
}

export function createPlanRows(store: Store): PlanRows {
  return {
    save(plan) {
      store.transaction(() => {
        store.run('INSERT INTO plans (id, created_at, body) VALUES (?, ?, ?)', plan.id, plan.createdAt, JSON.stringify(plan));
        store.run('DELETE FROM plans WHERE rowid NOT IN (SELECT rowid FROM plans ORDER BY rowid DESC LIMIT ?)', PLANS_KEPT);
      });
    },
    get(id) {
      const row = store.get<{ readonly body: string }>('SELECT body FROM plans WHERE id = ?', id);
      return row === undefined ? undefined : JSON.parse(row.body) as Plan;
    },
  };
}
