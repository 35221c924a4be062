/**
 * Reads people of a device, page by page (part 2, 2.6 and 3): one `searchID`, the position advances by what
 * came. What a device repeats, loses or changes meanwhile is reported with the end, never swallowed; nothing
 * it says keeps the reading going for ever.
 */
import { answerKind, isWorthWaiting } from '#shared/error-meaning.ts';
import { randomUUID } from 'node:crypto';
import { encode, isPlain, createStatusError, type Decoded } from '#protocol/index.ts';
import { userInfoSearchCond } from '#protocol/definitions/access-control-users.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { createDetail, say, type Detail } from '#shared/details.ts';
import { toErrorShape, deviceError, type ErrorShape } from '#shared/errors.ts';
import type { Clock } from '../api/host.ts';
import type { DeviceClient } from '../device/client-types.ts';
import { PATIENCE_MS } from '../device/transport/patient-read.ts';
import { decodePayload } from '../device/payload.ts';
import { turnFor } from '../device/turns.ts';
import { SEARCH } from './operations.ts';
import { parsePeople, type Person } from './person.ts';
import { SeenNumbers } from './seen-numbers.ts';

export interface PeoplePage {
  readonly people: readonly Person[];
  /** People read so far, these included. */
  readonly read: number;
  /** How many the device says there are. */
  readonly total: number | undefined;
}

export interface PeopleEnd {
  readonly read: number;
  readonly total?: number;
  /** The device gave everybody that it says it has, each once. */
  readonly complete: boolean;
  readonly notes: readonly Detail[];
}

export interface ReadRequest {
  readonly client: DeviceClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Address, for errors. */
  readonly device: string;
  /** Employee numbers to search for, if not all. */
  readonly only?: readonly string[];
  /** Text that the device itself searches for. */
  readonly text?: string;
  /** Asked for in one answer; devices give fewer without a word. */
  readonly pageSize?: number;
}

/** Largest page: an answer of 1 MiB holds so many people with everything filled in. */
const PAGE = 100;
/** Page sizes for a device that takes no larger wish: what the specification's devices give, and less. */
const SMALLER = [30, 10, 1];
/** More are not read: no terminal holds half as many. */
const MOST_PEOPLE = 200_000;
/** Characters of all people, as the device writes them: four times of what the largest terminal has. */
const MOST_CHARACTERS = 128 * 1024 * 1024;
/** Characters of a person, on average: several times of what one has with everything filled in. */
const EACH = 4 * 1024;
/** People beyond those that the device says it has, before it is taken to repeat itself. */
const SLACK = 1000;
/** People of a device that does not say how many it has, for what they may weigh: 40 MB. */
const UNTOLD = 10_000;

interface Answered {
  readonly people: readonly Person[];
  readonly status: string | undefined;
  readonly matches: number | undefined;
  readonly total: number | undefined;
}

/**
 * Returns true if a device may take the same question in another form, such as without a list of people. Devices refuse
 * what they do not take with any status, and some with an answer that cannot be read.
 */
export function mayAcceptOtherForm(error: ErrorShape): boolean {
  const kind = answerKind(error);
  return kind !== undefined && kind !== 'busy';
}

/**
 * Yields every page; returns the summary. Throws the error that prevents reaching the device, and its
 * refusals.
 */
export async function* readPeople(request: ReadRequest): AsyncGenerator<PeoplePage, PeopleEnd> {
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, stop.signal]);
  const search = new Search({ ...request, signal });
  const account = new Account(request.device);
  try {
    let next = search.ask(0);
    for (;;) {
      let answer = await next;
      let verdict = account.judge(answer);
      if (verdict === 'repeated') {
        // Once more: an answer that was late or mixed up is right the second time.
        answer = await search.ask(account.position);
        verdict = account.judge(answer, true);
      }
      if (verdict !== 'more') {
        if (answer.people.length > 0 && verdict !== 'repeated')
          yield { people: answer.people, read: account.read, total: account.total };
        return account.end();
      }
      // The next page is on its way while this one is dealt with.
      next = search.ask(account.position);
      next.catch(() => undefined);
      yield { people: answer.people, read: account.read, total: account.total };
    }
  } finally {
    stop.abort();
  }
}

/** How the pages add up. */
class Account {
  position = 0;
  read = 0;
  total: number | undefined;
  readonly #device: string;
  readonly #seen = new SeenNumbers();
  readonly #notes = new Map<string, Detail>();
  #firstTotal: number | undefined;
  #twice = 0;
  #nameless = 0;
  #cut = false;
  #characters = 0;

  constructor(device: string) {
    this.#device = device;
  }

  /** Judges an answer. `again`: the same position was asked for a second time. */
  judge(answer: Answered, again = false): 'more' | 'end' | 'repeated' {
    const { people, status, total } = answer;
    const numbered = people.filter(({ employeeNo }) => employeeNo !== '');
    const known = numbered.filter(({ employeeNo }) => this.#seen.has(employeeNo)).length;
    const isKnown = people.length > 0 && numbered.length === people.length && known === people.length;
    if (isKnown && !again) return 'repeated';
    if (isKnown && again && status !== 'OK' && status !== 'NO MATCH') {
      this.#note('people-page-repeated', createDetail('people-page-repeated', { position: this.position }));
      this.#cut = true;
      return 'repeated';
    }
    if (again)
      this.#note('people-asked-again', createDetail('people-asked-again', { position: this.position }));
    for (const { employeeNo } of numbered) if (!this.#seen.add(employeeNo)) this.#twice += 1;
    this.#nameless += people.length - numbered.length;
    this.#noteTotals(answer);
    this.#weigh(people);
    this.position += people.length;
    this.read += people.length;
    return this.#isOver(people.length, status, total) ? 'end' : 'more';
  }

  end(): PeopleEnd {
    const { read, total } = this;
    if (this.#twice > 0) this.#note('people-twice', createDetail('people-twice', { count: this.#twice }));
    if (this.#nameless > 0)
      this.#note('people-nameless', createDetail('people-nameless', { count: this.#nameless }));
    if (total !== undefined && total !== read)
      this.#note('people-other-number', createDetail('people-other-number', { read, total }));
    return {
      read,
      total,
      complete: !this.#cut && this.#twice === 0 && (total ?? read) === read && this.#firstTotal === total,
      notes: [...this.#notes.values()],
    };
  }

  #isOver(came: number, status: string | undefined, total: number | undefined): boolean {
    if (came === 0) {
      if (status === 'MORE') {
        this.#note('people-no-progress', createDetail('people-no-progress', { position: this.position }));
        this.#cut = true;
      }
      return true;
    }
    if (
      this.read >= MOST_PEOPLE ||
      (total !== undefined && this.read > (this.#firstTotal ?? total) * 2 + SLACK)
    )
      throw this.#tooLarge(say('people-without-end', { read: this.read }));
    if (status === 'MORE') return false;
    if (status === 'OK' || status === 'NO MATCH') return true;
    // The device does not say whether there are more: its own count decides, and without one an empty answer.
    return total !== undefined && this.position >= total;
  }

  /** Counts what people weigh, and throws `answer-too-large` where that is more than the device says to have. */
  #weigh(people: readonly Person[]): void {
    for (const { text } of people) this.#characters += text.length;
    const most = Math.min(MOST_CHARACTERS, ((this.#firstTotal ?? UNTOLD) + SLACK) * EACH);
    if (this.#characters <= most) return;
    throw this.#tooLarge(say('people-too-much', { max: Math.ceil(most / 1024 / 1024) }));
  }

  #tooLarge(words: ReturnType<typeof say>): Error {
    return deviceError('answer-too-large', words, { operation: SEARCH.id, device: this.#device });
  }

  #noteTotals({ people, matches, total }: Answered): void {
    if (matches !== undefined && matches !== people.length)
      this.#note(
        'people-page-count',
        createDetail('people-page-count', { said: matches, came: people.length }),
      );
    if (total === undefined) return;
    this.#firstTotal ??= total;
    if (this.total !== undefined && total !== this.total)
      this.#note(
        'people-total-changed',
        createDetail('people-total-changed', { from: this.#firstTotal, to: total }),
      );
    this.total = total;
  }

  #note(id: string, detail: Detail): void {
    this.#notes.set(id, detail);
  }
}

class Search {
  readonly #request: ReadRequest;
  readonly #id = randomUUID().replaceAll('-', '').slice(0, 32);
  #size: number;

  constructor(request: ReadRequest) {
    this.#request = request;
    this.#size = request.pageSize ?? PAGE;
  }

  /** Asks for the page from a position on, again if that may help. */
  async ask(position: number): Promise<Answered> {
    const { clock, signal } = this.#request;
    for (let round = 0; ;) {
      try {
        const answer = await this.#page(position);
        if (!this.#mayHideEverybody(position, answer)) return answer;
        this.#size = SMALLER[0] ?? 1;
      } catch (thrown) {
        const error = toErrorShape(thrown);
        if (signal.aborted) throw thrown;
        const delay = isWorthWaiting(error) ? PATIENCE_MS[round] : undefined;
        if (delay === undefined) {
          if (!this.#shrinks(error)) throw thrown;
        } else {
          round += 1;
          await clock.delay(delay, signal);
        }
      }
    }
  }

  /** Returns true if the first page of a large wish has no people: a device may refuse its size like that. */
  #mayHideEverybody(position: number, { people }: Answered): boolean {
    const { only, text } = this.#request;
    const isWhole = only === undefined && text === undefined && position === 0;
    return isWhole && people.length === 0 && this.#size > (SMALLER[0] ?? 1);
  }

  /**
   * Asks for fewer after an answer that was too large, or where the device refuses the wish instead of reducing it: with
   * any status or by ending the connection, and on any page, because some refuse to look beyond the last person.
   */
  #shrinks(error: ErrorShape): boolean {
    const isAnswered = answerKind(error) !== undefined || error.code === 'connection-lost';
    if (this.#size === 1 || !isAnswered) return false;
    if (error.code === 'answer-too-large') this.#size = Math.ceil(this.#size / 2);
    else this.#size = SMALLER.find((size) => size < this.#size) ?? 1;
    return true;
  }

  async #page(position: number): Promise<Answered> {
    const { client, signal, device, only, text } = this.#request;
    const body = encode(userInfoSearchCond, {
      searchID: this.#id,
      searchResultPosition: position,
      maxResults: this.#size,
      ...(only === undefined ? {} : { EmployeeNoList: only.map((employeeNo) => ({ employeeNo })) }),
      ...removeUndefined({ fuzzySearch: text }),
    });
    const answer = await client.write(SEARCH, {}, body, { signal });
    const { status } = answer;
    const place = { operation: SEARCH.id, device };
    if (status.kind !== 'ok' && status.kind !== 'none')
      throw createStatusError(status, { ...place, exchange: answer.exchange() });
    await turnFor(answer.text.length);
    const found = decodePayload(SEARCH, answer);
    if (found === undefined) throw deviceError('malformed-answer', say('device.no-document'), place);
    return answered(found);
  }
}

function answered(found: Decoded): Answered {
  const value = isPlain(found.value) ? found.value : {};
  const whole = (name: string): number | undefined => {
    const held = value[name];
    return typeof held === 'number' && Number.isInteger(held) && held >= 0 ? held : undefined;
  };
  const status = value['responseStatusStrg'];
  return {
    people: parsePeople(found),
    status: typeof status === 'string' ? status.trim().toUpperCase() : undefined,
    matches: whole('numOfMatches'),
    total: whole('totalMatches'),
  };
}
