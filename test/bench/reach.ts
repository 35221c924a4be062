/**
 * Measures checking whether 1,000 devices are still there, as a visible window does all day.
 * Alone: `node test/bench/reach.ts`.
 */
import { runMeasured, withSite } from './processes.ts';
import type { ReachResult } from './reach-run.ts';
import { goal } from './shared.ts';

const DEVICES = 1_000;
/** Share of one core. */
const SHARE = 0.05;

/** Returns the report as text. */
export async function reachReport(): Promise<string> {
  const { checked, ms, cpuMs, bareCpuMs } = await withSite(
    { devices: DEVICES, kinds: ['counter'], seed: 11 },
    (devices) => runMeasured<ReachResult>('reach-run.ts', devices),
  );
  const share = cpuMs / ms;
  return [
    `Look whether ${DEVICES.toLocaleString('en')} devices are still there`,
    '',
    `${checked.toLocaleString('en')} devices in ${(ms / 1000).toFixed(1)} s: ${(share * 100).toFixed(1)} % of one core (${goal(share < SHARE, `under ${SHARE * 100} %`)})`,
    `${(cpuMs / checked).toFixed(2)} ms of CPU a device, ${(cpuMs / bareCpuMs).toFixed(2)} times a bare loop of connections`,
    '',
  ].join('\n');
}

if (import.meta.main) process.stdout.write(await reachReport());
