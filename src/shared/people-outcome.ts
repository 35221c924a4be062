/** What became of the people of a job, counted as people count: each person once, over all terminals. */
import { detailOf, type Detail } from './details.ts';
import type { PeopleWork } from './people.ts';

/** Every person of a job is in exactly one of the counts after `devices`. */
export interface PeopleOutcome {
  readonly work: PeopleWork;
  /** Rows of the file, people of the copied device, or numbers that were named. */
  readonly people: number;
  readonly devices: number;
  /** As asked on every terminal, and read back there. */
  readonly everywhere: number;
  /** As asked on every terminal, but on one or more of them it cannot be read back. */
  readonly unseen: number;
  /** As asked on every terminal once one or more of them have restarted. */
  readonly restart: number;
  /** As asked on some terminals and not on others. */
  readonly some: number;
  /** As asked on no terminal. */
  readonly nowhere: number;
  /** Not finished, or not known, on one or more terminals. */
  readonly open: number;
}

/** Returns the outcome in sentences, for every face: first how many are as asked everywhere, then each kind of rest. */
export function describePeopleOutcome(outcome: PeopleOutcome): readonly Detail[] {
  const { work, people, devices, everywhere: done } = outcome;
  const kind = work === 'remove' ? 'removed' : 'there';
  const head = detailOf(`people-outcome-${kind}`, { done, people, devices });
  const rest = [
    ['unseen', outcome.unseen],
    ['restart', outcome.restart],
    [work === 'remove' ? 'some-left' : 'some', outcome.some],
    [work === 'remove' ? 'nowhere-removed' : 'nowhere', outcome.nowhere],
    ['open', outcome.open],
  ] as const;
  return [
    head,
    ...rest.flatMap(([name, count]) => (count === 0 ? [] : [detailOf(`people-outcome-${name}`, { count })])),
  ];
}
