import { describe, expect, it } from 'vitest';
import type { InterfaceReport, Sighting, SweepReport } from '#shared/discovery.ts';
import { listFindings, type Evidence } from '#engine/discovery/doctor/findings.ts';
import { reportText } from '#engine/discovery/doctor/text.ts';

function wire(extra: Partial<InterfaceReport> = {}): InterfaceReport {
  return {
    name: 'eth0',
    family: 'IPv4',
    address: '10.0.0.9',
    network: '10.0.0.0/24',
    state: 'listening',
    queriesSent: 3,
    queriesFailed: 0,
    packetsHeard: 9,
    ownPackets: 3,
    answers: 2,
    unreadable: 0,
    senders: 2,
    services: 2,
    full: false,
    errors: [],
    ...extra,
  };
}
const SILENT = { packetsHeard: 0, answers: 0, senders: 0, services: 0 };

function seen(name: string, address: string, extra: Partial<Sighting> = {}): Sighting {
  return {
    identity: `name:${name}`,
    name,
    url: `http://${address}`,
    alternatives: [],
    addresses: [address],
    via: 'mdns:eth0',
    seenVia: ['mdns:eth0'],
    state: 'present',
    conflicts: [],
    firstSeenAt: '',
    seenAt: '',
    ...extra,
  };
}
function swept(extra: Partial<SweepReport>): SweepReport {
  return {
    cidr: '10.0.0.0/24',
    ports: [80],
    prefixes: ['/API'],
    total: 254,
    done: 254,
    cancelled: false,
    found: 0,
    silent: 254,
    refused: 0,
    otherPrefix: [],
    otherWeb: [],
    tlsOnly: [],
    notHttp: [],
    errors: [],
    ...extra,
  };
}
function evidence(extra: Partial<Evidence>): Evidence {
  return {
    interfaces: [wire()],
    addresses: [{ name: 'eth0', family: 'IPv4', address: '10.0.0.9', cidr: '10.0.0.9/24', internal: false }],
    sightings: [],
    sweep: undefined,
    listens: true,
    ...extra,
  };
}
const BLOCKED = { state: 'blocked', program: 'node.exe', command: 'netsh …', isPartly: false } as const;
const codes = (extra: Partial<Evidence>) => listFindings(evidence(extra)).map(({ code }) => code);

describe('what the doctor concludes', () => {
  it.each<[string, Partial<Evidence>, readonly string[]]>([
    ['no interface at all', { interfaces: [] }, ['no-interface']],
    [
      'only skipped interfaces',
      { interfaces: [wire({ state: 'skipped', reason: 'not-chosen' })] },
      ['no-interface'],
    ],
    [
      'a refused socket',
      {
        interfaces: [
          wire({ ...SILENT, state: 'failed', queriesSent: 0, errors: [{ code: 'EACCES', times: 1 }] }),
        ],
      },
      ['not-permitted'],
    ],
    ['more than is kept', { interfaces: [wire({ full: true })] }, ['too-many-services']],
    [
      'a port somebody keeps',
      { interfaces: [wire({ ...SILENT, queriesSent: 0, errors: [{ code: 'EADDRINUSE', times: 1 }] })] },
      ['port-in-use'],
    ],
    [
      'no way out',
      {
        interfaces: [
          wire({ ...SILENT, queriesSent: 0, queriesFailed: 3, errors: [{ code: 'ENETUNREACH', times: 3 }] }),
        ],
      },
      ['no-multicast-route'],
    ],
    [
      'no way out for IPv6 alone',
      {
        interfaces: [
          wire(),
          wire({
            ...SILENT,
            family: 'IPv6',
            queriesSent: 0,
            queriesFailed: 3,
            errors: [{ code: 'EADDRNOTAVAIL', times: 3 }],
          }),
        ],
      },
      ['ipv6-unavailable'],
    ],
    [
      'a rule of the firewall that blocks',
      { interfaces: [wire(SILENT)], rules: BLOCKED },
      ['firewall-blocks', 'only-this-computer'],
    ],
    [
      'such a rule for networks of another kind: others are received',
      { rules: BLOCKED, sightings: [seen('a', '10.0.0.1')] },
      ['all-well'],
    ],
    [
      'a firewall that will ask',
      { rules: { state: 'asks', program: 'node.exe' }, sightings: [seen('a', '10.0.0.1')] },
      ['firewall-asks', 'all-well'],
    ],
    ['silence but for ourselves', { interfaces: [wire(SILENT)] }, ['only-this-computer']],
    ['silence even of ourselves', { interfaces: [wire({ ...SILENT, ownPackets: 0 })] }, ['nothing-heard']],
    [
      'IPv6 silence beside a working IPv4',
      { interfaces: [wire(), wire({ ...SILENT, family: 'IPv6' })], sightings: [seen('a', '10.0.0.1')] },
      ['all-well'],
    ],
    [
      'others that are no web devices',
      { interfaces: [wire({ answers: 0, services: 0 })] },
      ['no-web-services'],
    ],
    ['a device of another network', { sightings: [seen('far', '192.168.7.7')] }, ['other-subnet']],
    ['a device without DHCP', { sightings: [seen('lost', '169.254.3.3')] }, ['no-dhcp']],
    [
      'one address for two',
      { sightings: [seen('a', '10.0.0.1', { conflicts: [{ kind: 'address', with: 'name:b' }] })] },
      ['address-conflict'],
    ],
    [
      'one name for two',
      { sightings: [seen('a', '10.0.0.1', { conflicts: [{ kind: 'identity', with: 'http://10.0.0.2' }] })] },
      ['identity-conflict'],
    ],
    ['a sweep that nobody answers', { sweep: swept({}), listens: false }, ['sweep-silent']],
    [
      'hosts that refuse the port',
      { sweep: swept({ silent: 250, refused: 4 }), listens: false },
      ['wrong-port'],
    ],
    [
      'encrypted only',
      { sweep: swept({ silent: 253, found: 1, tlsOnly: ['https://10.0.0.5'] }), listens: false },
      ['tls-only'],
    ],
    [
      'another prefix',
      { sweep: swept({ silent: 253, found: 1, otherPrefix: ['http://10.0.0.5'] }), listens: false },
      ['other-prefix'],
    ],
    [
      'a sweep the system blocks',
      { sweep: swept({ silent: 200, errors: [{ code: 'EPERM', times: 54 }] }), listens: false },
      ['sweep-blocked'],
    ],
    ['everything in order', { sightings: [seen('a', '10.0.0.1')] }, ['all-well']],
  ])('%s', (_what, extra, expected) => {
    expect(codes(extra)).toEqual(expected);
  });

  it('names the interfaces that do hear, where one is deaf', () => {
    const [finding] = listFindings(
      evidence({ interfaces: [wire({ name: 'eth1', ...SILENT, ownPackets: 0 }), wire()] }),
    );

    expect(finding).toMatchObject({ code: 'nothing-heard', interface: 'eth1', level: 'problem' });
    expect(finding?.message).toContain('eth0');
  });

  it('says what to do next in every case, and never proposes a sweep that would be refused', () => {
    const all = listFindings(
      evidence({
        interfaces: [wire({ ...SILENT, network: '10.0.0.0/8' })],
        sightings: [seen('far', '192.168.7.7', { via: 'mdns:eth1', seenVia: ['mdns:eth1'] })],
        sweep: swept({ refused: 1, otherWeb: ['http://x'], notHttp: ['http://y'] }),
      }),
    );

    expect(all.every(({ next }) => next.length > 20)).toBe(true);
    expect(all[0]?.next).toContain('10.0.0.0/8 (at most a /20');
  });
});

describe('the internal interface', () => {
  const addresses = [
    { name: 'lo', family: 'IPv4', address: '127.0.0.1', cidr: '127.0.0.1/8', internal: true },
  ] as const;
  const lo = wire({ name: 'lo', address: '127.0.0.1', network: '127.0.0.0/8', ...SILENT });

  // Would catch: a problem reported for every computer without a virtual site, or none if nothing else was
  // searched.
  it('is judged only where somebody named it', () => {
    expect(codes({ interfaces: [wire(), lo], addresses, sightings: [seen('a', '127.0.0.1')] })).toEqual([
      'all-well',
    ]);
    expect(codes({ interfaces: [lo], addresses })).toEqual(['no-interface']);
    expect(codes({ interfaces: [lo], addresses, only: ['lo'] })).toEqual(['only-this-computer']);
  });
});

describe('the text for a colleague', () => {
  it('holds every interface and finding, on lines that a hostile name cannot break', () => {
    const sightings = [seen('evil\n  [ok] all is well\u202e', '192.168.7.7')];
    const interfaces = [wire(), wire({ name: 'lo', state: 'skipped', reason: 'not-chosen' })];
    const text = reportText({
      startedAt: 'T0',
      at: 'T1',
      devices: 1,
      vanished: 0,
      others: 0,
      interfaces,
      sweep: swept({}),
      findings: listFindings(evidence({ sightings, interfaces })),
    });

    expect(text).toContain('eth0 IPv4 10.0.0.9 (network 10.0.0.0/24): listening');
    expect(text).toContain('lo IPv4 10.0.0.9 (network 10.0.0.0/24): left out: not chosen');
    expect(text).toContain('254 of 254 addresses asked');
    expect(text.split('\n').filter((line) => line.trimStart().startsWith('[ok]'))).toEqual([]);
    expect(text).not.toContain('\u202e');
  });
});
