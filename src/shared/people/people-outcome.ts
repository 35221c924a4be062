/** Outcome of the people of a job: each person counts once, over all terminals. */
import { createDetail, type Detail } from '../details.ts';
import type { PeopleWork } from './people.ts';

/** Every person of a job is in exactly one of the counts after `devices`, `open` being the last. */
export interface PeopleOutcome {
  readonly work: PeopleWork;
  /** Rows of the file, people of the copied device, or numbers that were named. */
  readonly people: number;
  readonly devices: number;
  /** People that every terminal has and showed when read back. */
  readonly everywhere: number;
  /** People that every terminal took, and that one or more of them do not show. */
  readonly unseen: number;
  /** People that every terminal has once one or more of them have restarted. */
  readonly restart: number;
  /** People that are as asked on some terminals and not on others. */
  readonly some: number;
  /** People that are as asked on no terminal. */
  readonly nowhere: number;
  /** People who are not finished, or unknown, on one or more terminals. */
  readonly open: number;
  /**
   * Secrets that changes left out, and the number of terminals: these do not show them, so it is unknown if
   * they are kept.
   */
  readonly unsent: readonly { readonly name: string; readonly devices: number }[];
  /** Notes of the plan that hold for the result: secrets that a copy left out. */
  readonly notes?: readonly Detail[];
}

/** Returns how many rows of a file go to no device; nothing if all go, or if the people are of no file. */
export function describeBadRows({
  work,
  rows,
  bad,
}: {
  readonly work: PeopleWork;
  readonly rows: number;
  readonly bad: number;
}): readonly Detail[] {
  return work === 'import' && bad > 0 ? [createDetail('people-bad-rows', { bad, rows })] : [];
}

/** Returns the outcome in sentences, for every face: first how many are as asked everywhere, then each kind of rest. */
export function describePeopleOutcome(outcome: PeopleOutcome): readonly Detail[] {
  const { work, people, devices, everywhere: done } = outcome;
  const kind = work === 'remove' ? 'removed' : 'there';
  const head = createDetail(`people-outcome-${kind}`, { done, people, devices });
  const rest = [
    ['unseen', outcome.unseen],
    ['restart', outcome.restart],
    [work === 'remove' ? 'some-left' : 'some', outcome.some],
    [work === 'remove' ? 'nowhere-removed' : 'nowhere', outcome.nowhere],
    ['open', outcome.open],
  ] as const;
  return [
    head,
    ...rest.flatMap(([name, count]) =>
      count === 0 ? [] : [createDetail(`people-outcome-${name}`, { count })],
    ),
    ...outcome.unsent.map(({ name, devices: count }) =>
      createDetail('people-outcome-unsent', { name, count }),
    ),
    ...(outcome.notes ?? []),
  ];
}
