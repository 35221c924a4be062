/** The people on a device, in the order they came (part 2, 2.6). */
import type { DeviceState, Part, PartKey } from '../state/device-state.ts';
import { generatedPerson, generatedRecord } from './person.ts';

export interface Person {
  readonly employeeNo: string;
  name: string;
  /** As written; undefined while it is as delivered. */
  record: Readonly<Record<string, unknown>> | undefined;
  /** Number of a delivered person. */
  readonly generated: number | undefined;
  removed: boolean;
}

/** The people one search found, at the moment it began. */
export interface Found {
  readonly people: readonly Person[];
  readonly total: number;
}

export interface Filter {
  readonly only?: ReadonlySet<string>;
  readonly text?: string;
}

const CAPACITY = 250_000;
/** Searches remembered by their id. */
const SEARCHES = 8;

export class People implements Part {
  readonly #device: DeviceState;
  #people: Person[];
  #removed = 0;
  /** Several only where the check for duplicates was turned off. */
  readonly #byNumber: Map<string, Person[]>;
  readonly #searches = new Map<string, Found>();

  constructor(device: DeviceState) {
    this.#device = device;
    this.#people = Array.from({ length: device.users }, (_, index) => ({
      ...generatedPerson(device, index),
      record: undefined,
      generated: index,
      removed: false,
    }));
    this.#byNumber = new Map(this.#people.map((person) => [person.employeeNo, [person]]));
  }

  get count(): number {
    return this.#people.length - this.#removed;
  }

  get full(): boolean {
    return this.count >= CAPACITY;
  }

  has(employeeNo: string): boolean {
    return this.#byNumber.has(employeeNo);
  }

  /** Adds a person or replaces the one with this number; unchecked it is added in any case, as the device was told to. */
  put(employeeNo: string, record: Readonly<Record<string, unknown>>, checked: boolean): void {
    const same = this.#byNumber.get(employeeNo);
    const known = checked ? same?.[0] : undefined;
    const name = typeof record['name'] === 'string' ? record['name'] : '';
    if (known) {
      known.record = record;
      known.name = name;
      return;
    }
    const person: Person = { employeeNo, name, record, generated: undefined, removed: false };
    this.#people.push(person);
    if (same) same.push(person);
    else this.#byNumber.set(employeeNo, [person]);
  }

  /** Removes everybody with this number. */
  remove(employeeNo: string): void {
    for (const person of this.#byNumber.get(employeeNo) ?? []) {
      person.removed = true;
      this.#removed += 1;
    }
    this.#byNumber.delete(employeeNo);
  }

  /**
   * Position 0 begins a search; later positions go on with the list that this id began with, so that
   * people who come and go meanwhile neither shift nor repeat a page.
   */
  search(searchId: string, position: number, filter: Filter): Found {
    const known = position > 0 ? this.#searches.get(searchId) : undefined;
    if (known) return known;
    const found = this.#find(filter);
    this.#searches.delete(searchId);
    this.#searches.set(searchId, found);
    if (this.#searches.size > SEARCHES) {
      const oldest = this.#searches.keys().next().value;
      if (oldest !== undefined) this.#searches.delete(oldest);
    }
    return found;
  }

  recordOf(person: Person): Readonly<Record<string, unknown>> {
    return (
      person.record ??
      (person.generated === undefined
        ? { employeeNo: person.employeeNo }
        : generatedRecord(this.#device, person.generated))
    );
  }

  snapshot(): unknown {
    return { count: this.count };
  }

  #find(filter: Filter): Found {
    if (this.#removed > 0) {
      this.#people = this.#people.filter((person) => !person.removed);
      this.#removed = 0;
    }
    const { only, text } = filter;
    if (only === undefined && text === undefined) return { people: this.#people, total: this.#people.length };
    const wanted = text?.toLocaleLowerCase();
    const people = this.#people.filter(
      (person) =>
        (only === undefined || only.has(person.employeeNo)) &&
        (wanted === undefined ||
          person.employeeNo.includes(wanted) ||
          person.name.toLocaleLowerCase().includes(wanted)),
    );
    return { people, total: people.length };
  }
}

export const PEOPLE: PartKey<People> = { name: 'people', create: (device) => new People(device) };
