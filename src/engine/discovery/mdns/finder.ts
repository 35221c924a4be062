/** DNS-SD on every usable interface at once; follows interfaces as they come and go. */
import type { InterfaceReport, SkipReason, VanishReason } from '#shared/discovery.ts';
import type { Clock } from '#engine/api/host.ts';
import type { Claim, DiscoveryTiming, InterfaceAddress, ListInterfaces } from '../types.ts';
import { openLink, type Link } from './link.ts';
import { openTally, reportOf } from './tally.ts';

interface MdnsFinderOptions {
  readonly listInterfaces: ListInterfaces;
  /** Names; undefined: all, the internal one too, for virtual sites of this computer. */
  readonly only: readonly string[] | undefined;
  /** Types of services to ask for: `_http._tcp`. */
  readonly services: readonly string[];
  readonly clock: Clock;
  readonly timing: DiscoveryTiming;
  readonly onHeard: (claim: Claim) => void;
  readonly onGone: (key: string, reason: VanishReason) => void;
}

interface MdnsFinder {
  reports(): readonly InterfaceReport[];
  /** Looks for devices until the signal aborts; then every socket is closed. */
  run(signal: AbortSignal): Promise<void>;
}

/** A failed socket is tried again at every look, in case the interface recovered. */
export function createMdnsFinder(options: MdnsFinderOptions): MdnsFinder {
  const links = new Map<string, Link>();
  const past = new Map<string, InterfaceReport>();
  let interfaces: readonly InterfaceAddress[] = [];

  async function look(): Promise<void> {
    interfaces = options.listInterfaces();
    const wanted = new Map(usable(interfaces, options.only).map((entry) => [keyOf(entry), entry]));
    for (const [key, link] of links) {
      const failed = link.report().state === 'failed';
      if (wanted.has(key) && !failed) continue;
      links.delete(key);
      past.set(key, failed ? link.report() : { ...link.report(), state: 'gone' });
      await link.close('interface');
    }
    for (const [key, entry] of wanted) {
      if (links.has(key)) continue;
      past.delete(key);
      links.set(
        key,
        openLink({
          entry,
          interfaces: () => interfaces,
          services: options.services,
          clock: options.clock,
          timing: options.timing,
          onHeard: options.onHeard,
          onGone: options.onGone,
        }),
      );
    }
    for (const entry of interfaces) {
      const reason = skipReason(entry, interfaces, options.only);
      if (reason !== undefined) past.set(keyOf(entry), reportOf(entry, openTally('skipped', reason)));
    }
  }

  return {
    reports: () => [...[...links.values()].map((link) => link.report()), ...past.values()],
    async run(signal) {
      try {
        while (!signal.aborted) {
          await look();
          await options.clock.delay(options.timing.interfacePollMs, signal);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        await Promise.all([...links.values()].map((link) => link.close(undefined)));
      }
    },
  };
}

/** An interface joins a group once per family: by its first IPv4 address, and by its zone for IPv6. */
function usable(
  interfaces: readonly InterfaceAddress[],
  only: readonly string[] | undefined,
): InterfaceAddress[] {
  return interfaces.filter((entry) => skipReason(entry, interfaces, only) === undefined);
}

function skipReason(
  entry: InterfaceAddress,
  interfaces: readonly InterfaceAddress[],
  only: readonly string[] | undefined,
): SkipReason | undefined {
  if (only !== undefined && !only.includes(entry.name)) return 'not-chosen';
  if (entry.family === 'IPv6' && !entry.address.startsWith('fe80:')) return 'not-link-local';
  const first = interfaces.find(
    (each) =>
      each.name === entry.name &&
      each.family === entry.family &&
      (each.family === 'IPv4' || each.address.startsWith('fe80:')),
  );
  return first === entry ? undefined : 'further-address';
}

function keyOf(entry: InterfaceAddress): string {
  return `${entry.name}|${entry.family}|${entry.address}`;
}
