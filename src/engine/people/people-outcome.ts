/** Counts the people of a job over all its devices. */
import type { PeopleOutcome } from '#shared/people/people-outcome.ts';
import { AWAITING_RESTART, type Outcome } from './work/rows.ts';
import type { WorkRows } from './work/work-rows.ts';

/** Plans and outcomes that say the same of a person on a device. What is none of these is open. */
const CLASSES = [
  ['done', 'unchanged', 'absent'],
  ['accepted'],
  AWAITING_RESTART,
  ['refused', 'ignored'],
] as const;

/** Outcomes of changes that the device has, or may have, taken. */
const WRITTEN: ReadonlySet<Outcome | null> = new Set<Outcome>(['done', 'accepted', ...AWAITING_RESTART]);

/** @throws `not-found` */
export function getPeopleOutcome(rows: WorkRows, id: string): PeopleOutcome {
  const { work, deviceIds, rows: people, unsent = [], notes } = rows.head(id);
  const kept = notes.filter((note) => note.id === 'people-unseen-not-copied');
  const devices = deviceIds.length;
  const counted = { everywhere: 0, unseen: 0, restart: 0, some: 0, nowhere: 0, open: 0 };
  for (const { isBad, counts, items } of rows.spread(id, CLASSES)) {
    const [done = 0, accepted = 0, restart = 0, bad = 0] = counts;
    const good = done + accepted + restart;
    const name =
      isBad || bad === devices
        ? 'nowhere'
        : good + bad < devices
          ? 'open'
          : bad > 0
            ? 'some'
            : restart > 0
              ? 'restart'
              : accepted > 0
                ? 'unseen'
                : 'everywhere';
    counted[name] += items;
  }
  // A device without a written change has lost nothing.
  const written = Map.groupBy(
    unsent.filter(({ device }) =>
      rows.tally(id, device).some(({ plan, outcome }) => plan === 'changed' && WRITTEN.has(outcome)),
    ),
    ({ name }) => name,
  );
  return {
    ...{ work: work === 'compare' ? 'import' : work, people, devices, ...counted },
    unsent: [...written].map(([name, each]) => ({ name, devices: each.length })),
    ...(kept.length > 0 && { notes: kept }),
  };
}
