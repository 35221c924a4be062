/** Finds people who may have fingerprints on a device, with the number that it reports for each. */
import { answerKind } from '#shared/error-meaning.ts';
import { toErrorShape } from '#shared/errors.ts';
import type { Person } from '../people/person.ts';
import { readPeople, type PeopleEnd, type ReadRequest } from '../people/read-people.ts';
import { SeenNumbers } from '../people/seen-numbers.ts';
import { AT_ONCE, openView, type Reach } from '../people/view.ts';

/** A person, with `numOfFP` if the device reports it (part 2, 2.6). */
export interface CountedPerson {
  readonly employeeNo: string;
  readonly count?: number | undefined;
}

/** Yields people on the device who may have fingerprints; `onEnd` receives its result. Throws like `readPeople`. */
export async function* readPeopleWithFingerprints(
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

/** Yields the given people with their counts; without counts if the device refuses to list people. */
export async function* addFingerprintCounts(
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

/** Returns the number of fingerprints that the device reports for a person. Throws if it cannot be asked. */
export async function readCount(reach: Reach, employeeNo: string): Promise<number | undefined> {
  return unlessRefused(async () => {
    // A device that ignores the filter may list the person on a later page: then the count is unknown.
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
