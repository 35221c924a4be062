/**
 * Settles a write of an earlier run whose outcome is unknown, because the process ended or the connection was lost
 * before it was read back. What the device shows now decides.
 */
import type { ErrorShape } from '#shared/errors.ts';
import type { Change } from '#shared/model.ts';
import { changeKey } from '../planning/pure/drift.ts';
import type { PlannedSection } from '../planning/plan-sections.ts';
import { filterVisibleChanges } from '../write/write-section.ts';

/** Earlier write as the journal knows it. */
export interface EarlierWrite {
  /** Changes that the write was to make. */
  readonly changes: readonly Change[];
  readonly error?: ErrorShape;
  /** Warnings about secrets that the write may have lost. */
  readonly warnings?: readonly ErrorShape[];
}

/**
 * `arrived`: what was wanted shows, or all of it that a device would show. `not-arrived`: nothing shows
 * but values that were to be replaced, so an idempotent write may go out again. `hidden`: the device
 * does not tell. `other`: it shows something that was neither there before nor wanted.
 */
export type Settled = 'arrived' | 'arrived-unseen' | 'not-arrived' | 'hidden' | 'other';

export function settle(
  earlier: EarlierWrite,
  { read, desired, plan }: Pick<PlannedSection, 'read' | 'desired' | 'plan'>,
): Settled {
  if (read.kind !== 'state') return 'hidden';
  if (plan.changes.length === 0) return 'arrived';
  const left = filterVisibleChanges(plan.changes);
  const wanted = new Set(filterVisibleChanges(earlier.changes).map(changeKey));
  // A document is taken as a whole: what can be seen of it tells what became of the rest.
  if (left.length === 0) return wanted.size > 0 ? 'arrived-unseen' : 'hidden';
  return desired !== undefined && left.every((change) => wanted.has(changeKey(change)))
    ? 'not-arrived'
    : 'other';
}
