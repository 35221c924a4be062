/** People who may have fingerprints on a device, with the number that it tells of each. */
import { answerKind } from '../../../shared/error-meaning.ts';
import { toErrorShape } from '../../../shared/errors.ts';
import type { Person } from '../person.ts';
import { readPeople, type PeopleEnd, type ReadRequest } from '../read-people.ts';
import { SeenNumbers } from '../seen-numbers.ts';
import { AT_ONCE, openView, type Reach } from '../view.ts';

/** A person, and `numOfFP` where the device tells it (part 2, 2.6). */
export interface CountedPerson {
  readonly employeeNo: string;
  readonly count?: number | undefined;
}

/** Yields everybody on the device who may have fingerprints; `onEnd` hears what was odd about the reading. Throws as `readPeople`. */
export async function* peopleWithPrints(
  request: ReadRequest,
  onEnd: (end: PeopleEnd) => void = () => undefined,
): AsyncGenerator<CountedPerson> {
  const pages = readPeople(request);
  const seen = new SeenNumbers();
  for (;;) {
    const { done, value } = await pages.next();
    if (done === true) {
      onEnd(value);
      return;
    }
    for (const person of value.people) {
      const { employeeNo } = person;
      const count = countOf(person);
      // Absent means not supported: then it is asked for.
      if (employeeNo !== '' && count !== 0 && seen.add(employeeNo)) yield { employeeNo, count };
    }
  }
}

/** Yields these people, each with what the device tells of it; a device that does not tell of people tells no numbers. */
export async function* withCounts(
  reach: Reach,
  employeeNos: readonly string[],
): AsyncGenerator<CountedPerson> {
  const view = await unlessRefused(() => openView(reach));
  for (let at = 0; at < employeeNos.length; at += AT_ONCE) {
    const some = employeeNos.slice(at, at + AT_ONCE);
    const shown = await unlessRefused(() => view?.find(some));
    for (const employeeNo of some) yield { employeeNo, count: countOf(shown?.get(employeeNo)) };
  }
}

/** Returns the number of fingerprints that the device tells of one person. Throws where it cannot be asked. */
export async function readCount(reach: Reach, employeeNo: string): Promise<number | undefined> {
  return unlessRefused(async () => {
    // A device that does not heed the number may have the person anywhere: then nobody knows.
    for await (const { people } of readPeople({ ...reach, only: [employeeNo], pageSize: AT_ONCE }))
      return countOf(people.find((person) => person.employeeNo === employeeNo));
    return undefined;
  });
}

function countOf(person: Person | undefined): number | undefined {
  const count = person?.value['numOfFP'];
  return typeof count === 'number' ? count : undefined;
}

async function unlessRefused<Found>(ask: () => Promise<Found> | undefined): Promise<Found | undefined> {
  try {
    return await ask();
  } catch (thrown) {
    if (answerKind(toErrorShape(thrown)) === undefined) throw thrown;
    return undefined;
  }
}
