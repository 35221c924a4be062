/** Discovery over real multicast, on a cable between two network namespaces. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DiscoveryEvent, DoctorReport, Sighting } from '#shared/discovery.ts';
import {
  canHaveNetwork,
  MOVED_ADDRESS,
  openNetwork,
  SITE_ADDRESS,
  type CableNetwork,
  type Child,
  type Host,
} from './namespace/network.ts';

const permitted = canHaveNetwork();
const DEVICES = 50;

interface Line {
  readonly event?: DiscoveryEvent;
  readonly devices?: readonly { readonly id: string; readonly url: string; readonly identity?: string }[];
}

describe.skipIf(!permitted)(
  'two hosts on one cable (skipped where network namespaces are not permitted)',
  () => {
    let folder = '';
    let network: CableNetwork | undefined;
    const children: Child[] = [];
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'fieldwright-discovery-'));
      network = openNetwork();
    });
    afterEach(async () => {
      for (const child of children) child.process.kill('SIGKILL');
      await Promise.all(children.splice(0).map((child) => child.ended));
      network?.remove();
      rmSync(folder, { recursive: true, force: true });
    });

    function start(host: Host | undefined, file: string, args: readonly string[]): Child {
      if (host === undefined) throw new Error('no network');
      const child = host.start(file, args);
      children.push(child);
      return child;
    }
    /** Reads until `enough`; the lines read. */
    async function until(child: Child, enough: (line: Line) => boolean): Promise<Line[]> {
      const lines: Line[] = [];
      for (;;) {
        const next = await child.lines.next();
        if (next.done === true) throw new Error(`ended early: ${child.errors()}`);
        const line = JSON.parse(next.value) as Line;
        lines.push(line);
        if (enough(line)) return lines;
      }
    }
    async function announce(
      address: string,
      devices = DEVICES,
    ): Promise<{
      readonly child: Child;
      readonly devices: readonly { readonly name: string; readonly url: string }[];
    }> {
      const child = start(network?.site, 'announcer.ts', [address, String(devices), '20000']);
      const first = await child.lines.next();
      return { child, devices: JSON.parse(String(first.value)) as { name: string; url: string }[] };
    }

    // Would catch: a search that found nothing and looks like one that failed, or says nothing at all.
    it('ends well and says so where nothing was found', async () => {
      const laptop = start(network?.laptop, '../../../../src/cli/index.ts', [
        'discover',
        '--seconds',
        '0.1',
        '--interface',
        'lo',
        '--json',
        '--data-dir',
        join(folder, 'nothing'),
      ]);
      const lines: string[] = [];
      for await (const line of laptop.lines) lines.push(line);
      await laptop.ended;

      expect({ lines, code: laptop.process.exitCode }).toEqual({ lines: [], code: 0 });
      expect(laptop.errors()).toContain('No device was found');
    });

    // Would catch: one interface or one query only; vanished devices that stay; a moved device as a second row.
    it('finds 50 devices, marks those that vanish, and knows them again at another address', async () => {
      const before = await announce(SITE_ADDRESS);
      const laptop = start(network?.laptop, 'discoverer.ts', [join(folder, 'one')]);
      const rows = new Map<string, Sighting>();
      const vanished = new Map<string, string>();
      let report: DoctorReport | undefined;
      const take = ({ event }: Line): void => {
        if (event?.type === 'sighting') {
          rows.set(event.sighting.identity, event.sighting);
          vanished.delete(event.sighting.identity);
        }
        if (event?.type === 'vanished') vanished.set(event.sighting.identity, event.reason);
        if (event?.type === 'doctor') report = event.report;
      };

      await until(laptop, (line) => {
        take(line);
        return rows.size >= DEVICES;
      });
      expect([...rows.values()].map(({ name, url }) => ({ name, url })).toSorted(byName)).toEqual(
        [...before.devices].toSorted(byName),
      );
      expect(
        [...rows.values()].every(
          ({ via, conflicts, pathPrefix }) =>
            via === 'mdns:lap0' && conflicts.length === 0 && pathPrefix === '/API',
        ),
      ).toBe(true);
      const identities = [...rows.keys()].toSorted();

      laptop.say(`add ${before.devices[0]?.url}`);
      await until(laptop, (line) => {
        take(line);
        return line.event?.type === 'sighting' && line.event.sighting.deviceId !== undefined;
      });
      laptop.say('devices');
      const known = (
        await until(laptop, (line) => {
          take(line);
          return line.devices !== undefined;
        })
      ).at(-1)?.devices?.[0];
      expect(known?.identity).toBe(
        [...rows.values()].find(({ name }) => name === before.devices[0]?.name)?.identity,
      );

      laptop.say('speed 10');
      before.child.process.kill('SIGKILL');
      await until(laptop, (line) => {
        take(line);
        return vanished.size >= DEVICES;
      });
      expect(new Set(vanished.values())).toEqual(new Set(['unanswered']));

      network?.site.ip('addr', 'del', `${SITE_ADDRESS}/24`, 'dev', 'site0');
      network?.site.ip('addr', 'add', `${MOVED_ADDRESS}/24`, 'dev', 'site0');
      network?.site.ip('route', 'replace', '224.0.0.0/4', 'dev', 'site0');
      const after = await announce(MOVED_ADDRESS);
      const moved = () =>
        [...rows.values()].filter(
          ({ previousUrl, url }) =>
            url.includes(MOVED_ADDRESS) && previousUrl?.includes(SITE_ADDRESS) === true,
        );
      await until(laptop, (line) => {
        take(line);
        return moved().length >= DEVICES;
      });
      expect([...rows.keys()].toSorted()).toEqual(identities);
      expect([...rows.values()].every(({ conflicts }) => conflicts.length === 0)).toBe(true);

      // The inventory follows once the new place answered and the old one did not.
      let listed: Line['devices'];
      while (listed?.[0]?.url !== after.devices[0]?.url) {
        laptop.say('devices');
        listed = (
          await until(laptop, (line) => {
            take(line);
            return line.devices !== undefined;
          })
        ).at(-1)?.devices;
      }
      expect(listed).toEqual([{ ...known, url: after.devices[0]?.url }]);

      vanished.clear();
      after.child.process.kill('SIGTERM');
      await until(laptop, (line) => {
        take(line);
        return vanished.size >= DEVICES;
      });
      expect(new Set(vanished.values())).toEqual(new Set(['goodbye']));
      laptop.say('end');
      await until(laptop, (line) => {
        take(line);
        return line.event?.type === 'doctor' && line.event.report.vanished === DEVICES;
      });
      expect(
        report?.interfaces.find(({ name, family }) => name === 'lap0' && family === 'IPv4'),
      ).toMatchObject({ state: 'listening', senders: 2, queriesFailed: 0 });
      expect(report?.interfaces.find(({ name, family }) => name === 'lo' && family === 'IPv4')).toMatchObject(
        { state: 'listening', services: 0 },
      );
      await laptop.ended;
    });

    // Would catch: a packet that ends the process, and a cable that has to be followed by a restart.
    it('shrugs off hostile packets, and finds the devices again after the cable was out', async () => {
      const site = await announce(SITE_ADDRESS, 3);
      const laptop = start(network?.laptop, 'discoverer.ts', [join(folder, 'two')]);
      const present = new Map<string, Sighting>();
      const reasons = new Set<string>();
      let report: DoctorReport | undefined;
      const take = ({ event }: Line): void => {
        if (event?.type === 'sighting') present.set(event.sighting.identity, event.sighting);
        if (event?.type === 'vanished') {
          present.delete(event.sighting.identity);
          reasons.add(event.reason);
        }
        if (event?.type === 'doctor') report = event.report;
      };
      await until(laptop, (line) => {
        take(line);
        return present.size >= 3;
      });

      const noise = start(network?.site, 'noise.ts', [SITE_ADDRESS]);
      await noise.ended;
      network?.site.ip('link', 'set', 'site0', 'down');
      await until(laptop, (line) => {
        take(line);
        return present.size === 0;
      });
      network?.site.ip('link', 'set', 'site0', 'up');
      for (const host of [network?.site, network?.laptop])
        host?.ip('route', 'replace', '224.0.0.0/4', 'dev', host.interface);
      await until(laptop, (line) => {
        take(line);
        return present.size >= 3;
      });
      laptop.say('end');
      await until(laptop, (line) => {
        take(line);
        return (
          line.event?.type === 'doctor' &&
          line.event.report.devices === 3 &&
          line.event.report.interfaces.some(({ name, state }) => name === 'lap0' && state === 'listening')
        );
      });

      expect([...present.values()].map(({ name }) => name).toSorted()).toEqual(
        site.devices.map(({ name }) => name).toSorted(),
      );
      expect([...reasons]).toEqual(['interface']);
      expect(report?.text).toContain('lap0 IPv4');
      await laptop.ended;
    });

    // Would catch: a whole device that was not asked for by its type, printers among the devices, a
    // stranger's address offered, an IPv6 address too long to read out.
    it('tells devices from printers and routers, asks for types of their own, and offers addresses within reach', async () => {
      const street = start(network?.site, 'mixed-street.ts', [SITE_ADDRESS]);
      await street.lines.next();
      const laptop = start(network?.laptop, 'discoverer.ts', [join(folder, 'street')]);
      const rows = new Map<string, Sighting>();

      await until(laptop, ({ event }) => {
        if (event?.type === 'sighting') rows.set(event.sighting.name, event.sighting);
        return rows.size >= 6;
      });
      laptop.say('end');
      const report = (
        await until(laptop, ({ event }) => event?.type === 'doctor' && event.report.others === 3)
      ).at(-1)?.event;

      const shown = [...rows.values()]
        .map(({ name, url, recognised, outside, alternatives }) => ({
          name,
          url,
          recognised,
          outside,
          alternatives,
        }))
        .toSorted(byName);
      expect(shown).toEqual(
        [
          { name: 'Far away', url: 'http://198.51.100.7', outside: true, alternatives: [] },
          { name: 'Office copier', url: `http://${SITE_ADDRESS}:8003`, recognised: 'web', alternatives: [] },
          {
            name: 'Own kind',
            url: `http://${SITE_ADDRESS}:20001`,
            alternatives: ['http://[fe80::77%25lap0]:20001'],
          },
          { name: 'Printer', url: `http://${SITE_ADDRESS}:8002`, recognised: 'web', alternatives: [] },
          { name: 'Router', url: `http://${SITE_ADDRESS}:8001`, recognised: 'web', alternatives: [] },
          {
            name: 'Two ways',
            url: `http://${SITE_ADDRESS}:20001`,
            alternatives: ['http://[fe80::78%25lap0]:20001'],
          },
        ].map((row) => ({ recognised: undefined, outside: undefined, ...row })),
      );
      expect(report).toMatchObject({ report: { devices: 3, others: 3 } });
      await laptop.ended;
    });

    // Would catch: printers that vanish from `discover` without a word, or cannot be had at all.
    it('`discover` counts printers and routers, and lists them where it is asked for all', async () => {
      const street = start(network?.site, 'mixed-street.ts', [SITE_ADDRESS]);
      await street.lines.next();
      const listed = async (name: string, ...more: readonly string[]) => {
        const lines: { readonly type: string; readonly name?: string; readonly count?: number }[] = [];
        const child = start(network?.laptop, '../../../../src/cli/index.ts', [
          'discover',
          '--seconds',
          '4',
          '--json',
          '--data-dir',
          join(folder, name),
          ...more,
        ]);
        for await (const line of child.lines) lines.push(JSON.parse(line) as (typeof lines)[number]);
        await child.ended;
        return { lines, notes: child.errors() };
      };

      const [devices, all] = await Promise.all([listed('devices'), listed('all', '--all')]);

      const names = (lines: typeof all.lines) =>
        [
          ...new Set(
            lines.flatMap(({ type, name }) => (type === 'sighting' && name !== undefined ? [name] : [])),
          ),
        ].toSorted();
      expect(names(devices.lines)).toEqual(['Far away', 'Own kind', 'Two ways']);
      expect(devices.lines.at(-1)).toEqual({ type: 'others', count: 3 });
      expect(devices.notes).toContain('Not shown: 3 printers and other web services; --all shows them.');
      expect(names(all.lines)).toEqual([
        'Far away',
        'Office copier',
        'Own kind',
        'Printer',
        'Router',
        'Two ways',
      ]);
      expect(all.lines.some(({ type }) => type === 'others')).toBe(false);
    });

    // Would catch: the first button of the demo, which finds nothing because the virtual site is on the loopback interface.
    it('finds a virtual site of this very computer without being told where', async () => {
      const site = start(network?.laptop, 'announcer.ts', ['127.0.0.1', '12', '20000']);
      const devices = JSON.parse(String((await site.lines.next()).value)) as {
        readonly name: string;
        readonly url: string;
      }[];
      const laptop = start(network?.laptop, 'discoverer.ts', [join(folder, 'own')]);
      const rows = new Map<string, Sighting>();

      await until(laptop, ({ event }) => {
        if (event?.type === 'sighting') rows.set(event.sighting.identity, event.sighting);
        return rows.size >= 12;
      });

      expect([...rows.values()].map(({ name, url }) => ({ name, url })).toSorted(byName)).toEqual(
        devices.toSorted(byName),
      );
      expect(
        [...rows.values()].every(
          ({ via, outside, addresses }) =>
            via === 'mdns:lo' && outside === undefined && addresses.join() === '127.0.0.1',
        ),
      ).toBe(true);
    });
  },
);

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}
