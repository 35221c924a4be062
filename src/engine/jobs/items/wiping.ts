/** Wipes secrets of work items from the database and its log once they are no longer needed. */
import type { Clock } from '../../api/host.ts';
import type { Store } from '../../store/index.ts';
import type { ItemKind } from './types.ts';

/** Rows in one transaction, which takes a few milliseconds. */
export const AT_ONCE = 200;
const DAY_MS = 86_400_000;

/** Returns plans or outcomes of a kind for `IN (…)`; safe in SQL, because they come only from code. */
export function wordsOf(kind: ItemKind, ...meanings: readonly ('idle' | 'good' | 'bad')[]): string {
  return meanings.flatMap((meaning) => kind[meaning].map((word) => `'${word}'`)).join(', ');
}

/** Returns lists whose secrets are no longer needed. `begun` is 0 if no job was started for the list within a day. */
export function listsLeftOver(
  store: Store,
  { name, kept }: ItemKind,
  clock: Clock,
): readonly { readonly jobId: string; readonly begun: number }[] {
  const before = (days: number): string => new Date(clock.now().getTime() - days * DAY_MS).toISOString();
  const from = kept.from === 'list' ? 'list.created_at' : 'coalesce(jobs.ended_at, jobs.created_at)';
  return store.all(
    `SELECT list.job_id AS jobId, jobs.id IS NOT NULL AS begun FROM item_lists AS list LEFT JOIN jobs ON jobs.id = list.job_id
     WHERE list.kind = ? AND iif(jobs.id IS NULL, list.created_at < ?,
       list.sealed AND jobs.state NOT IN ('running', 'waiting') AND (${from} < ? OR (${kept.orDone} AND NOT EXISTS (
         SELECT 1 FROM job_units WHERE job_id = jobs.id AND outcome IN ('pending', 'unknown')))))`,
    name,
    before(1),
    before(kept.days),
  );
}

/**
 * Wipes secrets in batches, so that other work is not blocked; keys and outcomes stay. `fineOn`: wipes only results that
 * are good or idle, and the secret of an item only if it is good or idle on that many devices.
 */
export async function wipeSecrets(
  store: Store,
  kind: ItemKind,
  list: number,
  fineOn: number | undefined,
): Promise<void> {
  const fine = `coalesce(outcome, plan) IN (${wordsOf(kind, 'good', 'idle')})`;
  const onAll = `(SELECT count(*) FROM item_results AS r INDEXED BY item_results_by_item WHERE r.list = items.list AND r.nth = items.nth AND ${fine}) >= ${fineOn}`;
  const [ofResults, ofItems] =
    fineOn === undefined ? ['', ''] : [`AND ${fine}`, `AND error IS NULL AND ${onAll}`];
  const last = store.get<{ readonly nth: number }>(
    'SELECT coalesce(max(nth), 0) AS nth FROM items WHERE list = ?',
    list,
  );
  for (let after = 0; after < (last?.nth ?? 0); after += AT_ONCE) {
    const rows = 'SET secret = NULL WHERE list = ? AND nth > ? AND nth <= ? AND secret IS NOT NULL';
    store.transaction(() => {
      store.run(
        `UPDATE item_results INDEXED BY item_results_by_item ${rows} ${ofResults}`,
        list,
        after,
        after + AT_ONCE,
      );
      store.run(`UPDATE items ${rows} ${ofItems}`, list, after, after + AT_ONCE);
    });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  if (fineOn === undefined) store.update('item_lists', { sealed: 0 }, { id: list });
  store.forgetLog();
}
