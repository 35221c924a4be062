/**
 * Measures what remembering costs: finding drift on 500 devices, the look in the background, the status of 5,000 devices, and
 * a site file of them, and the black box on disk. Alone: `node test/bench/site-over-time.ts`.
 */
import { runMeasured, withSite } from './processes.ts';
import { goal } from './shared.ts';
import type { SiteOverTimeResult } from './site-over-time-run.ts';

const DEVICES = 490;
const GOALS = { share: 0.01, perSecond: 2, statusMs: 1_000, bytes: 1_000_000_000 };

/** Returns the report as text. */
export async function siteOverTimeReport(): Promise<string> {
  const { devices, states, wrong, lookMs, background, status, merge, snapshots } = await withSite(
    { devices: DEVICES, kinds: ['thermal'], seed: 11 },
    (site) => runMeasured<SiteOverTimeResult>('site-over-time-run.ts', site),
  );
  const share = background.cpuMs / background.ms;
  const perSecond = background.requests / (background.ms / 1000);
  const isRight = wrong === 0 && states['drifted'] === 37 && states['unknown'] === 10;
  return [
    `A site over time: ${devices} devices, 37 changed by another program, 10 gone`,
    '',
    `Found: ${Object.entries(states)
      .map(([state, count]) => `${count} ${state}`)
      .join(
        ', ',
      )}; ${wrong} wrong (${goal(isRight, 'exactly these')}); all looked at in ${(lookMs / 1000).toFixed(1)} s`,
    `Look in the background: ${(share * 100).toFixed(2)} % of a core (${goal(share <= GOALS.share, 'at most 1 %')}), ${perSecond.toFixed(2)} requests a second (${goal(perSecond <= GOALS.perSecond, 'at most 2')})`,
    `Status of ${status.devices.toLocaleString('en')} devices: ${status.ms.toFixed(0)} ms (${goal(status.ms < GOALS.statusMs, 'under a second')})`,
    `Site file of ${merge.devices.toLocaleString('en')} devices, ${(merge.bytes / 1e6).toFixed(1)} MB: packed in ${(merge.packMs / 1000).toFixed(1)} s, read in ${(merge.readMs / 1000).toFixed(1)} s, merged in ${(merge.mergeMs / 1000).toFixed(1)} s, opened again in ${(merge.againMs / 1000).toFixed(1)} s`,
    `Black box, ${snapshots.days} days of ${snapshots.devices} devices: ${(snapshots.bytes / 1e6).toFixed(0)} MB (${goal(snapshots.bytes < GOALS.bytes, 'under 1 GB')})`,
    '',
  ].join('\n');
}

if (import.meta.main) process.stdout.write(await siteOverTimeReport());
