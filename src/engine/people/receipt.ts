/** What can be handed out after people were removed: each device with what it showed when it was asked again. */
import { defined } from '../../shared/defined.ts';
import { say } from '../../shared/details.ts';
import { userError } from '../../shared/errors.ts';
import type { Job } from '../../shared/model.ts';
import { canonicalJson } from '../canonical-json.ts';
import { sha256 } from '../sha256.ts';
import { inBatches } from '../store/index.ts';
import { AT_ONCE } from './view.ts';
import type { WorkRows } from './work/work-rows.ts';

/** `gone` was seen gone after the removal, `absent` was never there; both are proven. */
type Result = 'gone' | 'absent' | 'still-there' | 'refused' | 'open';

/**
 * JSON with a hash over everything else in it (SHA-256 of RFC 8785), which is no signature. Throws `not-found` where
 * the job removed nobody.
 */
export function deletionReceipt(
  job: Job,
  rows: WorkRows,
  made: { readonly at: string; readonly version: string },
): string {
  const head = rows.head(job.id);
  if (head.work !== 'remove') throw userError('not-found', say('people-no-removal', { id: job.id }));
  const devices = job.results.map(({ name, url, error }, device) => {
    const people: { employeeNo: string; result: Result; reason?: string }[] = [];
    for (const row of rows.items(job.id, { positions: [device] }))
      if (row.position === device)
        people.push({
          employeeNo: row.key,
          result: resultOf(row.plan, row.outcome),
          ...defined({ reason: row.error?.message }),
        });
    // A device that was never reached may have any of them.
    const unreached = (after: number) => rows.next(job.id, device, { after, limit: AT_ONCE, now: [''] });
    for (const batch of inBatches(0, unreached, ({ nth }) => nth))
      for (const { key } of batch) people.push({ employeeNo: key, result: 'open' });
    return {
      name,
      url,
      asked: people.length > 0 && people.every(({ result }) => result !== 'open'),
      people,
      ...defined({ error: error?.message }),
    };
  });
  const document = {
    document: 'deletion-receipt',
    product: `Fieldwright ${made.version}`,
    job: job.id,
    begun: job.createdAt,
    ...defined({ ended: job.endedAt }),
    by: job.by,
    made: made.at,
    complete: devices.every(
      ({ asked, people }) => asked && people.every(({ result }) => result === 'gone' || result === 'absent'),
    ),
    devices,
  };
  return `${JSON.stringify({ ...document, sha256: sha256(canonicalJson(document)) }, null, 2)}\n`;
}

function resultOf(plan: string | undefined, outcome: string | undefined): Result {
  if (plan === 'absent') return 'absent';
  if (outcome === 'done') return 'gone';
  if (outcome === 'ignored') return 'still-there';
  return outcome === 'refused' ? 'refused' : 'open';
}
