/** Schedule of the announcements, the same for the sender and for the counting process. Pure. */
import type { Announced } from './mdns-packet.ts';

export const DEVICES = 5_000;
export const PER_SECOND = 1_000;
export const SECONDS = 10;
/** An interface keeps 4,096 services, so ten thousand devices are on three networks. */
export const NETWORKS = ['10.77.4', '10.77.5', '10.77.6'] as const;

const FIRST_PORT = 20_000;

/**
 * Returns the `index`-th device of the site: the first `DEVICES` are in the inventory, those after are new.
 */
export function deviceAt(index: number): {
  readonly network: number;
  readonly url: string;
  readonly identity: string;
  readonly announced: Announced;
} {
  const network = index % NETWORKS.length;
  const address = `${NETWORKS[network] ?? ''}.2`;
  const number = String(index).padStart(5, '0');
  return {
    network,
    url: `http://${address}:${FIRST_PORT + index}`,
    identity: `serial:bench-${number}`,
    announced: {
      name: `Device ${number}`,
      host: `device-${number}`,
      port: FIRST_PORT + index,
      serial: `bench-${number}`,
      addresses: [address],
    },
  };
}

/**
 * Returns the `turn`-th announcement. Every second one is of a device of the inventory: in the first half of
 * the time it appears, in the second it gains an address, so that its row changes twice. The others are of
 * unknown devices.
 */
export function announcementAt(turn: number): { readonly network: number; readonly announced: Announced } {
  const half = Math.floor(turn / 2);
  if (turn % 2 === 1) return deviceAt(DEVICES + half);
  const again = (PER_SECOND * SECONDS) / 4;
  const { network, announced } = deviceAt(half % again);
  return half < again
    ? { network, announced }
    : {
        network,
        announced: { ...announced, addresses: [...announced.addresses, `${NETWORKS[network] ?? ''}.3`] },
      };
}
