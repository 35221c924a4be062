/**
 * Fingerprints of jobs as items: whose they are and what became of them is readable; templates, which only jobs from a file
 * keep, are sealed and wiped with the job.
 */
import type { ErrorShape } from '../../../shared/errors.ts';
import { defined } from '../../../shared/defined.ts';
import type { PrintResult, PrintStatus, ReaderResult } from '../../../shared/prints.ts';
import type { ItemTypes, NewItem } from '../../jobs/items/types.ts';
import { NO_DEVICE, WorkItems, type ItemsOptions } from '../../jobs/items/work-items.ts';
import type { Print, Whose } from './read-print.ts';
import { wordsOf } from './words.ts';

/** One fingerprint of a job; its template is to be had by `nth`. */
export interface PrintItem extends Omit<Print, 'fingerData'> {
  /** Place in the job, from 1. */
  readonly nth: number;
  readonly line?: number;
  /** The item stands for fingerprints of the person that the source says it has and does not show. */
  readonly counted?: ReaderResult['counted'];
}

/** What became of an item on a device. */
export interface Settled {
  readonly readers: readonly ReaderResult[];
  readonly error?: ErrorShape;
}

interface StoredResult extends PrintResult {
  /** Order in which results came; grows. */
  readonly id: number;
  /** Place of the device in the job; `NO_DEVICE`: a line of the file. */
  readonly position: number;
}

interface PrintItems extends ItemTypes {
  readonly detail: Partial<Omit<PrintItem, 'nth' | 'line' | 'employeeNo'>>;
  /** The template. */
  readonly secret: string;
  readonly plan: never;
  /** What the readers said, with a space between them. */
  readonly outcome: string;
  readonly result: readonly ReaderResult[];
}

/** What is left of a job that nobody went on with is wiped after so long. */
export const KEPT_DAYS = 7;
/** Items that a device is given at once. */
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

  /** Adds a line of a file that cannot be used; it is among the results. */
  addBad(jobId: string, { employeeNo = '', fingerPrintID }: Whose, error: ErrorShape): void {
    for (const { nth } of this.add(jobId, [{ key: employeeNo, detail: defined({ fingerPrintID }), error }]))
      this.settle(jobId, NO_DEVICE, [
        { nth, outcome: 'bad-line', result: [{ reader: 0, status: 'bad-line' }] },
      ]);
  }

  /** Returns the next fingerprints behind `after` that nothing became of on the device. */
  nextPrints(jobId: string, position: number, after: number): readonly PrintItem[] {
    return this.next(jobId, position, { after, limit: NEXT, now: [''] }).map(
      ({ nth, line, key: employeeNo, detail }) => ({
        ...{ fingerPrintID: 0, fingerType: '', ...detail },
        ...{ nth, employeeNo, ...defined({ line }) },
      }),
    );
  }

  /** Takes back what was said of fingerprints of which nobody knows what became of them: they are looked at anew. */
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

  /** Records what became of an item on a device; what was done on no reader is not among the results. */
  settlePrint(jobId: string, position: number, nth: number, { readers, error }: Settled): void {
    const outcome = statusesOf(readers).join(' ');
    const result = readers.length === 0 ? undefined : readers;
    this.settle(jobId, position, [{ nth, outcome, ...defined({ result, error }) }], { soon: true });
  }

  /** Counts the readers of a device by their results, and the items that have one at all. */
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

  /** Returns results behind `after`, in the order in which they came. */
  printResults(jobId: string, after: number): readonly StoredResult[] {
    return this.results(jobId, after).flatMap(
      ({ seq: id = 0, key, detail, at = '', result = [], ...item }) => {
        const { error, position = NO_DEVICE } = item;
        const whose = defined({ error, line: error?.line ?? item.line, employeeNo: key || undefined });
        return result.map(({ reader, finger = detail?.fingerPrintID, ...of }) => ({
          ...{ id, position, at, ...whose, ...of, says: wordsOf(of, key) },
          ...(reader === 0 ? {} : { reader }),
          ...(finger ? { fingerPrintID: finger } : {}),
        }));
      },
    );
  }
}

const UNKNOWN: PrintStatus = 'unknown';

/** Returns what an item counts as: each of its readers or, where one of them has to be looked at again, unknown as a whole. */
export function statusesOf(readers: readonly ReaderResult[]): readonly PrintStatus[] {
  const statuses = readers.map(({ status }) => status);
  return statuses.includes(UNKNOWN) ? [UNKNOWN] : statuses;
}

/** `sealed`: its template is kept until it is wiped. */
export function newPrint(
  { employeeNo: key, fingerData, ...detail }: Print,
  { line, sealed = false }: { readonly line?: number; readonly sealed?: boolean } = {},
): NewItem<PrintItems> {
  const part = JSON.stringify([detail.fingerPrintID, ...(detail.readers ?? [])]);
  return { key, part, detail, ...defined({ line, secret: sealed ? fingerData : undefined }) };
}

/** Stands for fingerprints of a person that a device says it has and does not show. */
export function newMissing(key: string, counted: PrintItem['counted']): NewItem<PrintItems> {
  return { key, part: 'missing', detail: defined({ counted }) };
}
