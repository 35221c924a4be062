/** The people on a device, in the order they came (part 2, 2.6). */
import type { DeviceState, Part, PartKey } from '#simulator/state/device-state.ts';
import { findDeliveredIndex, generatePerson, generateRecord } from './person.ts';

type Content = Readonly<Record<string, unknown>>;

interface Added {
  readonly employeeNo: string;
  record: Content;
  removed: boolean;
}

/** Number of a delivered person, or one who came later. */
type Place = number | Added;

interface OnDevice {
  readonly record: Content;
  /** Came with the device, with a face and a card that this interface cannot bring. */
  readonly delivered: boolean;
}

/** The people one search found, at the moment it began. */
export interface Found {
  readonly total: number;
  /** Returns at most so many people from a position on. */
  page(from: number, most: number): readonly OnDevice[];
}

export interface Filter {
  readonly only?: ReadonlySet<string>;
  readonly text?: string;
}

/** Limits of a device of this make. */
export interface PeopleLimits {
  readonly capacity: number;
  /** The most people in one answer; a larger wish is reduced without a word. */
  readonly page: number;
  /** Members that it takes and does not keep. */
  readonly forgets: ReadonlySet<string>;
  /** It looks for `EmployeeNoList`, an optional member of the search. */
  readonly heedsNumbers: boolean;
  /** The most people that it lets a search ask for; a larger wish is refused instead of reduced. */
  readonly mostAsked?: number;
  /** The most numbers that it takes in `EmployeeNoList`; 0: none. */
  readonly mostNumbers?: number;
  /** Members of its capability of people; it has none without. */
  readonly capability?: object;
  /** Narrower span of a validity than the specification's, which its capability tells. */
  readonly span?: { readonly begin: string; readonly end: string };
}

const STANDARD: PeopleLimits = { capacity: 250_000, page: 30, forgets: new Set(), heedsNumbers: true };
const COMPACT: PeopleLimits = {
  capacity: 3_000,
  page: 10,
  forgets: new Set(['PersonInfoExtends', 'callNumbers', 'floorNumbers', 'dynamicCode', 'groupName']),
  heedsNumbers: true,
};
/** Searches remembered by their id. */
const SEARCHES = 8;

/**
 * Delivered people are made from their number whenever they are looked at: only who was changed, removed or added
 * takes memory.
 */
export class People implements Part {
  readonly #device: DeviceState;
  readonly #delivered: number;
  readonly #changed = new Map<number, Content>();
  #gone: readonly number[] = [];
  readonly #goneSet = new Set<number>();
  #added: Added[] = [];
  #leftOfAdded = 0;
  /** Several only where the check for duplicates was turned off. */
  readonly #byNumber = new Map<string, Added[]>();
  readonly #searches = new Map<string, Found>();
  #limits: PeopleLimits;
  #pages: readonly [before: readonly unknown[], now: readonly unknown[]] = [[], []];

  constructor(device: DeviceState) {
    this.#device = device;
    this.#delivered = device.site.users;
    this.#limits = device.model === 'compact' ? COMPACT : STANDARD;
  }

  get limits(): PeopleLimits {
    return this.#limits;
  }

  /** The answer to the last search but one. */
  get pageBefore(): readonly unknown[] {
    return this.#pages[0];
  }

  /** Records the page of an answer. */
  given(page: readonly unknown[]): void {
    if (page.length > 0) this.#pages = [this.#pages[1], page];
    else this.#pages = [this.#pages[1], this.#pages[1]];
  }

  /** Changes limits for a test. */
  setLimits(limits: Partial<PeopleLimits>): void {
    this.#limits = { ...this.#limits, ...limits };
  }

  get count(): number {
    return this.#delivered - this.#goneSet.size + this.#added.length - this.#leftOfAdded;
  }

  get full(): boolean {
    return this.count >= this.#limits.capacity;
  }

  has(employeeNo: string): boolean {
    return this.#deliveredOf(employeeNo) !== undefined || this.#byNumber.has(employeeNo);
  }

  /** Returns the record of the first person with this number; undefined if there is none. */
  recordOf(employeeNo: string): Content | undefined {
    const [place] = this.#named(new Set([employeeNo]));
    return place === undefined ? undefined : this.#recordOf(place);
  }

  /** Records that hold every member the device shows of this person: their own, and one as this make delivers it. */
  shown(employeeNo: string): readonly Content[] {
    const own = this.#named(new Set([employeeNo])).map((place) => this.#recordOf(place));
    return [...own, generateRecord(this.#device, 0)];
  }

  /**
   * Adds a person or replaces the one with this number; unchecked it always adds, as the device was asked to.
   */
  put(employeeNo: string, whole: Content, checked: boolean): void {
    const { forgets } = this.#limits;
    const record =
      forgets.size === 0
        ? whole
        : Object.fromEntries(Object.entries(whole).filter(([name]) => !forgets.has(name)));
    const delivered = checked ? this.#deliveredOf(employeeNo) : undefined;
    if (delivered !== undefined) {
      this.#changed.set(delivered, record);
      return;
    }
    const same = this.#byNumber.get(employeeNo);
    const known = checked ? same?.[0] : undefined;
    if (known) {
      known.record = record;
      return;
    }
    const person: Added = { employeeNo, record, removed: false };
    this.#added.push(person);
    if (same) same.push(person);
    else this.#byNumber.set(employeeNo, [person]);
  }

  /** Removes all people with this number. */
  remove(employeeNo: string): void {
    const delivered = this.#deliveredOf(employeeNo);
    if (delivered !== undefined) {
      this.#goneSet.add(delivered);
      this.#changed.delete(delivered);
    }
    for (const person of this.#byNumber.get(employeeNo) ?? []) {
      person.removed = true;
      this.#leftOfAdded += 1;
    }
    this.#byNumber.delete(employeeNo);
  }

  /** Removes the first person and drops the running searches' snapshots: what follows moves up by one. */
  leaveMidway(): void {
    const [first] = this.#find({}).page(0, 1);
    if (first !== undefined) this.remove(String(first.record['employeeNo']));
    this.#searches.clear();
  }

  /**
   * Finds people. Position 0 begins a search; later positions continue with the list that this id began with,
   * so that added and removed people neither shift nor repeat a page.
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

  snapshot(): unknown {
    return { count: this.count };
  }

  #deliveredOf(employeeNo: string): number | undefined {
    const index = findDeliveredIndex(employeeNo);
    return index === undefined || index >= this.#delivered || this.#goneSet.has(index) ? undefined : index;
  }

  #seen(place: Place): OnDevice {
    return { record: this.#recordOf(place), delivered: typeof place === 'number' };
  }

  #recordOf(place: Place): Content {
    if (typeof place !== 'number') return place.record;
    return this.#changed.get(place) ?? generateRecord(this.#device, place);
  }

  #find({ only, text }: Filter): Found {
    if (only !== undefined && this.#limits.heedsNumbers) {
      const places = this.#named(only).filter((place) => text === undefined || this.#holds(place, text));
      return this.#listed(places);
    }
    const all = this.#all();
    if (text === undefined) return all;
    const places: Place[] = [];
    for (let at = 0; at < all.total; at += 1) {
      const place = all.place(at);
      if (this.#holds(place, text)) places.push(place);
    }
    return this.#listed(places);
  }

  #named(only: ReadonlySet<string>): Place[] {
    const delivered = [...only].flatMap((employeeNo) => this.#deliveredOf(employeeNo) ?? []);
    return [
      ...delivered.sort((a, b) => a - b),
      ...[...only].flatMap((employeeNo) => this.#byNumber.get(employeeNo) ?? []),
    ];
  }

  #holds(place: Place, text: string): boolean {
    const { employeeNo, name } =
      typeof place === 'number' && !this.#changed.has(place)
        ? generatePerson(this.#device, place)
        : (this.#recordOf(place) as { readonly employeeNo: string; readonly name?: unknown });
    const wanted = text.toLocaleLowerCase();
    return (
      employeeNo.includes(wanted) ||
      String(name ?? '')
        .toLocaleLowerCase()
        .includes(wanted)
    );
  }

  #listed(places: readonly Place[]): Found {
    return {
      total: places.length,
      page: (from, most) => places.slice(from, from + most).map((place) => this.#seen(place)),
    };
  }

  /** Returns everyone as of now. */
  #all(): Found & { place(at: number): Place } {
    if (this.#leftOfAdded > 0) {
      this.#added = this.#added.filter((person) => !person.removed);
      this.#leftOfAdded = 0;
    }
    if (this.#gone.length !== this.#goneSet.size) this.#gone = [...this.#goneSet].sort((a, b) => a - b);
    const gone = this.#gone;
    const added = [...this.#added];
    const delivered = this.#delivered - gone.length;
    const total = delivered + added.length;
    const place = (at: number): Place =>
      at < delivered ? skipping(gone, at) : (added[at - delivered] as Added);
    return {
      total,
      place,
      page: (from, most) =>
        Array.from({ length: Math.max(0, Math.min(total - from, most)) }, (_, at) =>
          this.#seen(place(from + at)),
        ),
    };
  }
}

/** Returns the number at a position among those that are not in `gone` (ascending). */
function skipping(gone: readonly number[], position: number): number {
  let [low, high] = [0, gone.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((gone[middle] ?? 0) - middle <= position) low = middle + 1;
    else high = middle;
  }
  return position + low;
}

export const PEOPLE: PartKey<People> = { name: 'people', create: (device) => new People(device) };
