/** Receipts of a removal of people: for each device, what it showed when it was read afterwards. */
import { createDetail, say } from '#shared/details.ts';
import { userError, type ErrorShape } from '#shared/errors.ts';
import type { Job } from '#shared/model.ts';
import type {
  DeletionReceipt,
  PrintsOfRemoved,
  ReceiptLine,
  RemovalResult,
  RemovedPeople,
  RemovedPrints,
} from '#shared/people/people.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { hashSha256 } from '../text/sha256.ts';
import { readInBatches } from '../store/index.ts';
import { AT_ONCE } from './view.ts';
import type { PersonRow } from './work/rows.ts';
import type { WorkRows } from './work/work-rows.ts';

/**
 * Returns the receipt as JSON, with a hash of all other members (SHA-256 of RFC 8785), which is no signature.
 * @throws `not-found` if the job removed no people
 */
export function formatDeletionReceipt(
  job: Job,
  rows: WorkRows,
  made: { readonly at: string; readonly version: string },
): string {
  const { devices, complete } = buildDeletionReceipt(job, rows);
  const document = {
    document: 'deletion-receipt',
    product: `Fieldwright ${made.version}`,
    job: job.id,
    begun: job.createdAt,
    ended: job.endedAt,
    by: job.by,
    made: made.at,
    complete,
    devices,
  };
  return `${JSON.stringify({ ...document, sha256: hashSha256(encodeCanonicalJson(document)) }, null, 2)}\n`;
}

/** Returns the results of a removal. @throws `not-found` if the job removed no people */
export function buildDeletionReceipt(job: Job, rows: WorkRows): DeletionReceipt {
  refuseOthers(job, rows);
  const devices = job.results.map(({ name, url, error }, device) => {
    const people: DeletionReceipt['devices'][number]['people'][number][] = [];
    for (const row of rowsOn(rows, job, device)) {
      const result = resultOf(row);
      people.push({
        employeeNo: row.key,
        result,
        ...(isProved(result) ? {} : { reason: row.error?.message }),
        fingerprints: printsOf(row),
      });
    }
    // A device that was never reached may have any of them.
    for (const employeeNo of unreached(rows, job, device))
      people.push({ employeeNo, result: 'open', fingerprints: NOT_LOOKED_AT });
    return {
      name,
      url,
      asked: people.length > 0 && people.every(({ result }) => result !== 'open'),
      people,
      error: error?.message,
    };
  });
  return {
    complete: devices.every(
      ({ asked, people }) =>
        asked &&
        people.every(({ result, fingerprints }) => isProved(result) && fingerprints.result === 'gone'),
    ),
    devices,
  };
}

/** Returns the receipt in short form, a few lines per device. Throws like `formatDeletionReceipt`. */
export function summariseRemovedPeople(job: Job, rows: WorkRows): RemovedPeople {
  refuseOthers(job, rows);
  let complete = true;
  const devices = job.results.map(({ deviceId, name }, device) => {
    const counts = Object.fromEntries(RESULTS.map((result) => [result, 0])) as Record<RemovalResult, number>;
    const prints = { gone: 0, removed: 0, 'still-there': 0 };
    const unseen = new Map<string, { count: number; reason?: ErrorShape }>();
    const notLookedAt = (of: PrintsOfRemoved | undefined): void => {
      const reason = of?.state === 'not-looked-at' ? of.reason : undefined;
      const key = reason === undefined ? '' : `${reason.code} ${reason.message}`;
      unseen.set(key, { count: (unseen.get(key)?.count ?? 0) + 1, reason });
    };
    for (const row of rowsOn(rows, job, device)) {
      counts[resultOf(row)] += 1;
      prints.removed += row.result?.prints?.removed ?? 0;
      const { result } = printsOf(row);
      if (result !== 'not-looked-at') prints[result] += 1;
      else notLookedAt(row.result?.prints);
    }
    for (const _number of unreached(rows, job, device)) {
      counts.open += 1;
      notLookedAt(undefined);
    }
    complete &&=
      RESULTS.every((result) => isProved(result) || counts[result] === 0) &&
      prints['still-there'] === 0 &&
      unseen.size === 0;
    const lines: readonly ReceiptLine[] = [
      ...RESULTS.flatMap((result) =>
        counts[result] === 0
          ? []
          : [{ says: createDetail(`people-receipt-${result}`, { count: counts[result] }) }],
      ),
      ...(prints.gone + prints.removed === 0
        ? []
        : [
            {
              says: createDetail('people-receipt-prints-gone', {
                count: prints.gone,
                removed: prints.removed,
              }),
            },
          ]),
      ...(prints['still-there'] === 0
        ? []
        : [{ says: createDetail('people-receipt-prints-still-there', { count: prints['still-there'] }) }]),
      ...[...unseen.values()].map(({ count, reason }) => ({
        says: createDetail('people-receipt-prints-not-looked-at', { count }),
        reason,
      })),
    ];
    return { deviceId, name, lines };
  });
  return { complete, devices };
}

const RESULTS: readonly RemovalResult[] = [
  'gone',
  'absent',
  'still-there',
  'refused',
  'needs-reboot',
  'open',
];
const NOT_LOOKED_AT: RemovedPrints = { result: 'not-looked-at', removed: 0 };

function refuseOthers(job: Job, rows: WorkRows): void {
  if (rows.head(job.id).work !== 'remove')
    throw userError('not-found', say('people-no-removal', { id: job.id }));
}

function* rowsOn(rows: WorkRows, job: Job, device: number): Generator<PersonRow> {
  for (const row of rows.items(job.id, { positions: [device] })) if (row.position === device) yield row;
}

/** Yields employee numbers without a result on a device: one that was never reached may have any of them. */
function* unreached(rows: WorkRows, job: Job, device: number): Generator<string> {
  const read = (after: number): readonly PersonRow[] =>
    rows.next(job.id, device, { after, limit: AT_ONCE, now: [''] });
  for (const batch of readInBatches(0, read, ({ nth }) => nth)) for (const { key } of batch) yield key;
}

function isProved(result: RemovalResult): boolean {
  return result === 'gone' || result === 'absent';
}

/** Returns the result for the person, regardless of the fingerprints. */
function resultOf({ plan, outcome, result }: PersonRow): RemovalResult {
  const prints = result?.prints;
  if (plan === 'absent') return 'absent';
  if (prints !== undefined && prints.state !== 'gone' && prints.personGone === true) return 'gone';
  switch (outcome) {
    case 'done':
      return 'gone';
    case 'ignored':
      return 'still-there';
    case 'refused':
      return outcome;
    case 'needs-reboot':
    case 'restart-shown':
      return 'needs-reboot';
    default:
      return 'open';
  }
}

function printsOf({ result: known }: PersonRow): RemovedPrints {
  const prints = known?.prints;
  if (prints === undefined) return NOT_LOOKED_AT;
  const { state: result, removed } = prints;
  return { result, removed, ...(result === 'gone' ? {} : { reason: prints.reason.message }) };
}
