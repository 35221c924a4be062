/**
 * The virtual site in a process of its own: four groups of devices of different latency, each with its own
 * seed, all with faults, among them restarts. Its log is sent over the channel, not over HTTP.
 */
import { startSite, type Site } from '#simulator/index.ts';
import type { SiteAnswer, SiteOrder, SiteQuestion } from './messages.ts';

const LATENCIES_MS = [0, 1, 3, 8];
const FAULTS = ['busy:0.06', 'reset:0.03', 'reset-after:0.08', 'slow:0.04', 'ignored:0.05', 'reboot:0.05'];
const SLOW_MS = 20;
/** A device that asked for a restart restarts by itself, in the middle of other work. */
const RESTART = { restartAfterMs: 40, awayMs: 60 };

const tell = (answer: SiteAnswer): void => {
  process.send?.(answer);
};
let sites: readonly Site[] = [];
let size = 0;

async function open({ devices, seed }: SiteOrder): Promise<void> {
  size = devices / LATENCIES_MS.length;
  sites = await Promise.all(
    LATENCIES_MS.map((latencyMs, group) =>
      startSite({
        devices: size,
        kinds: ['thermal'],
        seed: seed + group,
        latencyMs,
        slowMs: SLOW_MS,
        faults: FAULTS,
        auth: 'digest',
        ...RESTART,
      }),
    ),
  );
  tell({
    type: 'ready',
    devices: sites.flatMap((site, group) =>
      site.devices.map((device) => ({ ...device, name: `${device.name} ${group}` })),
    ),
  });
}

async function answer(question: SiteQuestion): Promise<void> {
  const devices = sites.flatMap((site) =>
    site.devices.map(({ url }, index) => ({ url, device: site.device(index) })),
  );
  if (question === 'log')
    tell({
      type: 'log',
      devices: devices.map(({ url, device }) => ({
        url,
        requests: device.requests,
        documents: device.state().documents,
      })),
    });
  if (question === 'faults-off') {
    for (const { device } of devices) device.clearFaults();
    tell({ type: 'done' });
  }
  if (question === 'end') {
    await Promise.all(sites.map((site) => site.close()));
    process.disconnect?.();
  }
}

process.on('message', (message: SiteOrder | SiteQuestion) => {
  void (typeof message === 'string' ? answer(message) : open(message));
});
// The process that started the site has ended: so does the site.
process.on('disconnect', () => process.exit());
