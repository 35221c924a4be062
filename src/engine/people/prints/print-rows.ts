/**
 * Fingerprints of jobs as items: whose they are and what became of them is readable; templates, which only jobs from a file
 * keep, are sealed and wiped with the job.
 */
import type { ErrorShape } from '../../../shared/errors.ts';
import { defined } from '../../../shared/defined.ts';
import { detailOf } from '../../../shared/details.ts';
import type { PrintResult, ReaderResult } from '../../../shared/prints.ts';
import type { ItemsOptions } from '../../jobs/items/item-lists.ts';
import type { ItemKind, ItemTypes, NewItem, StoredItem } from '../../jobs/items/types.ts';
import { NO_DEVICE, WorkItems } from '../../jobs/items/work-items.ts';
import type { Print, Whose } from './read-print.ts';
import { wordsOf } from './words.ts';

/** One fingerprint of a job; its template is to be had by `nth`. */
export interface PrintItem extends Omit<Print, 'fingerData'> {
  /** Place in the job, from 1. */
  readonly nth: number;
  readonly line?: number;
}

/** What became of an item on a device. */
export interface Settled {
  readonly readers: readonly ReaderResult[];
  readonly error?: ErrorShape;
}

interface StoredResult extends PrintResult {
  /** Order in which results came; grows. */
  readonly id: number;
}

interface PrintItems extends ItemTypes {
  readonly detail: Partial<Omit<Print, 'employeeNo' | 'fingerData'>>;
  /** The template. */
  readonly secret: string;
  readonly plan: never;
  /** What the readers said, with a space between them. */
  readonly outcome: string;
  readonly resultDetail: readonly ReaderResult[];
}

/** What is left of a job that nobody went on with is wiped after so long. */
export const KEPT_DAYS = 7;
/** Items that a device is given at once. */
const NEXT = 64;

const FINGERPRINTS: ItemKind = {
  name: 'fingerprints',
  means: { idle: [], good: [], bad: [] },
  begun: '',
  kept: { days: KEPT_DAYS, since: 'job-ended', untilDone: true },
};

export class PrintRows extends WorkItems<PrintItems> {
  constructor(options: ItemsOptions) {
    super(FINGERPRINTS, options);
  }

  /** Adds a line of a file that cannot be used; it is among the results. */
  addBad(jobId: string, { employeeNo = '', fingerPrintID }: Whose, error: ErrorShape): void {
    this.store.transactionSoon(() => {
      const detail = defined({ fingerPrintID });
      for (const { nth } of this.add(jobId, [{ key: employeeNo, detail, error }]))
        this.settle(jobId, NO_DEVICE, [{ nth, outcome: 'bad-line', detail: [] }]);
    });
  }

  /** Returns the next fingerprints behind `after` that nothing became of on the device. */
  nextPrints(jobId: string, position: number, after: number): readonly PrintItem[] {
    return this.next(jobId, position, { after, limit: NEXT, now: [''] }).map(
      ({ nth, line, key, detail = {} }) => ({
        fingerPrintID: 0,
        fingerType: '',
        ...detail,
        nth,
        employeeNo: key,
        ...defined({ line }),
      }),
    );
  }

  settlePrint(jobId: string, position: number, nth: number, { readers, error }: Settled): void {
    this.settleSoon(jobId, position, {
      nth,
      outcome: readers.map(({ status }) => status).join(' '),
      // What was done on no reader is told elsewhere.
      ...(readers.length === 0 ? {} : { detail: readers }),
      ...defined({ error }),
    });
  }

  /** Returns how many readers of a device have which result, and how many items have one at all. */
  statuses(
    jobId: string,
    position: number,
  ): { readonly items: number; readonly counts: Readonly<Record<string, number>> } {
    const counts: Record<string, number> = {};
    let items = 0;
    for (const { outcome, count } of this.tally(jobId, position)) {
      items += count;
      for (const status of outcome?.split(' ') ?? [])
        if (status !== '') counts[status] = (counts[status] ?? 0) + count;
    }
    return { items, counts };
  }

  /** Returns results behind `after`, in the order in which they came. */
  printResults(jobId: string, after: number): readonly StoredResult[] {
    const found = this.results(jobId, after);
    if (found.length === 0) return [];
    const devices = new Map(
      this.store
        .all<{ readonly position: number; readonly device: string; readonly deviceId: string }>(
          'SELECT position, name AS device, device_id AS deviceId FROM job_devices WHERE job_id = ?',
          jobId,
        )
        .map(({ position, ...device }) => [position, device]),
    );
    return found.flatMap((item) => resultsOf(item, devices.get(item.position ?? NO_DEVICE)));
  }
}

/** `sealed`: its template is kept until it is wiped. */
export function newPrint(
  { employeeNo, fingerData, ...detail }: Print,
  { line, sealed = false }: { readonly line?: number; readonly sealed?: boolean } = {},
): NewItem<PrintItems> {
  return {
    key: employeeNo,
    part: JSON.stringify([detail.fingerPrintID, ...(detail.readers ?? [])]),
    detail,
    ...defined({ line }),
    ...(sealed ? { secret: fingerData } : {}),
  };
}

function resultsOf(
  {
    seq = 0,
    position,
    at = '',
    key,
    detail,
    line: ownLine,
    error,
    resultDetail = [],
  }: StoredItem<PrintItems>,
  device: { readonly device: string; readonly deviceId: string } | undefined,
): readonly StoredResult[] {
  const finger = detail?.fingerPrintID;
  const common = {
    id: seq,
    at,
    ...defined({ error, line: error?.line ?? ownLine, employeeNo: key || undefined }),
  };
  if (position === NO_DEVICE)
    return [
      {
        ...common,
        ...defined({ fingerPrintID: finger }),
        status: 'bad-line',
        says: detailOf('print-bad-line'),
      },
    ];
  return resultDetail.map(({ reader, ...result }) => ({
    ...common,
    ...device,
    ...defined({ fingerPrintID: result.finger ?? (finger || undefined) }),
    ...(reader === 0 ? {} : { reader }),
    ...result,
    says: wordsOf(result),
  }));
}
