/** Compares rows with what a device shows, and turns the conclusions of `concludeWrite` into outcomes of people. */
import { say, formatSomeNames } from '#shared/details.ts';
import { answerKind, isWorthWaiting } from '#shared/error-meaning.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { PersonChange, PrintsOfRemoved } from '#shared/people/people.ts';
import type { KeptSent } from '#engine/write/sent.ts';
import { concludeWrite, type After, type Conclusion, type Seen } from '#engine/write/settle-write.ts';
import { comparePersonFields, stateOf, filterVisiblePersonChanges } from '../compare.ts';
import type { Person } from '../person.ts';
import type { Outcome, PersonRow, Settled } from './rows.ts';

/** A person as a device shows them; `person` is undefined if they are not on it. */
export interface ShownPerson {
  readonly person: Person | undefined;
  /** Fields that differ from the wanted values. */
  readonly changes: readonly PersonChange[];
}
type Row = Omit<Settled, 'nth'>;
/** Stored fields of a row that decide its outcome. */
type Due = Pick<PersonRow, 'plan' | 'outcome' | 'error' | 'result' | 'secret' | 'resultSecret'>;

/** Compares what a device shows with what is wanted of a person, and with what it showed when that was planned. */
export function comparePerson(
  { plan, secret, resultSecret }: Pick<Due, 'plan' | 'secret' | 'resultSecret'>,
  person: Person | undefined,
): Seen<ShownPerson> {
  const wanted = secret()?.wanted ?? { value: {} };
  const changes = plan === 'removed' || person === undefined ? [] : comparePersonFields(wanted, person);
  const shown = { person, changes };
  if (isAsWanted(plan, shown)) return { kind: 'taken', shown };
  if (plan === 'removed' || person === undefined) return { kind: 'untouched', shown };
  const state = resultSecret()?.state;
  const isAsBefore = state !== undefined && stateOf(person) === state;
  if (filterVisiblePersonChanges(changes).length > 0)
    return { kind: isAsBefore ? 'untouched' : 'differs', shown };
  return { kind: isAsBefore ? 'hidden' : 'unproved', shown };
}

const OUTCOMES: Readonly<Record<Conclusion['outcome'], Outcome>> = {
  effective: 'done',
  accepted: 'accepted',
  ignored: 'ignored',
  'needs-reboot': 'needs-reboot',
  refused: 'refused',
  failed: 'refused',
  unknown: 'lost',
};

/** Converts the conclusion of a write into the result of a row. */
export function toRowResult(
  { plan }: Pick<Due, 'plan'>,
  { outcome, error, after = 'ok', shown }: Conclusion<ShownPerson>,
): Row {
  const seen = shown === undefined ? [] : filterVisiblePersonChanges(shown.changes);
  switch (outcome) {
    case 'ignored':
      return {
        outcome,
        error: notAsAsked(plan, shown, after),
        ...(seen.length === 0 ? {} : { secret: { changes: seen } }),
      };
    case 'needs-reboot':
      return { outcome: shown !== undefined && isAsWanted(plan, shown) ? 'restart-shown' : outcome };
    default:
      return { outcome: OUTCOMES[outcome], error };
  }
}

/**
 * Concludes a row from what the device shows after the request; undefined if the device may still apply it. `last`: this
 * is the last check.
 */
export function proveRow(due: Due, person: Person | undefined, last: boolean): Row | undefined {
  const seen = comparePerson(due, person);
  if (!last) {
    if (seen.kind === 'untouched') return undefined;
    // A device that shows only a part of the change gets one more check; then its answer is final.
    if (seen.kind === 'differs' && due.outcome !== 'partly')
      return due.outcome === 'sent' ? { outcome: 'partly' } : undefined;
    if (seen.kind === 'taken' && mayComeRight(due.result?.prints)) return undefined;
  }
  return addFingerprintResult(toRowResult(due, concludeWrite(sentOf(due), seen, false)), due.result?.prints);
}

/** Returns true if the fingerprints may still disappear from the device a moment later. */
function mayComeRight(prints: PrintsOfRemoved | undefined): boolean {
  if (prints === undefined || prints.state === 'gone') return false;
  return prints.state === 'still-there' || isWorthWaiting(prints.reason);
}

/** Returns the stored request of a row that is not verified yet. */
function sentOf({ outcome, error }: Due): KeptSent {
  return outcome === 'unclear' && error !== undefined
    ? { kind: 'unclear', error, status: error.status }
    : { kind: 'yes' };
}

function isAsWanted(plan: Due['plan'], { person, changes }: ShownPerson): boolean {
  return plan === 'removed' ? person === undefined : person !== undefined && changes.length === 0;
}

const HOW = {
  ok: '',
  refusal: '-after-refusal',
  loss: '-after-loss',
  timeout: '-after-loss',
  unreadable: '-after-unreadable',
  redirect: '-after-unreadable',
} as const satisfies Record<After, string>;

function notAsAsked(plan: Due['plan'], shown: ShownPerson | undefined, after: After): ErrorShape {
  const refused = { code: 'refused', source: 'app' } as const;
  const how = HOW[after];
  if (plan === 'removed') return { ...refused, ...say(`people-still-there${how}`) };
  if (shown?.person === undefined) return { ...refused, ...say(`people-not-there${how}`) };
  const fields = formatSomeNames(filterVisiblePersonChanges(shown.changes).map(({ field }) => field));
  return { ...refused, ...say(`people-not-kept${how}`, { fields }) };
}

/** Combines the results for a person and their fingerprints: a removal is done when both are gone. */
export function addFingerprintResult(row: Row, prints: PrintsOfRemoved | undefined): Row {
  if (prints === undefined) return row;
  if (row.outcome !== 'done' || prints.state === 'gone') return { ...row, result: { prints } };
  const seen = { ...prints, personGone: true } as const;
  // A terminal without fingerprint support has none to remove, but the receipt says that they were not checked.
  if (answerKind(prints.reason) === 'lacks') return { ...row, outcome: 'accepted', result: { prints: seen } };
  return prints.state === 'still-there'
    ? {
        outcome: 'ignored',
        error: { ...prints.reason, ...say('people-prints-still-there') },
        result: { prints: seen },
      }
    : {
        outcome: 'refused',
        error: { ...prints.reason, ...say('people-prints-unseen') },
        result: { prints: seen },
      };
}
