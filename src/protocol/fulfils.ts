/**
 * Compares a requested value with what a device shows; both may mean the same: `0.95` and `0.950000`,
 * `08:00:00` and `08:00:00+08:00`, an item of a list to which the device added its own defaults. Also matches
 * the items of lists, for all code that changes lists.
 */
import type { Field, ListField } from './definition.ts';
import { isPlain, getOwn, isSameValue } from './value.ts';

const RELATIVE_TOLERANCE = 1e-6;
const ZONE = /(Z|[+-]\d{2}:\d{2})$/;
const ZERO_FRACTION = /\.0+(?=Z|[+-]|$)/;
/**
 * Number of items in the longest list of the specification; beyond it only items at the same position are
 * matched.
 */
const MOST_SEARCHED = 300;
/** Number of pairs of differing items that are compared. */
const MOST_COMPARED = 10_000;

/**
 * Comparison of a shown with a requested value: `isFulfilled`, or `isSameValue` if the spelling of a time
 * counts.
 */
export type Means = (field: Field, asked: unknown, shown: unknown) => boolean;

/** True where what is shown fulfils what is asked; members that are not asked for do not count, `null` asks for absence. */
export function isFulfilled(field: Field, asked: unknown, shown: unknown): boolean {
  if (asked === undefined) return true;
  if (asked === null) return shown === undefined || shown === null;
  switch (field.kind) {
    case 'object':
      return (
        isPlain(asked) &&
        isPlain(shown) &&
        field.fields.every((inner) =>
          isFulfilled(inner, getOwn(asked, inner.name), getOwn(shown, inner.name)),
        )
      );
    case 'list':
      return Array.isArray(asked) && Array.isArray(shown) && listFulfils(field, asked, shown);
    case 'int':
    case 'float':
      return sameNumber(asked, shown, field.decimals) || isSameValue(field, asked, shown);
    case 'datetime':
    case 'date':
    case 'time':
    case 'minutes':
      return sameTime(String(asked), String(shown));
    default:
      return isSameValue(field, asked, shown);
  }
}

function sameNumber(asked: unknown, shown: unknown, decimals: number | undefined): boolean {
  if (typeof asked !== 'number' || typeof shown !== 'number') return false;
  const difference = Math.abs(asked - shown);
  if (difference <= RELATIVE_TOLERANCE * Math.max(1, Math.abs(asked), Math.abs(shown))) return true;
  return decimals !== undefined && asked.toFixed(decimals) === shown.toFixed(decimals);
}

/** A time asked for without a zone is the device's own time, whatever zone it adds. */
function sameTime(asked: string, shown: string): boolean {
  const left = asked.replace(ZERO_FRACTION, '');
  const right = shown.replace(ZERO_FRACTION, '');
  return left === right || (!ZONE.test(left) && left === right.replace(ZONE, ''));
}

/** Compares lists: items with a key by it at any position, others in order. */
function listFulfils(field: ListField, asked: readonly unknown[], shown: readonly unknown[]): boolean {
  if (asked.length !== shown.length) return false;
  const places = unchangedPlaces(field, shown, asked, isFulfilled);
  return places.every((held, want) => held !== undefined && (field.key !== undefined || held === want));
}

/** An item of the result: one that is wanted, and the one that it continues. */
interface MatchedItem {
  readonly want: number;
  /** Undefined: it is new. */
  readonly held: number | undefined;
}

/**
 * The items of a list in the order in which they are to be written, each with the held one that it continues: the
 * one that `means` the same, at its place or at another; else the most alike of the same key, and where items have no key,
 * or one of the two does not name it, the most alike, at the same place if possible. Single values continue none but
 * their equal. Held items that nothing continues go. With a key the held items keep their order, and a new one comes
 * after the one that it was asked for after.
 */
export function matchItems(
  field: ListField,
  held: readonly unknown[],
  wanted: readonly unknown[],
  means: Means = isFulfilled,
): readonly MatchedItem[] {
  const places = unchangedPlaces(field, held, wanted, means);
  if (field.item.kind === 'object') continueOthers(field, { held, wanted, places });
  const matched = places.map((from, want): MatchedItem => ({ want, held: from }));
  return field.key === undefined ? matched : inHeldOrder(matched);
}

/** Returns for each wanted item the equal held item, at the same position if possible. */
function unchangedPlaces(
  field: ListField,
  held: readonly unknown[],
  wanted: readonly unknown[],
  means: Means,
): (number | undefined)[] {
  const known = new Map<number, boolean>();
  /** Compares each pair once, however often items are moved. */
  const isThere = (at: number, from: number): boolean => {
    const pair = at * held.length + from;
    const is =
      known.get(pair) ??
      (wanted[at] !== undefined && wanted[at] !== null && means(field.item, wanted[at], held[from]));
    known.set(pair, is);
    return is;
  };
  const places: (number | undefined)[] = wanted.map((_, at) =>
    at < held.length && isThere(at, at) ? at : undefined,
  );
  if (freeOf(held, places).length > MOST_SEARCHED) return places;
  const owners = new Map(places.flatMap((from, at) => (from === undefined ? [] : [[from, at] as const])));
  /** Items that say little fit in many places: with a key, where the order does not count, they make room. */
  const settle = (at: number, tried: Set<number>): boolean =>
    held.some((_, from) => {
      const owner = owners.get(from);
      if (tried.has(from) || (owner !== undefined && field.key === undefined) || !isThere(at, from))
        return false;
      tried.add(from);
      if (owner !== undefined && !settle(owner, tried)) return false;
      owners.set(from, at);
      places[at] = from;
      return true;
    });
  for (const at of places.keys()) if (places[at] === undefined) settle(at, new Set());
  return places;
}

function freeOf(held: readonly unknown[], places: readonly (number | undefined)[]): number[] {
  const taken = new Set(places);
  return held.map((_, at) => at).filter((at) => !taken.has(at));
}

/** Pairs the remaining items, the most alike first. */
function continueOthers(
  field: ListField,
  {
    held,
    wanted,
    places,
  }: {
    readonly held: readonly unknown[];
    readonly wanted: readonly unknown[];
    readonly places: (number | undefined)[];
  },
): void {
  const free = freeOf(held, places);
  const open = [...places.keys()].filter((want) => places[want] === undefined);
  const isFew = free.length * open.length <= MOST_COMPARED;
  const pairs = open.flatMap((want) =>
    free.flatMap((from) => {
      if ((!isFew && from !== want) || !mayContinue(field, held[from], wanted[want])) return [];
      return [
        {
          want,
          from,
          alike: likeness(field.item, wanted[want], held[from]),
          distance: Math.abs(want - from),
        },
      ];
    }),
  );
  const taken = new Set<number>();
  for (const { want, from } of pairs.sort((a, b) => b.alike - a.alike || a.distance - b.distance)) {
    if (places[want] !== undefined || taken.has(from)) continue;
    places[want] = from;
    taken.add(from);
  }
}

/** Items of different keys are different things, whatever else is alike. */
function mayContinue({ key }: ListField, held: unknown, want: unknown): boolean {
  if (!isPlain(held) || !isPlain(want)) return false;
  const [before, after] = key === undefined ? [] : [getOwn(held, key), getOwn(want, key)];
  return (
    before === undefined ||
    after === undefined ||
    before === null ||
    after === null ||
    String(before) === String(after)
  );
}

/** How many of the values that are asked for are there. */
function likeness(field: Field, asked: unknown, shown: unknown): number {
  if (field.kind !== 'object') return asked !== undefined && isFulfilled(field, asked, shown) ? 1 : 0;
  if (!isPlain(asked) || !isPlain(shown)) return 0;
  return field.fields.reduce(
    (sum, inner) => sum + likeness(inner, getOwn(asked, inner.name), getOwn(shown, inner.name)),
    0,
  );
}

function inHeldOrder(matched: readonly MatchedItem[]): readonly MatchedItem[] {
  const kept = matched.filter(({ held }) => held !== undefined).sort((a, b) => (a.held ?? 0) - (b.held ?? 0));
  for (const item of matched) {
    if (item.held === undefined)
      kept.splice(kept.findIndex(({ want }) => want === item.want - 1) + 1, 0, item);
  }
  return kept;
}

/**
 * The patch that makes `held` what `wanted` is: `null` for each member that only `held` has, in an item for each that
 * any of the held ones has. What the definition does not know is not touched by it.
 */
export function buildReplacingPatch(field: Field, held: unknown, wanted: unknown): unknown {
  if (wanted === undefined || wanted === null) return null;
  if (field.kind === 'list' && Array.isArray(held) && Array.isArray(wanted)) {
    return wanted.map((item: unknown) =>
      held.reduce<unknown>((asked, before) => buildReplacingPatch(field.item, before, asked), item),
    );
  }
  if (field.kind !== 'object' || !isPlain(held) || !isPlain(wanted)) return wanted;
  const members = field.fields.flatMap((inner) => {
    const [before, after] = [getOwn(held, inner.name), getOwn(wanted, inner.name)];
    if (before === undefined) return after === undefined ? [] : [[inner.name, after] as const];
    return [[inner.name, buildReplacingPatch(inner, before, after)] as const];
  });
  return Object.fromEntries(members);
}
