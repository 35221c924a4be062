import { afterEach, describe, expect, test } from 'vitest';
import { startSite } from '../helpers/strict-site.ts';
import { startTestServer, type TestServer } from './helpers/running-server.ts';
import type { DiscoveryEvent } from '#shared/discovery.ts';

let running: TestServer | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe('discovery over a socket', () => {
  test('streams what a sweep finds, then ends (else: the site screen stays empty)', async () => {
    running = await startTestServer();
    const page = await running.page();
    const site = await startSite({ host: '127.9.3.1' });
    const url = site.devices[0]?.url ?? '';
    const seen: unknown[] = [];

    for await (const event of await page.api.discovery.watch({
      mdns: false,
      sweep: { cidr: '127.9.3.1', ports: [Number(new URL(url).port)] },
    }))
      seen.push(event);
    await site.close();

    expect(seen).toContainEqual(
      expect.objectContaining({ type: 'sighting', sighting: expect.objectContaining({ url, via: 'sweep' }) }),
    );
  });

  test("gives the doctor's report as text (else: nothing to copy to a colleague)", async () => {
    running = await startTestServer();
    const page = await running.page();

    const events: DiscoveryEvent[] = [];
    for await (const event of await page.api.discovery.watch({
      interfaces: ['lo'],
      doctor: true,
      seconds: 0.1,
    }))
      events.push(event);

    expect(events.at(-1)).toMatchObject({
      type: 'doctor',
      report: { text: expect.stringContaining('lo IPv4 127.0.0.1') as string },
    });
  });

  test.each([
    ['a network that is not ours', { sweep: { cidr: '203.0.113.0/28' } }],
    ['a range that is too wide', { sweep: { cidr: '127.0.0.0/8' } }],
    ['a time without end', { seconds: 1e9 }],
    ['a thousand addresses', { addresses: Array.from({ length: 1000 }, () => '127.0.0.1') }],
  ])('refuses %s (else: a page sweeps the internet)', async (_what, input) => {
    running = await startTestServer();
    const page = await running.page();

    const refused = (async () => {
      for await (const _event of await page.api.discovery.watch({ mdns: false, ...input })) {
        /* nothing may come */
      }
    })();

    await expect(refused).rejects.toThrow();
  });
});
