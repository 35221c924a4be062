/** Plans a removal of people for one device: finds people to remove and fingerprints that others left there. */
import { createDetail, type Detail } from '#shared/details.ts';
import { runInPool } from '../async/pool.ts';
import { stateOf } from './compare.ts';
import type { FingerprintsOfPeople } from './fingerprints-of-people.ts';
import type { Person } from './person.ts';
import type { PersonRow, Settled } from './work/rows.ts';

type Row = Pick<PersonRow, 'nth' | 'key'>;

/** Concurrent requests to a device while planning. */
const LOOKS_AT_ONCE = 4;

export class RemovalPlan {
  readonly #prints: FingerprintsOfPeople;
  readonly #signal: AbortSignal;
  #counted = 0;
  #uncounted = 0;

  constructor(prints: FingerprintsOfPeople, signal: AbortSignal) {
    this.#prints = prints;
    this.#signal = signal;
  }

  /** Plans a batch of rows. Asks the device for fingerprints of people who are not on it: they may have stayed behind. */
  async plan(batch: readonly Row[], shown: ReadonlyMap<string, Person>): Promise<readonly Settled[]> {
    const planned: Settled[] = [];
    const absent = batch.filter(({ nth, key: employeeNo }) => {
      const person = shown.get(employeeNo);
      if (person === undefined) return true;
      const prints = person.value['numOfFP'];
      if (typeof prints === 'number') this.#counted += prints;
      else this.#uncounted += 1;
      planned.push({ nth, plan: 'removed', secret: { state: stateOf(person) } });
      return false;
    });
    const look = async ({ nth, key: employeeNo }: Row): Promise<void> => {
      const prints = await this.#prints.look(employeeNo);
      if (prints.state === 'still-there') {
        this.#uncounted += 1;
        planned.push({ nth, plan: 'removed' });
      } else planned.push({ nth, plan: 'absent', result: { prints } });
    };
    const options = { concurrency: LOOKS_AT_ONCE, signal: this.#signal };
    for await (const _done of runInPool(absent, look, options));
    this.#signal.throwIfAborted();
    return planned;
  }

  /** Returns the notes that fingerprints are removed too. */
  notes(): readonly Detail[] {
    return [
      ...(this.#counted > 0 ? [createDetail('people-prints-go', { count: this.#counted })] : []),
      ...(this.#uncounted > 0
        ? [createDetail('people-prints-go-uncounted', { count: this.#uncounted })]
        : []),
    ];
  }
}
