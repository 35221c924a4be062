/** Counts the people of a job over all its devices. */
import type { PeopleOutcome } from '../../shared/people-outcome.ts';
import { AWAITING_RESTART } from './work/rows.ts';
import type { WorkRows } from './work/work-rows.ts';

/** Plans and outcomes that say the same of a person on a device. What is none of these is open. */
const CLASSES = [
  ['done', 'unchanged', 'absent'],
  ['accepted'],
  AWAITING_RESTART,
  ['refused', 'ignored'],
] as const;

/** @throws `not-found` */
export function peopleOutcome(rows: WorkRows, id: string): PeopleOutcome {
  const { work, deviceIds, rows: people } = rows.head(id);
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
  return { work: work === 'compare' ? 'import' : work, people, devices, ...counted };
}
