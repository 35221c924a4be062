/**
 * Measures paging through the people of a large gate, and whether memory stays flat meanwhile.
 * Alone: `node test/bench/page-users.ts`.
 */
import { runMeasured, withSite } from './processes.ts';
import type { PagingResult } from './shared.ts';

const USERS = 50_000;
/** How much more may be held later than after the first tenth. */
const GROWTH = 0.1;

/** Site and engine each in a process of its own. */
export async function benchUsers(): Promise<PagingResult> {
  return withSite({ kinds: ['gate'], seed: 7, users: USERS }, ([device]) =>
    runMeasured<PagingResult>('users-run.ts', device, ['--expose-gc']),
  );
}

/** Returns the report as text. */
export async function usersReport(): Promise<string> {
  const { ms, pages, people, earlyMb, highestMb, peakRssMb } = await benchUsers();
  const growth = highestMb / earlyMb - 1;
  const isMet = people === USERS && growth < GROWTH;
  return [
    `Page through ${USERS.toLocaleString('en')} people of a gate`,
    '',
    `${people.toLocaleString('en')} people on ${pages.toLocaleString('en')} pages in ${(ms / 1000).toFixed(2)} s (${(ms / pages).toFixed(2)} ms a page)`,
    `Held after the first tenth ${earlyMb.toFixed(1)} MB, at most ${highestMb.toFixed(1)} MB later: ${(growth * 100).toFixed(1)} % more (goal: under ${GROWTH * 100} %${isMet ? ', met' : ', MISSED'}); peak RSS ${peakRssMb.toFixed(0)} MB`,
    '',
  ].join('\n');
}

if (import.meta.main) process.stdout.write(await usersReport());
