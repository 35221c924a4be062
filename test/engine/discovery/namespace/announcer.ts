/** A virtual site that announces itself; `announcer.ts ADDRESS DEVICES PORT`, ends cleanly at SIGTERM. */
import { startSite } from '#test/helpers/strict-site.ts';

const [address = '', devices = '1', port = '0'] = process.argv.slice(2);
const site = await startSite({
  devices: Number(devices),
  port: Number(port),
  host: address,
  mdns: true,
  onProblem: (reason) => {
    process.stderr.write(`${reason}\n`);
  },
});
process.stdout.write(`${JSON.stringify(site.devices.map(({ name, url }) => ({ name, url })))}\n`);
process.once('SIGTERM', () => {
  void site.close().then(() => process.exit(0));
});
