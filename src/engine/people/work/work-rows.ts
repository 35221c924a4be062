/** Rows of work on people, stored as items of a job: employee numbers readable, wanted values sealed. */
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import { groupConsecutive } from '#engine/store/index.ts';
import type { ItemsOptions } from '#engine/jobs/items/item-rows.ts';
import { WorkItems } from '#engine/jobs/items/work-items.ts';
import type { NewRow, PeopleItems, PersonRow, WorkHead } from './rows.ts';

export class WorkRows extends WorkItems<PeopleItems> {
  constructor(options: ItemsOptions) {
    super(
      {
        name: 'people',
        idle: ['unchanged', 'absent'],
        good: ['done', 'accepted'],
        bad: ['refused', 'ignored', 'lost'],
        begun: 'sending',
        // Days during which the file of failed rows can be downloaded.
        kept: { days: 30, from: 'list', orDone: false },
      },
      options,
    );
  }

  /** @throws `not-found` */
  head(id: string): WorkHead {
    const list = this.list(id);
    if (list === undefined) throw userError('not-found', say('people-no-plan', { id }));
    return list.head;
  }

  addRows(id: string, rows: readonly NewRow[]): void {
    this.add(
      id,
      rows.map(({ line, employeeNo: key, error, mayHavePrints: _counted, ...secret }) => ({
        ...{ line, key, secret },
        error,
      })),
    );
  }

  /** Returns true if the person is on the device, even if it did not keep every field. */
  isThere(id: string, device: number, employeeNo: string): boolean {
    return this.find(id, device, employeeNo).some(isThere);
  }

  /** Yields people who may have fingerprints and are, or may yet be, on a device; with the count that their source gave. */
  *withPrints(id: string): Generator<{ readonly employeeNo: string; readonly count?: number | undefined }> {
    const devices = this.head(id).deviceIds.length;
    for (const rows of groupConsecutive(this.items(id), ({ nth }) => nth)) {
      const [{ key, position, error, secret }] = rows;
      const lost = rows.filter((row) => isRefused(row) && !isThere(row)).length;
      const isBad = position === undefined && error !== undefined;
      if (isBad || lost >= devices) continue;
      const count = secret()?.prints;
      if (count !== 0) yield { employeeNo: key, count };
    }
  }
}

function isThere({ plan, outcome, error }: PersonRow): boolean {
  const isKept =
    outcome === 'done' || outcome === 'accepted' || error?.detail?.id.startsWith('people-not-kept') === true;
  return plan === 'unchanged' || isKept;
}

function isRefused({ plan, outcome }: PersonRow): boolean {
  return plan === 'refused' || outcome === 'refused' || outcome === 'ignored';
}
