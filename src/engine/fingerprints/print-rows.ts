/**
 * Fingerprints of a job, stored as items: employee numbers and outcomes readable, templates (stored only by imports from
 * a file) sealed and wiped with the job.
 */
import type { ErrorShape } from '#shared/errors.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { PrintResult, PrintStatus, ReaderResult } from '#shared/people/fingerprints.ts';
import type { ItemTypes, NewItem } from '../jobs/items/types.ts';
import { NO_DEVICE, type ItemsOptions } from '../jobs/items/item-rows.ts';
import { WorkItems } from '../jobs/items/work-items.ts';
import type { Print, Whose } from './read-print.ts';
import { createDetail, type Detail } from '#shared/details.ts';

/** One fingerprint of a job; its template is read by `nth`. */
export interface PrintItem extends Omit<Print, 'fingerData'> {
  /** Number in the job, from 1. */
  readonly nth: number;
  readonly line?: number;
  /** Counts of fingerprints that the source reports but does not return; the item is a placeholder for them. */
  readonly counted?: ReaderResult['counted'];
}

export interface Settled {
  readonly readers: readonly ReaderResult[];
  readonly error?: ErrorShape;
}

/** Line of a file that cannot be used, and whose it is as far as known. */
export interface BadLine {
  readonly whose: Whose;
  readonly error: ErrorShape;
}

interface StoredResult extends PrintResult {
  /** Sequence number of the result; increases. */
  readonly id: number;
  /** Index of the device in the job; `NO_DEVICE` for a line of the file. */
  readonly position: number;
}

interface PrintItems extends ItemTypes {
  readonly detail: Partial<Omit<PrintItem, 'nth' | 'line' | 'employeeNo'>>;
  /** The template. */
  readonly secret: string;
  readonly plan: never;
  /** Statuses of the readers, separated by spaces. */
  readonly outcome: string;
  readonly result: readonly ReaderResult[];
}

/** Days after which the templates of an abandoned job are wiped. */
export const KEPT_DAYS = 7;
/** Items fetched at a time for a device. */
const NEXT = 64;

export class PrintRows extends WorkItems<PrintItems> {
  constructor(options: ItemsOptions) {
    super(
      {
        ...{ name: 'fingerprints', idle: [], good: [], bad: [], begun: '' },
        kept: { days: KEPT_DAYS, from: 'job-end', orDone: true },
      },
      options,
    );
  }

  /** Adds unusable lines of a file in one transaction each for lines and results; they appear among the results. */
  addBad(jobId: string, lines: readonly BadLine[]): void {
    if (lines.length === 0) return;
    const added = this.add(
      jobId,
      lines.map(({ whose: { employeeNo = '', fingerPrintID }, error }) => ({
        key: employeeNo,
        detail: { fingerPrintID },
        error,
      })),
    );
    this.settle(
      jobId,
      NO_DEVICE,
      added.map(({ nth }) => ({ nth, outcome: 'bad-line', result: [{ reader: 0, status: 'bad-line' }] })),
    );
  }

  /** Returns the next fingerprints after `after` that have no outcome on the device. */
  nextPrints(jobId: string, position: number, after: number): readonly PrintItem[] {
    return this.next(jobId, position, { after, limit: NEXT, now: [''] }).map(
      ({ nth, line, key: employeeNo, detail }) => ({
        ...{ fingerPrintID: 0, fingerType: '', ...detail },
        ...{ nth, employeeNo, line },
      }),
    );
  }

  /** Clears the outcome of fingerprints with result `unknown`, so that they are processed again. */
  reopen(jobId: string, position: number): void {
    for (;;) {
      const some = this.next(jobId, position, { after: 0, limit: NEXT, now: [UNKNOWN] });
      if (some.length === 0) return;
      this.settle(
        jobId,
        position,
        some.map(({ nth }) => ({ nth, outcome: undefined })),
      );
    }
  }

  /** Records the outcome of an item on a device; an item without readers does not appear among the results. */
  settlePrint(jobId: string, position: number, nth: number, { readers, error }: Settled): void {
    const outcome = listStatuses(readers).join(' ');
    const result = readers.length === 0 ? undefined : readers;
    this.settle(jobId, position, [{ nth, outcome, result, error }], { soon: true });
  }

  /** Counts the readers of a device by status, and the items that have an outcome. */
  statuses(jobId: string, position: number) {
    const counts: Record<string, number> = {};
    let items = 0;
    for (const { outcome, count } of this.tally(jobId, position)) {
      if (outcome === null) continue;
      items += count;
      for (const status of outcome.split(' ')) counts[status] = (counts[status] ?? 0) + count;
    }
    delete counts[''];
    return { items, counts };
  }

  /** Returns the results after number `after`, in the order in which they were recorded. */
  printResults(jobId: string, after: number): readonly StoredResult[] {
    return this.results(jobId, after).flatMap(
      ({ seq: id = 0, key, detail, at = '', result = [], ...item }) => {
        const { error, position = NO_DEVICE } = item;
        const whose = removeUndefined({
          error,
          line: error?.line ?? item.line,
          employeeNo: key || undefined,
        });
        return result.map(({ reader, finger = detail?.fingerPrintID, ...of }) => ({
          ...{ id, position, at, ...whose, ...of, says: describeReaderResult(of, key) },
          ...(reader === 0 ? {} : { reader }),
          ...(finger ? { fingerPrintID: finger } : {}),
        }));
      },
    );
  }
}

const UNKNOWN: PrintStatus = 'unknown';

/** Returns the statuses of an item: one per reader, or `unknown` alone if any reader is unknown. */
export function listStatuses(readers: readonly ReaderResult[]): readonly PrintStatus[] {
  const statuses = readers.map(({ status }) => status);
  return statuses.includes(UNKNOWN) ? [UNKNOWN] : statuses;
}

/** Returns a fingerprint as a new item; `sealed` stores its template too. */
export function createFingerprintItem(
  { employeeNo: key, fingerData, ...detail }: Print,
  { line, sealed = false }: { readonly line?: number; readonly sealed?: boolean } = {},
): NewItem<PrintItems> {
  const part = JSON.stringify([detail.fingerPrintID, ...(detail.readers ?? [])]);
  return { key, part, detail, line, secret: sealed ? fingerData : undefined };
}

/** Returns a placeholder item for fingerprints of a person that a device reports but does not return. */
export function createMissingItem(key: string, counted: PrintItem['counted']): NewItem<PrintItems> {
  return { key, part: 'missing', detail: { counted } };
}

/** Returns the text of a reader's result; `employeeNo`: the person whose fingerprint it is. */
function describeReaderResult(result: Omit<ReaderResult, 'reader'>, employeeNo?: string): Detail {
  const { reason } = result;
  return { ...sentenceOf(result, employeeNo), ...removeUndefined({ reason }) };
}

function sentenceOf(
  { status, code, owner, differs = [], counted }: Omit<ReaderResult, 'reader'>,
  employeeNo: string | undefined,
): Detail {
  switch (status) {
    case 'exists':
      if (owner === undefined) return createDetail('print-exists-unnamed');
      return owner === employeeNo
        ? createDetail('print-exists-own')
        : createDetail('print-exists', { owner });
    case 'unknown-code':
      return createDetail('print-unknown-code', { code: code ?? '?' });
    case 'not-shown':
      return createDetail('print-not-shown', counted ?? { told: '?', shown: '?' });
    case 'differs':
      return differs.some(({ field }) => field === 'fingerData')
        ? createDetail('print-differs')
        : createDetail('print-differs-in', {
            differences: differs
              .map(({ field, asked = '–', shown = '–' }) => `${field} ${asked} → ${shown}`)
              .join('; '),
          });
    default:
      return createDetail(`print-${status}`);
  }
}
