/** Numbers of people as a person gives them: typed, pasted from a table, or chosen from what a terminal shows. */
import { formatDetail, splitSentences, type Detail } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import { describeRemovedMarks, readPersonNumber, type ReadNumber } from './file/marks.ts';
import { openView, type Reach } from './view.ts';

export interface NamedPeople {
  readonly employeeNos: readonly string[];
  /** Says which marks were taken off. */
  readonly notes: readonly Detail[];
}

/**
 * Returns the numbers, each once, without the marks that other programs put around them. A number that one of the devices
 * has exactly as it was given stays: that is a person's number, and their neighbour without marks is another person.
 * @throws `not-allowed` for what no person has as a number, unless a device has it
 */
export async function resolveNumbers(
  given: readonly string[],
  reaches: readonly Reach[],
): Promise<NamedPeople> {
  const read = new Map<string, ReadNumber>(given.map((text) => [text, readPersonNumber(text)]));
  const odd = [...read].flatMap(([text, number]) => ('complaint' in number || number.marked ? [text] : []));
  const known = new Set<string>();
  // A device that cannot be asked says nothing about who is on it; the plan tells why.
  if (odd.length > 0)
    for (const reach of reaches)
      for (const text of await numbersOn(reach, odd).catch(() => [])) known.add(text);
  const taken = odd.filter((text) => !known.has(text));
  const numbers = [...read].map(([text, number]) => {
    if (known.has(text)) return text;
    if ('complaint' in number)
      throw userError(
        'not-allowed',
        { ...splitSentences(formatDetail(number.complaint)), detail: number.complaint },
        { path: 'employeeNo' },
      );
    return number.value;
  });
  const [first] = taken;
  return {
    employeeNos: [...new Set(numbers)],
    notes: first === undefined ? [] : [describeRemovedMarks(taken.length, first, cleanOf(read.get(first)))],
  };
}

async function numbersOn(reach: Reach, numbers: readonly string[]): Promise<Iterable<string>> {
  const view = await openView(reach);
  return (await view.find(numbers)).keys();
}

function cleanOf(number: ReadNumber | undefined): string {
  return number !== undefined && 'value' in number ? number.value : '';
}
