/** A virtual site in a process of its own; its options as JSON on standard input, its devices on standard output. Ends with the signal. */
import { startSite, type SiteOptions } from '#simulator/index.ts';
import { readInput } from './shared.ts';

const site = await startSite((await readInput()) as SiteOptions);
process.once('SIGTERM', () => {
  void site.close().then(() => process.exit(0));
});
process.stdout.write(`${JSON.stringify({ devices: site.devices })}\n`);
