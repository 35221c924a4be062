/**
 * Reads certain people of a device. A device looks them up by `EmployeeNoList`, an optional member of the
 * search (part 2, 2.6): one that does not heed it is found out first, and read as a whole instead.
 */
import { collectConstraints, isPlain, createStatusError, type Constraints } from '#protocol/index.ts';
import { decode } from '#protocol/codec/document.ts';
import { userInfoSetUp } from '#protocol/definitions/access-control-users.ts';
import { say } from '#shared/details.ts';
import { answerKind, mustStopDevice } from '#shared/error-meaning.ts';
import { appError, toErrorShape } from '#shared/errors.ts';
import { readPatiently } from '../device/transport/patient-read.ts';
import { COUNT } from './operations.ts';
import type { Person } from './person.ts';
import {
  readPeople,
  mayAcceptOtherForm,
  type PeopleEnd,
  type PeoplePage,
  type ReadRequest,
} from './read-people.ts';
import { SPECIFIED_SPAN, readSpan, type Span } from './validity.ts';

export type Reach = Pick<ReadRequest, 'client' | 'clock' | 'signal' | 'device'>;

export interface View {
  readonly span: Span;
  /** Finds the people with these numbers; of a person who is there twice, the first one. */
  find(numbers: readonly string[]): Promise<ReadonlyMap<string, Person>>;
}

/** Numbers in one question: as many as a device of the specification answers at once. */
export const AT_ONCE = 30;

/**
 * Returns how many people a device says it has; undefined if it does not say. Throws the error that prevents
 * reaching it.
 */
export async function countPeople({ client, clock, signal, device }: Reach): Promise<number | undefined> {
  const answer = await readPatiently(COUNT, {}, { client, clock, signal });
  if (answer.status.kind !== 'ok' && answer.status.kind !== 'none') {
    const error = createStatusError(answer.status, {
      operation: COUNT.id,
      device,
      exchange: answer.exchange(),
    });
    if (answerKind(error) === 'lacks') return undefined;
    throw error;
  }
  const found = isPlain(answer.value) ? answer.value['userNumber'] : undefined;
  return typeof found === 'number' && Number.isInteger(found) && found >= 0 ? found : undefined;
}

export interface PeopleLimits {
  readonly constraints?: Constraints;
  readonly capacity?: number;
  /** Span in which it takes a validity. */
  readonly span: Span;
  /** True if no answer came, so that its limits are not known. */
  readonly isSilent?: true;
}

/**
 * Reads the limits that a device reports. The specification speaks of a capability of people (part 2, 2.6)
 * and does not show its address; devices have it among the other capabilities. A device that gives no usable
 * answer, or none, has no limits here. @throws the error that prevents every request to the device
 */
export async function readLimits({ client, signal }: Reach): Promise<PeopleLimits> {
  const none = { span: SPECIFIED_SPAN };
  try {
    const answer = await client.raw(
      { method: 'GET', path: '/API/AccessControl/UserInfo/capabilities?format=json' },
      { signal },
    );
    if (answer.http >= 300 || (answer.status.kind !== 'ok' && answer.status.kind !== 'none')) return none;
    const constraints = collectConstraints(userInfoSetUp, decode(userInfoSetUp, answer.text).document);
    const most = constraints.get('maxRecordNum');
    const capacity = most?.max ?? (most?.text === undefined ? undefined : Number(most.text));
    return {
      constraints,
      span: readSpan(constraints),
      ...(capacity !== undefined && Number.isInteger(capacity) && capacity > 0 ? { capacity } : {}),
    };
  } catch (thrown) {
    const error = toErrorShape(thrown);
    if (signal.aborted || mustStopDevice(error)) throw thrown;
    return answerKind(error) === undefined ? { ...none, isSilent: true } : none;
  }
}

/**
 * Opens a view on the people of a device. `sample`: members that people on the device show, where there is anybody; `span`:
 * the span in which it takes a validity.
 */
export async function openView(
  reach: Reach,
  span: Span = SPECIFIED_SPAN,
): Promise<View & { readonly sample: ReadonlySet<string> | undefined }> {
  const first = await firstOf(reach);
  const sample =
    first.length === 0
      ? undefined
      : new Set(first.flatMap(({ value, other }) => [...Object.keys(value), ...Object.keys(other)]));
  const known = first.find(({ employeeNo }) => employeeNo !== '');
  const listed = new Listed(
    reach,
    known === undefined || (await heeds(reach, known.employeeNo)) ? AT_ONCE : 0,
  );
  return {
    sample,
    span,
    async find(numbers) {
      const found = await listed.find(numbers);
      return new Map([...found].map(([number, person]) => [number, { ...person, span }]));
    },
  };
}

/** Finds people by `EmployeeNoList`, with as many numbers in one question as the device takes. */
class Listed {
  readonly #reach: Reach;
  /** Numbers in one question; 0: the device does not heed them, and everybody is read for each question. */
  #size: number;

  constructor(reach: Reach, size: number) {
    this.#reach = reach;
    this.#size = size;
  }

  async find(numbers: readonly string[]): Promise<ReadonlyMap<string, Person>> {
    const found = new Map<string, Person>();
    for (let at = 0; at < numbers.length;) {
      if (this.#size === 0) {
        await lookFor(numbers.slice(at), found, () => readPeople(this.#reach));
        break;
      }
      const some = numbers.slice(at, at + this.#size);
      try {
        await lookFor(some, found, (only) => readPeople({ ...this.#reach, only, pageSize: AT_ONCE }));
        at += some.length;
      } catch (thrown) {
        if (!mayAcceptOtherForm(toErrorShape(thrown))) throw thrown;
        // Fewer numbers in one question, in the end the whole list.
        this.#size = Math.min(this.#size, some.length) >> 1;
      }
    }
    return found;
  }
}

/**
 * Adds the people with these numbers. An incomplete reading proves no one missing: then it is read once more.
 * @throws `changed-meanwhile` if that is no better
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

/** Returns true if the device gives the one who is there, and no other. A list that it refuses it does not heed. */
async function heeds(reach: Reach, employeeNo: string): Promise<boolean> {
  try {
    for await (const { people } of readPeople({ ...reach, only: [employeeNo], pageSize: AT_ONCE }))
      return people.length > 0 && people.every((person) => person.employeeNo === employeeNo);
  } catch (thrown) {
    if (!mayAcceptOtherForm(toErrorShape(thrown))) throw thrown;
  }
  return false;
}
