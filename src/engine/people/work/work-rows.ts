/** Rows of work on people as items of a job: employee numbers are readable, what is wanted of a person is sealed. */
import { defined } from '../../../shared/defined.ts';
import { say } from '../../../shared/details.ts';
import { userError } from '../../../shared/errors.ts';
import type { ItemsOptions } from '../../jobs/items/item-lists.ts';
import type { ItemKind, StoredItem } from '../../jobs/items/types.ts';
import { WorkItems } from '../../jobs/items/work-items.ts';
import type { DueRow, NewRow, Outcome, PeopleItems, PersonRow, WorkHead } from './rows.ts';

const PEOPLE: ItemKind = {
  name: 'people',
  means: {
    idle: ['unchanged', 'absent'],
    good: ['done', 'accepted'],
    bad: ['refused', 'ignored', 'lost'],
  },
  begun: 'sending',
  // Until somebody has fetched the file of failed rows.
  kept: { days: 30, since: 'list-created', untilDone: false },
};
const TO_SEND = ['added', 'changed', 'removed'] as const;

export class WorkRows extends WorkItems<PeopleItems> {
  constructor(options: ItemsOptions) {
    super(PEOPLE, options);
  }

  /** @throws `not-found` */
  head(id: string): WorkHead {
    const head = this.readHead(id);
    if (head === undefined) throw userError('not-found', say('people-no-plan', { id }));
    return head;
  }

  /** Changes members of the head and returns it. @throws `not-found` */
  update(id: string, change: Partial<WorkHead>): WorkHead {
    const head = { ...this.head(id), ...change };
    this.writeHead(id, head);
    return head;
  }

  addRows(id: string, rows: readonly NewRow[]): void {
    this.add(
      id,
      rows.map(({ line, employeeNo, error, mayHavePrints: _counted, ...secret }) => ({
        line,
        key: employeeNo,
        secret,
        ...defined({ error }),
      })),
    );
  }

  /** Returns rows with one of these outcomes (`null`: none yet), of what is to be sent. */
  due(
    id: string,
    device: number,
    {
      after,
      limit,
      outcomes,
    }: { readonly after: number; readonly limit: number; readonly outcomes: readonly (Outcome | null)[] },
  ): readonly DueRow[] {
    const now = outcomes.flatMap((outcome) => (outcome === null ? TO_SEND : [outcome]));
    return this.next(id, device, { after, limit, now }).map((row) => ({
      nth: row.nth,
      employeeNo: row.key,
      plan: row.plan ?? 'added',
      outcome: row.outcome,
      attempts: row.attempts,
      document: row.secret() ?? {},
      ...defined({ state: row.resultSecret()?.state }),
    }));
  }

  /** Returns whether the person is on the device, even if it did not keep every field. */
  isThere(id: string, device: number, employeeNo: string): boolean {
    return this.find(id, device, employeeNo).some(isThere);
  }

  /** Yields numbers of people who may have fingerprints and are, or may yet come, on a device. */
  *withPrints(id: string): Generator<string> {
    const devices = this.head(id).deviceIds.length;
    for (const rows of byPerson(this.items(id))) {
      const [row] = rows;
      const isBad = row?.position === undefined && row?.error !== undefined;
      const lost = rows.filter((each) => isRefused(each) && !isThere(each)).length;
      if (row !== undefined && !isBad && lost < devices && row.secret()?.prints !== 0) yield row.key;
    }
  }
}

function isThere({ plan, outcome, error }: PersonRow): boolean {
  return (
    plan === 'unchanged' ||
    outcome === 'done' ||
    outcome === 'accepted' ||
    (outcome === 'ignored' && error?.detail?.id === 'people-not-kept')
  );
}

function isRefused({ plan, outcome }: PersonRow): boolean {
  return plan === 'refused' || outcome === 'refused' || outcome === 'ignored';
}

/** The rows of a person on all devices together. */
function* byPerson(rows: Iterable<PersonRow>): Generator<readonly StoredItem<PeopleItems>[]> {
  let same: PersonRow[] = [];
  for (const row of rows) {
    if (same[0] !== undefined && same[0].nth !== row.nth) {
      yield same;
      same = [];
    }
    same.push(row);
  }
  if (same.length > 0) yield same;
}
