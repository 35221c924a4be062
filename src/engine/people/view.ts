/**
 * What a device shows of certain people. A device looks them up by `EmployeeNoList`, an optional member of the
 * search (part 2, 2.6): one that does not heed it is found out first, and read as a whole instead.
 */
import { constraintsOf, isPlain, statusError, type Constraints } from '../../protocol/index.ts';
import { decode } from '../../protocol/codec/document.ts';
import { userInfoSetUp } from '../../protocol/definitions/access-control-users.ts';
import { say } from '../../shared/details.ts';
import { answerKind } from '../../shared/error-meaning.ts';
import { appError, toErrorShape } from '../../shared/errors.ts';
import { readPatiently } from '../device/transport/patient-read.ts';
import { COUNT } from './operations.ts';
import type { Person } from './person.ts';
import { readPeople, type PeopleEnd, type PeoplePage, type ReadRequest } from './read-people.ts';

export type Reach = Pick<ReadRequest, 'client' | 'clock' | 'signal' | 'device'>;

export interface View {
  /** Those of the numbers that are there; somebody who is there twice as the first of them. */
  find(numbers: readonly string[]): Promise<ReadonlyMap<string, Person>>;
}

/** Numbers in one question: as many as a device of the specification answers at once. */
export const AT_ONCE = 30;

/** How many people a device says it has; undefined where it does not say. Throws what stands between us and it. */
export async function countPeople({ client, clock, signal, device }: Reach): Promise<number | undefined> {
  const answer = await readPatiently(COUNT, {}, { client, clock, signal });
  if (answer.status.kind !== 'ok' && answer.status.kind !== 'none') {
    const error = statusError(answer.status, { operation: COUNT.id, device, exchange: answer.exchange() });
    if (answerKind(error) === 'lacks') return undefined;
    throw error;
  }
  const found = isPlain(answer.value) ? answer.value['userNumber'] : undefined;
  return typeof found === 'number' && Number.isInteger(found) && found >= 0 ? found : undefined;
}

export interface PeopleLimits {
  readonly constraints?: Constraints;
  readonly capacity?: number;
}

/**
 * What a device tells of its limits. The specification speaks of a capability of people (part 2, 2.6) and does not show
 * its address; devices have it where capabilities stand. One that refuses the question tells none.
 */
export async function readLimits({ client, signal }: Reach): Promise<PeopleLimits> {
  try {
    const answer = await client.raw(
      { method: 'GET', path: '/API/AccessControl/UserInfo/capabilities?format=json' },
      { signal },
    );
    if (answer.http >= 300 || (answer.status.kind !== 'ok' && answer.status.kind !== 'none')) return {};
    const constraints = constraintsOf(userInfoSetUp, decode(userInfoSetUp, answer.text).document);
    const most = constraints.get('maxRecordNum');
    const capacity = most?.max ?? (most?.text === undefined ? undefined : Number(most.text));
    return {
      constraints,
      ...(capacity !== undefined && Number.isInteger(capacity) && capacity > 0 ? { capacity } : {}),
    };
  } catch (thrown) {
    const kind = answerKind(toErrorShape(thrown));
    if (kind === 'unreadable' || kind === 'lacks') return {};
    throw thrown;
  }
}

/** `sample`: members that people on the device show, where there is anybody. */
export async function openView(
  reach: Reach,
): Promise<View & { readonly sample: ReadonlySet<string> | undefined }> {
  const first = await firstOf(reach);
  const sample =
    first.length === 0
      ? undefined
      : new Set(first.flatMap(({ value, other }) => [...Object.keys(value), ...Object.keys(other)]));
  const known = first.find(({ employeeNo }) => employeeNo !== '');
  if (known !== undefined && !(await heeds(reach, known.employeeNo))) return { ...wholeView(reach), sample };
  return {
    sample,
    async find(numbers) {
      const found = new Map<string, Person>();
      for (let at = 0; at < numbers.length; at += AT_ONCE)
        await lookFor(numbers.slice(at, at + AT_ONCE), found, (only) =>
          readPeople({ ...reach, only, pageSize: AT_ONCE }),
        );
      return found;
    },
  };
}

/**
 * Adds those of the numbers that are there. A reading that was not whole proves nobody missing: then it is read once more.
 * Throws `changed-meanwhile` where that is no better.
 */
async function lookFor(
  numbers: readonly string[],
  found: Map<string, Person>,
  read: (numbers: readonly string[]) => AsyncGenerator<PeoplePage, PeopleEnd>,
): Promise<void> {
  for (let round = 0; ; round += 1) {
    const missing = new Set(numbers.filter((employeeNo) => !found.has(employeeNo)));
    const reading = read([...missing]);
    for (let isOver = false; !isOver;) {
      const { done, value } = await reading.next();
      if (done === true) {
        if (value.complete) return;
        isOver = true;
      } else {
        for (const person of value.people)
          if (missing.delete(person.employeeNo)) found.set(person.employeeNo, person);
        if (missing.size > 0) continue;
        await reading.return({ read: 0, complete: false, notes: [] });
        return;
      }
    }
    if (round > 0) throw appError('changed-meanwhile', say('people-incomplete-look'));
  }
}

async function firstOf(reach: Reach): Promise<readonly Person[]> {
  for await (const { people } of readPeople({ ...reach, pageSize: AT_ONCE })) return people;
  return [];
}

/** It gives the one who is there, and nobody else. */
async function heeds(reach: Reach, employeeNo: string): Promise<boolean> {
  for await (const { people } of readPeople({ ...reach, only: [employeeNo], pageSize: AT_ONCE }))
    return people.length > 0 && people.every((person) => person.employeeNo === employeeNo);
  return false;
}

/** Everybody is read for each question: slow, and right. */
function wholeView(reach: Reach): View {
  return {
    async find(numbers) {
      const found = new Map<string, Person>();
      await lookFor(numbers, found, () => readPeople(reach));
      return found;
    },
  };
}
