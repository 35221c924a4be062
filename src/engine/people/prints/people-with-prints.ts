/** The people of a device that have fingerprints. */
import { readPeople, type PeopleEnd, type ReadRequest } from '../read-people.ts';
import { SeenNumbers } from '../seen-numbers.ts';

/** Employee numbers; `onEnd` hears what was odd about the reading. Throws as `readPeople`. */
export async function* peopleWithPrints(
  request: ReadRequest,
  onEnd: (end: PeopleEnd) => void = () => undefined,
): AsyncGenerator<string> {
  const pages = readPeople(request);
  const seen = new SeenNumbers();
  for (;;) {
    const { done, value } = await pages.next();
    if (done === true) {
      onEnd(value);
      return;
    }
    for (const { employeeNo, value: person } of value.people)
      // Absent means not supported: then it is asked for.
      if (employeeNo !== '' && person['numOfFP'] !== 0 && seen.add(employeeNo)) yield employeeNo;
  }
}
