/**
 * Updates the inventory from discovery: a device that moved keeps its row. Announcements prove nothing, so an
 * address is only followed when the old address is silent and the new one answers as this interface does. If
 * a sign-in would be sent along, only the key of the pinned certificate proves enough; without encryption a
 * person decides, for a neighbour can announce a serial number and a realm too: a Digest answer can be
 * guessed at for years, a Basic password read, and a template may hold secrets.
 */
import type { Sighting } from '#shared/discovery.ts';
import type { Device } from '#shared/model.ts';
import type { Clock } from '../api/host.ts';
import { parseAddress } from '../device/transport/address.ts';
import type { Inventory } from '../inventory/devices.ts';
import { probe, type ProbeResult } from './sweep/probe.ts';

interface KnownDevices {
  /** The device of the inventory that this sighting is; learns its identity and follows it to a new address. */
  match(sighting: Sighting): string | undefined;
  /** Resolves when no move is being checked any more. */
  settled(): Promise<void>;
}

const LIMITS = { connectMs: 2_000, totalMs: 5_000 };
/** The list of devices is read again no more often than this. */
const FRESH_MS = 500;
/** A move that was not followed is looked at again after this. */
const AGAIN_MS = 30_000;
/** Moves that are checked at once; the rest waits for its next announcement. */
const MOST_CHECKS = 16;

export function createKnownDevices({
  inventory,
  clock,
  signal,
}: {
  readonly inventory: Inventory;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): KnownDevices {
  const checking = new Map<string, Promise<void>>();
  /** Moves that were checked and not followed, by device. */
  const declined = new Map<string, { readonly url: string; readonly at: number }>();
  let readAt = -Infinity;
  /** More than one where factories gave the same serial number twice. */
  let byIdentity: ReadonlyMap<string | undefined, readonly Device[]> = new Map();
  let byUrl = new Map<string, Device>();

  function refresh(force = false): void {
    const now = clock.now().getTime();
    if (!force && now - readAt < FRESH_MS && now >= readAt) return;
    readAt = now;
    const devices = inventory.list();
    byIdentity = Map.groupBy(devices, ({ identity }) => identity);
    byUrl = new Map(devices.map((device) => [device.url, device]));
  }

  function decline(device: Device, url: string): void {
    declined.set(device.id, { url, at: clock.now().getTime() });
  }

  /**
   * Returns whether the device at the new address is, as far as can be known, the one that the sign-in was
   * given to.
   */
  function fits(device: Device, { certificate }: Extract<ProbeResult, { readonly kind: 'device' }>): boolean {
    return (
      device.signInFrom === undefined || (certificate !== undefined && certificate === device.certificate)
    );
  }

  /** Returns whether the new address is worth a request; see `fits`. */
  function mayFollow(device: Device): boolean {
    return device.signInFrom === undefined || (isSecure(device.url) && device.certificate !== undefined);
  }

  function wasDeclined(device: Device, url: string): boolean {
    const last = declined.get(device.id);
    return last?.url === url && clock.now().getTime() - last.at < AGAIN_MS;
  }

  async function follow(device: Device, url: string): Promise<void> {
    const options = { prefixes: [device.profile.pathPrefix], limits: LIMITS, signal };
    const [there, before] = await Promise.all(
      [url, device.url].map((place) => {
        const { host, port, secure } = parseAddress(place);
        return probe(host, port, secure ? 'https' : 'http', options);
      }),
    );
    if (signal.aborted) return;
    if (there?.kind !== 'device' || before?.kind === 'device' || !fits(device, there)) {
      decline(device, url);
      return;
    }
    try {
      inventory.update({ id: device.id, address: there.url });
    } catch {
      // Removed meanwhile, or another row holds that address: a person decides.
      decline(device, url);
    }
    refresh(true);
  }

  return {
    match(sighting) {
      // Its last address may be another device's by now.
      if (sighting.state !== 'present') return undefined;
      refresh();
      const urls = [sighting.url, ...sighting.alternatives];
      const twins = byIdentity.get(sighting.identity) ?? [];
      const device =
        twins.find(({ url }) => urls.includes(url)) ?? (twins.length === 1 ? twins[0] : undefined);
      if (device === undefined) return matchByUrl(sighting);
      if (urls.includes(device.url) || sighting.conflicts.length > 0 || sighting.outside === true)
        return device.id;
      const url = urls.find((candidate) => isSecure(candidate) === isSecure(device.url));
      if (
        url !== undefined &&
        !wasDeclined(device, url) &&
        !checking.has(device.id) &&
        checking.size < MOST_CHECKS &&
        mayFollow(device)
      ) {
        checking.set(
          device.id,
          follow(device, url).finally(() => checking.delete(device.id)),
        );
      }
      return device.id;
    },
    settled: async () => {
      await Promise.all(checking.values());
    },
  };

  function matchByUrl(sighting: Sighting): string | undefined {
    const isNamed = !sighting.identity.startsWith('address:');
    const device = [sighting.url, ...sighting.alternatives]
      .map((url) => byUrl.get(url))
      .find((found) => found !== undefined && !contradicts(found.identity, sighting.identity));
    if (device === undefined) return undefined;
    if (device.identity === undefined && isNamed && sighting.conflicts.length === 0) {
      inventory.update({ id: device.id, identity: sighting.identity });
      refresh(true);
    }
    return device.id;
  }
}

/** Another serial number or hardware address: another device has taken the address. A name may have been changed. */
function contradicts(known: string | undefined, seen: string): boolean {
  const kind = /^(serial|mac):/.exec(seen)?.[0];
  return kind !== undefined && known !== undefined && known.startsWith(kind) && known !== seen;
}

function isSecure(url: string): boolean {
  return url.startsWith('https:');
}
