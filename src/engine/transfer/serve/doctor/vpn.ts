/** Finds VPN interfaces, which lead into other networks, and the interface of the default route. */
import type { InterfaceAddress } from '#engine/discovery/types.ts';
import type { SystemView } from './system.ts';

const TUNNELS =
  /^(tun|tap|wg|utun|ppp|ipsec|tailscale|zt|nordlynx|proton|gpd|cscotun)\d*|vpn|wireguard|tailscale|zerotier|anyconnect|globalprotect|forti|pulse|nordlynx|wintun|tap-windows|hamachi|cloudflarewarp|netbird|mullvad|check ?point|sonicwall|zscaler|^ppp adapter/i;

/**
 * Finds VPN interfaces by name. macOS always has such interfaces; only one with an IPv4 address is in use.
 */
export function findTunnels(interfaces: readonly InterfaceAddress[]): ReadonlySet<string> {
  return new Set(
    interfaces.flatMap(({ name, family, internal }) =>
      !internal && family === 'IPv4' && TUNNELS.test(name) ? [name] : [],
    ),
  );
}

/** Returns the name of the interface of the default route; undefined if there is none or it is unknown. */
export async function findDefaultInterface(view: SystemView): Promise<string | undefined> {
  switch (view.platform) {
    case 'win32':
      return parseWindowsDefault(await view.run('route', ['print', '-4', '0.0.0.0']), view.interfaces());
    case 'darwin':
      return parseMacDefault(await view.run('route', ['-n', 'get', 'default']));
    default:
      return parseLinuxDefault(await view.readText('/proc/net/route'));
  }
}

export function parseLinuxDefault(table: string | undefined): string | undefined {
  return (table ?? '')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, destination, , , , , , mask]) => destination === '00000000' && mask === '00000000')
    .toSorted((one, other) => Number(one[6]) - Number(other[6]))[0]?.[0];
}

export function parseMacDefault(text: string | undefined): string | undefined {
  return /^\s*interface:\s*(\S+)/m.exec(text ?? '')?.[1];
}

/** The table names the interface by its address. */
export function parseWindowsDefault(
  table: string | undefined,
  interfaces: readonly InterfaceAddress[],
): string | undefined {
  const routes = [...(table ?? '').matchAll(/^\s*0\.0\.0\.0\s+0\.0\.0\.0\s+\S+\s+(\S+)\s+(\d+)/gm)];
  const [first] = routes.toSorted(([, , one], [, , other]) => Number(one) - Number(other));
  return interfaces.find(({ address }) => address === first?.[1])?.name;
}
