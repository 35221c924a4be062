/** Wipes secrets of work items from the database and its log once they are no longer needed. */
import { setImmediate } from 'node:timers/promises';
import { readOwnJson } from '#shared/read-json.ts';
import type { Clock } from '#engine/api/host.ts';
import type { Store } from '#engine/store/index.ts';
import { IS_UNFINISHED } from '../job-state.ts';
import { isAlive, type Owner } from '../owner.ts';
import type { ItemKind } from './types.ts';

/** Rows in one transaction, which takes a few milliseconds. */
export const AT_ONCE = 200;
const DAY_MS = 86_400_000;

interface Found {
  readonly jobId: string;
  readonly begun: number;
  readonly isOld: number;
  readonly owner: string | null;
}

/** Returns plans or outcomes of a kind for `IN (…)`; safe in SQL, because they come only from code. */
export function formatSqlWords(kind: ItemKind, ...meanings: readonly ('idle' | 'good' | 'bad')[]): string {
  return meanings.flatMap((meaning) => kind[meaning].map((word) => `'${word}'`)).join(', ');
}

/**
 * Returns lists whose secrets are no longer needed. `begun` is 0 if no job was started for the list, and the process that made it is gone or a day is over;
 * a list whose job is begun by another one (`heldBy` of its head) waits for that.
 */
export function findAbandonedLists(
  store: Store,
  { name, kept }: ItemKind,
  clock: Clock,
): readonly { readonly jobId: string; readonly begun: number }[] {
  const before = (days: number): string => new Date(clock.now().getTime() - days * DAY_MS).toISOString();
  const from = kept.from === 'list' ? 'list.created_at' : 'coalesce(jobs.ended_at, jobs.created_at)';
  const found = store.all<Found>(
    `SELECT list.job_id AS jobId, jobs.id IS NOT NULL AS begun, list.created_at < ? AS isOld,
       json_extract(list.head, '$.owner') AS owner
     FROM item_lists AS list LEFT JOIN jobs ON jobs.id = list.job_id
     WHERE list.kind = ? AND NOT (jobs.id IS NULL AND list.created_at >= ? AND EXISTS (
       SELECT 1 FROM jobs AS holder WHERE holder.id = json_extract(list.head, '$.heldBy') AND holder.state <> 'done'))
       AND iif(jobs.id IS NULL, TRUE,
       list.sealed AND jobs.state NOT IN ('running', 'waiting') AND (${from} < ? OR (${kept.orDone} AND NOT EXISTS (
         SELECT 1 FROM job_devices AS d WHERE d.job_id = jobs.id AND ${IS_UNFINISHED}))))`,
    before(1),
    name,
    before(kept.days),
    before(kept.days),
  );
  return found.filter(
    ({ begun, isOld, owner }) => begun === 1 || isOld === 1 || !isHeld(owner, store.dataDir),
  );
}

function isHeld(owner: string | null, dataDir: string | undefined): boolean {
  return owner !== null && isAlive(readOwnJson(owner) as Owner, dataDir);
}

/** Removes the results of a device some at a time. */
export async function removeResults(store: Store, list: number, position: number): Promise<void> {
  const key = 'list = ? AND position = ?';
  const rows = `DELETE FROM item_results WHERE ${key} AND nth IN (SELECT nth FROM item_results WHERE ${key} LIMIT ${AT_ONCE})`;
  const remove = () => store.run(rows, list, position, list, position);
  while (store.transactionSoon(remove).changes > 0) await setImmediate();
}

/** Removes a list some rows at a time, and gives their room back to the disk; stops early where `isOver` says so. */
export async function removeList(store: Store, list: number, isOver: () => boolean): Promise<void> {
  for (const table of ['item_results', 'items']) {
    const place = table === 'items' ? 'list, nth' : 'list, position, nth';
    const rows = `DELETE FROM ${table} WHERE (${place}) IN (SELECT ${place} FROM ${table} WHERE list = ? LIMIT ${AT_ONCE})`;
    while (!isOver() && store.transactionSoon(() => store.run(rows, list)).changes > 0) await setImmediate();
  }
  if (isOver()) return;
  store.remove('item_lists', { id: list });
  await store.reclaim(isOver);
  store.forgetLog();
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
  const fine = `coalesce(outcome, plan) IN (${formatSqlWords(kind, 'good', 'idle')})`;
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
    await setImmediate();
  }
  if (fineOn === undefined) store.update('item_lists', { sealed: 0 }, { id: list });
  store.forgetLog();
}
