import { describe, expect, it } from 'vitest';
import {
  countHosts,
  listHosts,
  isInNetworks,
  isHostAddress,
  parseCidr,
  requireOwnNetwork,
  getIpv6Zone,
} from '#engine/discovery/network.ts';
import type { InterfaceAddress } from '#engine/discovery/types.ts';
import { codeOf } from '../inventory/open-inventory.ts';

const OWN: InterfaceAddress[] = [
  { name: 'lo', family: 'IPv4', address: '127.0.0.1', cidr: '127.0.0.1/8', internal: true },
  { name: 'eth0', family: 'IPv4', address: '192.168.1.77', cidr: '192.168.1.77/24', internal: false },
];

describe('ranges', () => {
  it.each([
    ['192.168.1.9/24', '192.168.1.0/24', 254],
    ['10.0.0.1', '10.0.0.1/32', 1],
    ['10.0.0.1/31', '10.0.0.0/31', 2],
    ['255.255.255.255/30', '255.255.255.252/30', 2],
    ['10.0.16.5/20', '10.0.16.0/20', 4094],
  ])('%s is %s with %i hosts', (text, cidr, hosts) => {
    const range = parseCidr(text);

    expect(range.cidr).toBe(cidr);
    expect([countHosts(range), [...listHosts(range)].length]).toEqual([hosts, hosts]);
  });

  it('leaves out the addresses of the network itself and of the broadcast', () => {
    expect([...listHosts(parseCidr('192.168.1.0/30'))]).toEqual(['192.168.1.1', '192.168.1.2']);
  });

  it.each([
    ['10.0.0.0/19', 'out-of-range'],
    ['0.0.0.0/0', 'out-of-range'],
    ['10.0.0/24', 'usage'],
    ['10.0.0.0/33', 'usage'],
    ['10.0.0.0/24/1', 'usage'],
    ['fe80::/64', 'usage'],
    ['10.0.0.0/-1', 'usage'],
    ['', 'usage'],
    ['010.0.0.1', 'usage'],
  ])('refuses %s as %s', (text, code) => {
    expect(codeOf(() => parseCidr(text))).toBe(code);
  });

  // Would catch: a sweep of another owner's network because of a typing slip.
  it.each([
    ['192.168.1.0/24', undefined],
    ['192.168.1.128/25', undefined],
    ['127.0.0.0/28', undefined],
    ['192.168.0.0/23', 'not-allowed'],
    ['192.168.2.0/24', 'not-allowed'],
    ['8.8.8.8', 'not-allowed'],
  ])('own networks hold %s: %s', (text, code) => {
    expect(codeOf(() => requireOwnNetwork(parseCidr(text), OWN))).toBe(code);
  });

  // Would catch: a neighbour that announces itself at an address of this computer, or of everybody.
  it.each([
    ['0.0.0.0', false],
    ['127.0.0.1', false],
    ['224.0.0.251', false],
    ['255.255.255.255', false],
    ['::', false],
    ['::1', false],
    ['ff02::1', false],
    ['::ffff:127.0.0.1', false],
    ['10.0.0.1', true],
    ['169.254.7.7', true],
    ['223.1.1.1', true],
    ['fe80::1', true],
    ['fd00::1', true],
    ['2001:db8::1', true],
  ])('another host can have %s: %s', (address, can) => {
    expect(isHostAddress(address)).toBe(can);
  });

  it('knows which addresses are near, also with a zone and also broken ones', () => {
    const near: InterfaceAddress[] = [
      ...OWN,
      { name: 'eth0', family: 'IPv6', address: 'fe80::1', cidr: 'fe80::1/64', internal: false },
    ];

    expect(
      ['192.168.1.3', 'fe80::77%eth0', '10.0.0.1', 'nonsense'].map((address) => isInNetworks(address, near)),
    ).toEqual([true, true, false, false]);
  });
});

describe('zones of link-local addresses', () => {
  // Would catch: addresses with the name of a Windows interface ("Ethernet 2") in them, which nothing can connect to.
  it('are names, on Windows numbers', () => {
    const entries = [
      {
        name: 'Ethernet 2',
        family: 'IPv6',
        address: 'fe80::1',
        cidr: 'fe80::1/64',
        internal: false,
        scopeId: 12,
      },
    ] as const;

    expect(
      (['linux', 'darwin', 'win32'] as const).map((platform) => getIpv6Zone('Ethernet 2', entries, platform)),
    ).toEqual(['Ethernet 2', 'Ethernet 2', '12']);
  });
});
