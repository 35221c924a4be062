/** Did a device change since it was planned, in a way that changes what would happen? */
import type { Change, PlanSection } from '#shared/model.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';

/**
 * Returns true if planning again asks for something else than was shown and confirmed. Another document alone
 * is no drift: counters and clocks move. Fewer changes of the same kind is none either: part of the work is
 * done already.
 */
export function hasDrifted(planned: PlanSection, now: PlanSection): boolean {
  if (planned.baseline === now.baseline && planned.state === now.state)
    return !sameChanges(planned.changes, now.changes);
  if (isBlocked(planned) !== isBlocked(now)) return true;
  const confirmed = new Set(planned.changes.map(changeKey));
  if (now.lost?.some((path) => !planned.lost?.includes(path)) === true) return true;
  return now.changes.some((change) => !confirmed.has(changeKey(change)));
}

/**
 * Returns true for equal changes. Those made by the same code are the same text, and comparing texts is far
 * faster than sorting.
 */
function sameChanges(one: PlanSection['changes'], other: PlanSection['changes']): boolean {
  return (
    JSON.stringify(one) === JSON.stringify(other) || encodeCanonicalJson(one) === encodeCanonicalJson(other)
  );
}

function isBlocked(section: PlanSection): boolean {
  return section.state === 'blocked' || section.state === 'unsupported';
}

/** Returns a text that is equal for equal changes. How a change is named depends on its neighbours and does not count. */
export function changeKey({ label: _label, items: _items, list: _list, ...change }: Change): string {
  return encodeCanonicalJson(change);
}

/** Returns a text that is equal where changes of one setting begin with, or lead to, the same value; a list counts as a whole. */
export function encodeSide([first]: readonly Change[], side: 'from' | 'to'): string {
  return encodeCanonicalJson(first?.list?.[side] ?? first?.[side]);
}
