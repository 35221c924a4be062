/**
 * Enrolling fingerprints on four gates with four readers each, beside the bound that the gates' own latency sets: each
 * answers after 40 ms and takes two requests at a time. `FIELDWRIGHT_BENCH_PRINTS=20000` for the whole number.
 */
import { runMeasured, withSite } from './processes.ts';
import type { PrintsResult } from './prints-run.ts';
import { goal, say } from './shared.ts';

const PRINTS = Number(process.env['FIELDWRIGHT_BENCH_PRINTS'] ?? 1_000);
const DEVICES = 4;
const READERS = [1, 2, 3, 4];
const LATENCY_MS = 40;
const IN_FLIGHT = 2;
const GOALS = { ofBound: 0.9, growthMb: 10 };

export async function printsReport(): Promise<string> {
  say(`${PRINTS} fingerprints on ${DEVICES} gates with ${READERS.length} readers …`);
  const { ms, readMs, bareMs, taken, others, earlyMb, highestMb, peakRssMb } = await withSite(
    { devices: DEVICES, kinds: ['gate'], seed: 7, readers: READERS.length, latencyMs: LATENCY_MS },
    (devices) =>
      runMeasured<PrintsResult>('prints-run.ts', { devices, prints: PRINTS, readers: READERS }, [
        '--expose-gc',
      ]),
  );
  const boundMs = (PRINTS * LATENCY_MS) / IN_FLIGHT;
  const ofBound = boundMs / ms;
  // Nothing reaches the bound on a busy machine; then the share that a bare loop reaches counts.
  const ofBare = (PRINTS * bareMs) / ms;
  const growth = highestMb - earlyMb;
  const wanted = PRINTS * DEVICES * READERS.length;
  return [
    `Enrol ${PRINTS.toLocaleString('en')} fingerprints on ${DEVICES} gates with ${READERS.length} readers each, ${LATENCY_MS} ms an answer, ${IN_FLIGHT} requests at a time`,
    '',
    `${(taken + others).toLocaleString('en')} results (${goal(taken === wanted, `${wanted.toLocaleString('en')} taken`)}) in ${(ms / 1000).toFixed(2)} s, ${(readMs / 1000).toFixed(2)} s of them reading and sealing; the latency alone takes ${(boundMs / 1000).toFixed(2)} s`,
    `Of that bound: ${ofBound.toFixed(2)}; a bare undici loop right after it reaches ${(boundMs / (PRINTS * bareMs)).toFixed(2)}, of which this is ${ofBare.toFixed(2)} (${goal(Math.max(ofBound, ofBare) >= GOALS.ofBound, `at least ${GOALS.ofBound} of either`)})`,
    `Held after the first tenth ${earlyMb.toFixed(1)} MB, at most ${highestMb.toFixed(1)} MB later: ${growth.toFixed(1)} MB more (${goal(growth <= GOALS.growthMb, `at most ${GOALS.growthMb} MB`)}); peak RSS ${peakRssMb.toFixed(0)} MB`,
    '',
  ].join('\n');
}

if (import.meta.main) process.stdout.write(await printsReport());
