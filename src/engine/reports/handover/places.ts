/**
 * Groups channels, presets and the like that are set alike: the common settings are shown once, with all
 * their channels, followed by what differs in each.
 */
import type { Params } from '#shared/model.ts';
import type { Fact } from '#shared/report-document.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import { buildDrawings } from './drawings.ts';

/** Answer to one read with its parameters. */
export interface Placed {
  readonly operation: string;
  readonly params: Params;
  readonly facts: readonly Fact[];
  readonly omitted?: number;
}
/** One read in several places. */
export interface Alike {
  readonly operation: string;
  readonly places: readonly Params[];
  /** The same in all of them. */
  readonly common: readonly Fact[];
  /** Facts that differ, for each answer that has any. */
  readonly own: readonly { readonly params: Params; readonly facts: readonly Fact[] }[];
  readonly omitted?: number;
}

/** Whatever the plane is, it is drawn on one. */
const ANYWHERE = { width: Infinity, height: Infinity };

/**
 * Groups answers in their order. Answers are alike if their drawn lists (weeks, regions) are equal; others
 * are alike if they have the same fields.
 */
export function groupAlikeAnswers(answers: readonly Placed[]): readonly Alike[] {
  const groups = Map.groupBy(answers, ({ operation, facts, omitted }) => {
    const lists = facts.filter(isInList);
    const isDrawn = buildDrawings('', lists, ANYWHERE).drawings.length > 0;
    return encodeCanonicalJson([
      operation,
      omitted ?? null,
      isDrawn ? lists : lists.map(({ label }) => label),
    ]);
  });
  return [...groups.values()].flatMap((group): readonly Alike[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { operation, omitted } = first;
    const places = group.map(({ params }) => params);
    const [common, own] = shared(group);
    return [{ operation, places, common, own, ...(omitted !== undefined && { omitted }) }];
  });
}

function isInList({ label }: Fact): boolean {
  return typeof label === 'object' && 'root' in label && label.path?.includes('[') === true;
}

function shared(group: readonly Placed[]): readonly [Alike['common'], Alike['own']] {
  const [first, ...others] = group;
  if (first === undefined || others.length === 0) return [first?.facts ?? [], []];
  const sets = others.map(({ facts }) => new Set(facts.map((fact) => encodeCanonicalJson(fact))));
  const common = first.facts.filter((fact) => {
    const text = encodeCanonicalJson(fact);
    return sets.every((set) => set.has(text));
  });
  const inAll = new Set(common.map((fact) => encodeCanonicalJson(fact)));
  const own = group.flatMap(({ params, facts }) => {
    const left = facts.filter((fact) => !inAll.has(encodeCanonicalJson(fact)));
    return left.length === 0 ? [] : [{ params, facts: left }];
  });
  return [common, own];
}
