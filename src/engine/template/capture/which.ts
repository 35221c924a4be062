/**
 * Finds which channels, controllers and presets a device has, from its report: a list of numbers or a range.
 * If it reports nothing, they are requested one after the other.
 */
import { findOperation, type Constraints, type Param, type Resource } from '#protocol/index.ts';

/** One parameter's values to try. */
export type Candidates =
  /** Values reported one by one; `guessed` means that the list may be incomplete. */
  | { readonly kind: 'listed'; readonly values: readonly (string | number)[]; readonly guessed?: boolean }
  /** Counted up until the device has no more, the first few in any case; `sparse`: to the end, for there may be gaps. */
  | { readonly kind: 'counted'; readonly from: number; readonly to: number; readonly sparse: boolean };

/** The system report names the channels of the device (part 3, 2.8). */
export const SYSTEM_REPORT = findOperation('system.capabilities.get');
const CHANNEL_LIST = 'supportImageChannel';

/** A range as small as this is asked through; of what nothing counts, no more than this is asked for. */
const FULL_RANGE = 64;
/** Limit for items that some devices return for every number, such as presets that were never set. */
const MOST_UNCOUNTED = 8;
const MOST_LISTED = 1024;

export interface Reported {
  /** Capabilities of the device as a whole. */
  readonly system: Constraints | undefined;
  /** Capabilities of the resource. */
  readonly own: Constraints | undefined;
}

export function listCandidates(param: Param, reported: Reported): Candidates {
  if (param.default !== undefined) return { kind: 'listed', values: [param.default] };
  // Ids of streams are listed nowhere; the first is what every recorder has.
  if (param.type === 'string') return { kind: 'listed', values: ['1'], guessed: true };
  const listed = numbersOf(param, reported);
  if (listed.length > 0) return { kind: 'listed', values: listed };
  const own = constraintOf(param, reported.own);
  const from = Math.max(param.min ?? 1, own?.min ?? 1, 1);
  const to = Math.min(param.max ?? Infinity, own?.max ?? Infinity);
  if (to - from < FULL_RANGE) return { kind: 'counted', from, to, sparse: own !== undefined };
  return {
    kind: 'counted',
    from,
    to: from + (param.name === CHANNEL ? FULL_RANGE : MOST_UNCOUNTED) - 1,
    sparse: false,
  };
}

const CHANNEL = 'channelID';

function numbersOf(param: Param, { system, own }: Reported): readonly number[] {
  const lists = [
    constraintOf(param, own)?.options,
    param.name === CHANNEL ? system?.get(CHANNEL_LIST)?.options : undefined,
  ];
  const numbers = (lists.find((list) => list !== undefined && list.length > 0) ?? [])
    .map((text) => (/^\s*\d{1,9}\s*$/.test(text) ? Number(text) : Number.NaN))
    .filter((number) => number >= (param.min ?? 0) && number <= (param.max ?? Infinity));
  return [...new Set(numbers)].sort((a, b) => a - b).slice(0, MOST_LISTED);
}

/** `channel` and `channelID` are the same thing under two names. */
function constraintOf({ name }: Param, own: Constraints | undefined) {
  return own?.get(name) ?? own?.get(name.replace(/ID$/, ''));
}

/** The name of a resource that another one of the same address already holds: its regions, for instance. */
export function findContainingResource(resource: Resource, all: readonly Resource[]): Resource | undefined {
  const root = resource.put.request.root;
  return all.find(
    (whole) =>
      whole !== resource &&
      resource.get.path.startsWith(`${whole.get.path}/`) &&
      whole.put.request.fields.some(({ name }) => name === root),
  );
}
