/** Derives the result of a unit on a device from its rows. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { say } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { UnitResult } from '#shared/model.ts';
import { PERSON_PLANS } from '#shared/people/people.ts';
import type { UnitVerdict } from '#engine/jobs/unit-kind.ts';
import { AWAITING_RESTART } from './rows.ts';
import type { WorkRows } from './work-rows.ts';
import { MOVING } from './write-phase.ts';

export const COUNTED = [
  ...PERSON_PLANS,
  'done',
  'accepted',
  'ignored',
  'needs-reboot',
  'failed',
  'open',
] as const;
type Counted = (typeof COUNTED)[number];

/** Units of people on a device; copied fingerprints have a unit after these. */
export const PHASES = ['write', 'prove'] as const;

type Count = ReturnType<WorkRows['tally']>[number];

export function sum(counts: readonly Count[], counted: (count: Count) => boolean): number {
  return counts.filter(counted).reduce((all, { count }) => all + count, 0);
}

/** Returns the outcome and the counts of a unit, derived from the rows of its device. */
export function getUnitOutcome(
  rows: WorkRows,
  id: string,
  device: number,
  index: number,
): UnitVerdict & { readonly detail: { readonly counts: Partial<Record<Counted, number>> } } {
  const counts = rows.tally(id, device);
  const found: Partial<Record<Counted, number>> = {};
  const add = (name: Counted, count: number): void => {
    found[name] = (found[name] ?? 0) + count;
  };
  for (const { plan, outcome, count } of counts) {
    add(plan, count);
    if (isMoving(plan)) add(countedAs(outcome, index), count);
  }
  const { failed = 0, ignored = 0, open = 0, accepted = 0, done = 0, refused = 0 } = found;
  // A row that no device takes is no failure of this one.
  const { ruledOut = 0 } = rows.head(id);
  const bad = failed + Math.max(0, refused - ruledOut) + (index === 0 ? 0 : ignored);
  const error: ErrorShape | undefined =
    bad === 0 ? undefined : { code: 'refused', source: 'app', ...say('people-some-failed', { count: bad }) };
  const outcome = ((): UnitResult['outcome'] => {
    if (open > 0) return sum(counts, (each) => each.outcome === 'lost') === open ? 'unknown' : 'pending';
    if (bad > 0) return ignored === bad ? 'ignored' : 'refused';
    if (found['needs-reboot'] !== undefined) return 'needs-reboot';
    if (accepted > 0) return 'accepted';
    return done > 0 ? 'effective' : 'unchanged';
  })();
  return { outcome, detail: { counts: found }, ...removeUndefined({ error }) };
}

/** Returns the counter of an outcome. In the write unit, rows still to be verified count as accepted. */
function countedAs(outcome: Count['outcome'], index: number): Counted {
  switch (outcome) {
    case 'refused':
      return 'failed';
    case 'done':
    case 'accepted':
    case 'ignored':
      return outcome;
    case 'needs-reboot':
    case 'restart-shown':
      return index === 0 ? 'accepted' : 'needs-reboot';
    case 'sent':
    case 'partly':
    case 'unclear':
      return index === 0 ? 'accepted' : 'open';
    default:
      return 'open';
  }
}

/** Returns true if a row with this plan causes a request. */
export function isMoving(plan: string | null): boolean {
  return MOVING.some((moving) => moving === plan);
}

/** Returns true if a device has rows that take effect after its next restart. */
export function hasRowsAwaitingRestart(rows: WorkRows, id: string, device: number): boolean {
  return rows
    .tally(id, device)
    .some(({ outcome }) => AWAITING_RESTART.some((waiting) => waiting === outcome));
}
