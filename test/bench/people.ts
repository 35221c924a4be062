/**
 * Everybody of a gate exported, and people brought to several gates, beside the bound that the gates' own latency sets:
 * pages come one after the other, writes two at a time. `FIELDWRIGHT_BENCH_PEOPLE=100000` and
 * `FIELDWRIGHT_BENCH_BROUGHT=20000` with `FIELDWRIGHT_BENCH_GATES=10` for the whole numbers.
 */
import type { PeopleResult } from './people-run.ts';
import { runMeasured, withSite } from './processes.ts';
import { goal, say } from './shared.ts';

const PEOPLE = Number(process.env['FIELDWRIGHT_BENCH_PEOPLE'] ?? 6_000);
const BROUGHT = Number(process.env['FIELDWRIGHT_BENCH_BROUGHT'] ?? 300);
const GATES = Number(process.env['FIELDWRIGHT_BENCH_GATES'] ?? 2);
const [LATENCY_MS, PAGE, IN_FLIGHT] = [80, 30, 2];
const GOALS = { ofBound: 0.9, growthMb: 10 };

export async function peopleReport(): Promise<string> {
  say(`${PEOPLE} people of a gate, ${BROUGHT} to ${GATES} gates …`);
  const found = await withSite(
    { devices: GATES, kinds: ['gate'], seed: 7, users: PEOPLE, latencyMs: LATENCY_MS },
    (devices) => runMeasured<PeopleResult>('people-run.ts', { devices, brought: BROUGHT }, ['--expose-gc']),
  );
  const { read, readMs, broughtMs, done, earlyMb, highestMb, peakRssMb } = found;
  const readBound = (Math.ceil(PEOPLE / PAGE) * LATENCY_MS) / readMs;
  // Writes two at a time; a look before and one after each thirty.
  const bringBound = ((BROUGHT / IN_FLIGHT + 2 * Math.ceil(BROUGHT / PAGE)) * LATENCY_MS) / broughtMs;
  const growth = highestMb - earlyMb;
  return [
    `People of a gate, ${LATENCY_MS} ms an answer`,
    '',
    `${read.toLocaleString('en')} read (${goal(read === PEOPLE, 'all')}) in ${(readMs / 1000).toFixed(2)} s: ${readBound.toFixed(2)} of the bound (${goal(readBound >= GOALS.ofBound, `at least ${GOALS.ofBound}`)})`,
    `${done.toLocaleString('en')} brought to ${GATES} gates and proven (${goal(done === BROUGHT * GATES, 'all')}) in ${(broughtMs / 1000).toFixed(2)} s: ${bringBound.toFixed(2)} of the bound (${goal(bringBound >= GOALS.ofBound, `at least ${GOALS.ofBound}`)})`,
    `Held after the first tenth ${earlyMb.toFixed(1)} MB, at most ${highestMb.toFixed(1)} MB later: ${growth.toFixed(1)} MB more (${goal(growth <= GOALS.growthMb, `at most ${GOALS.growthMb} MB`)}); peak RSS ${peakRssMb.toFixed(0)} MB`,
    '',
  ].join('\n');
}

if (import.meta.main) process.stdout.write(await peopleReport());
