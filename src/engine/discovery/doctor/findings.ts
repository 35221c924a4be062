/** From what was sent and heard to why a device may be invisible, and what to do next. Pure. */
import { isIPv4 } from 'node:net';
import type { Finding, InterfaceReport, Sighting, SweepReport } from '../../../shared/discovery.ts';
import { inNetworks, SHORTEST_PREFIX } from '../network.ts';
import type { InterfaceAddress } from '../types.ts';
import { sweepFindings } from './sweep-findings.ts';

export interface Evidence {
  readonly interfaces: readonly InterfaceReport[];
  readonly addresses: readonly InterfaceAddress[];
  readonly sightings: readonly Sighting[];
  readonly sweep: SweepReport | undefined;
  /** mDNS was asked for. */
  readonly listens: boolean;
  /** Interfaces that somebody named; the internal one is judged only where it is among them. */
  readonly only?: readonly string[] | undefined;
}

const NOT_PERMITTED = new Set(['EACCES', 'EPERM']);
const NO_ROUTE = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'ENODEV', 'EADDRNOTAVAIL', 'ENETDOWN']);
const MOST_SUBJECTS = 20;

/** Problems first; `all-well` stands alone where nothing is wrong. */
export function findingsOf({ interfaces, ...rest }: Evidence): Finding[] {
  const internal = new Set(
    rest.addresses.flatMap((entry) =>
      entry.internal && rest.only?.includes(entry.name) !== true ? [entry.name] : [],
    ),
  );
  const evidence = { ...rest, interfaces: interfaces.filter(({ name }) => !internal.has(name)) };
  const found = [
    ...(evidence.listens
      ? [
          ...noInterface(evidence),
          ...evidence.interfaces.flatMap((each) => interfaceFindings(each, evidence)),
        ]
      : []),
    ...addressFindings(evidence),
    ...conflictFindings(evidence.sightings),
    ...(evidence.sweep === undefined ? [] : sweepFindings(evidence.sweep)),
  ].map((finding) => ({ ...finding, subjects: finding.subjects.slice(0, MOST_SUBJECTS) }));
  if (found.some((finding) => finding.level === 'problem'))
    return found.sort((one, other) => weight(one) - weight(other));
  const present = evidence.sightings.filter((sighting) => sighting.state === 'present');
  return present.length === 0
    ? found
    : [
        ...found,
        {
          code: 'all-well',
          level: 'ok',
          message: `${present.length} ${present.length === 1 ? 'device answers' : 'devices answer'}; nothing seems to be in the way.`,
          next: 'A device that is still missing may have its announcements switched off: sweep its network or add its address.',
          subjects: [],
        },
      ];
}

function weight({ level }: Finding): number {
  return level === 'problem' ? 0 : level === 'hint' ? 1 : 2;
}

function noInterface({ interfaces }: Evidence): Finding[] {
  if (interfaces.some((each) => each.state !== 'skipped')) return [];
  return [
    {
      code: 'no-interface',
      level: 'problem',
      message: 'This computer has no network interface to search on.',
      next: 'Plug in the network cable or switch on the wireless network, and check that the interface has an address.',
      subjects: interfaces.map((each) => each.name),
    },
  ];
}

function interfaceFindings(report: InterfaceReport, evidence: Evidence): Finding[] {
  const about = { interface: report.name, subjects: [`${report.name} ${report.address}`] };
  if (report.state === 'skipped') return [];
  if (report.state === 'gone') {
    return [
      {
        ...about,
        code: 'interface-gone',
        level: 'hint',
        message: `The interface ${report.name} (${report.address}) went away during the search.`,
        next: 'Check its cable; when it is back it is searched again by itself.',
      },
    ];
  }
  const blocked = blockOf(report);
  if (blocked !== undefined) return [{ ...about, ...blocked }];
  if (report.queriesSent === 0) return [];
  const unreadable: Finding[] =
    report.unreadable === 0
      ? []
      : [
          {
            ...about,
            code: 'unreadable-packets',
            level: 'hint',
            message: `${report.unreadable} packets on ${report.name} could not be read.`,
            next: 'Some device announces itself wrongly; add it by its address if it is the one you miss.',
          },
        ];
  return [...unreadable, ...silenceOf(report, evidence).map((finding) => ({ ...about, ...finding }))];
}

type Bare = Omit<Finding, 'interface' | 'subjects'>;

/** What the operating system refused. */
function blockOf(report: InterfaceReport): Bare | undefined {
  const codes = report.errors.map(({ code }) => code);
  if (codes.some((code) => NOT_PERMITTED.has(code))) {
    return {
      code: 'not-permitted',
      level: 'problem',
      message: `The operating system does not let Fieldwright search on ${report.name} (${codes.join(', ')}).`,
      next: 'Allow Fieldwright in the firewall and in the privacy settings for the local network, then search again.',
    };
  }
  if (codes.includes('EADDRINUSE')) {
    return {
      code: 'port-in-use',
      level: 'problem',
      message: `Another program keeps UDP port 5353 on ${report.name} for itself.`,
      next: 'End the other program that does mDNS, or sweep the network instead.',
    };
  }
  if (report.queriesSent > 0 && report.queriesFailed === 0) return undefined;
  if (codes.some((code) => NO_ROUTE.has(code))) {
    return report.family === 'IPv6'
      ? {
          code: 'ipv6-unavailable',
          level: 'hint',
          message: `IPv6 multicast does not work on ${report.name} (${codes.join(', ')}); only IPv4 is searched there.`,
          next: 'Most devices announce themselves over IPv4 as well: nothing to do unless a device has IPv6 alone.',
        }
      : {
          code: 'no-multicast-route',
          level: 'problem',
          message: `Multicast has no way out of ${report.name} (${codes.join(', ')}).`,
          next: `Give ${report.name} a route for 224.0.0.0/4, check VPN software, or sweep the network instead.`,
        };
  }
  if (report.queriesFailed > 0 || report.state === 'failed') {
    return {
      code: 'send-failed',
      level: report.family === 'IPv6' ? 'hint' : 'problem',
      message: `The search could not be sent on ${report.name} (${codes.join(', ') || 'no reason given'}).`,
      next: 'Unplug and replug the interface, or sweep the network instead.',
    };
  }
  return undefined;
}

/** What silence means, compared with the other interfaces; IPv6 silence says little beside a working IPv4. */
function silenceOf(report: InterfaceReport, { interfaces, sightings }: Evidence): Bare[] {
  if (report.services > 0) return [];
  const here = sightings.some((sighting) => sighting.seenVia.includes(`mdns:${report.name}`));
  if (
    here ||
    (report.family === 'IPv6' &&
      interfaces.some((each) => each.name === report.name && each.family === 'IPv4'))
  )
    return [];
  const asked = `${report.queriesSent} ${report.queriesSent === 1 ? 'query' : 'queries'} went out on ${report.name}`;
  if (report.packetsHeard > 0) {
    return [
      {
        code: 'no-web-services',
        level: 'hint',
        message: `${asked}; ${report.senders} other ${report.senders === 1 ? 'computer or device speaks' : 'computers or devices speak'} mDNS there, but none announces a web service.`,
        next: 'The announcements of the devices may be switched off: sweep the network or add a device by its address.',
      },
    ];
  }
  const others = interfaces
    .filter((each) => each.name !== report.name && each.packetsHeard > 0)
    .map((each) => each.name);
  const code = report.ownPackets > 0 ? 'only-this-computer' : 'nothing-heard';
  const heard =
    report.ownPackets > 0
      ? 'only this computer itself was heard'
      : 'nothing at all was heard, not even our own queries';
  return [
    {
      code,
      level: 'problem',
      message: `${asked}, ${heard}${others.length === 0 ? '' : `, while ${others.join(', ')} hears others`}.`,
      next: [
        report.ownPackets > 0
          ? 'Check that the cable leads to the network of the devices, and that they have power.'
          : 'Suspect the firewall of this computer: allow incoming UDP port 5353.',
        'Switches with IGMP snooping, wireless isolation and other VLANs keep multicast away.',
        `Sweep ${sweepable(report)} or add a device by its address.`,
      ].join(' '),
    },
  ];
}

/** A sweep takes no more than a /20. */
function sweepable({ family, network }: InterfaceReport): string {
  if (family === 'IPv6') return 'its IPv4 network';
  return Number(network.split('/')[1]) >= SHORTEST_PREFIX ? network : `a part of ${network}`;
}

/** Devices that announce addresses this computer cannot reach directly. */
function addressFindings({ sightings, addresses }: Evidence): Finding[] {
  const present = sightings.filter(
    (sighting) => sighting.state === 'present' && sighting.via.startsWith('mdns:'),
  );
  const foreign = present.filter(
    ({ addresses: own }) => own.length > 0 && own.every((address) => !inNetworks(address, addresses)),
  );
  const selfGiven = foreign.filter(({ addresses: own }) =>
    own.some((address) => isIPv4(address) && address.startsWith('169.254.')),
  );
  const elsewhere = foreign.filter((sighting) => !selfGiven.includes(sighting));
  const name = ({ name: text, addresses: own }: Sighting) => `${text} ${own.join(', ')}`;
  return [
    ...(elsewhere.length === 0
      ? []
      : [
          {
            code: 'other-subnet' as const,
            level: 'problem' as const,
            message: `${elsewhere.length} ${elsewhere.length === 1 ? 'device is' : 'devices are'} on the wire with an address outside the networks of this computer.`,
            next: 'Give this computer a second address in the network of the device, or give the device an address of this network.',
            subjects: elsewhere.map(name),
          },
        ]),
    ...(selfGiven.length === 0
      ? []
      : [
          {
            code: 'no-dhcp' as const,
            level: 'problem' as const,
            message: `${selfGiven.length} ${selfGiven.length === 1 ? 'device has given itself' : 'devices have given themselves'} an address (169.254.x.x): no DHCP server answered.`,
            next: 'Check the DHCP server or its VLAN, or give this computer an address in 169.254.0.0/16 to configure them.',
            subjects: selfGiven.map(name),
          },
        ]),
  ];
}

function conflictFindings(sightings: readonly Sighting[]): Finding[] {
  const withKind = (kind: 'address' | 'identity') =>
    sightings.filter((sighting) => sighting.conflicts.some((conflict) => conflict.kind === kind));
  const [address, identity] = [withKind('address'), withKind('identity')];
  return [
    ...(address.length === 0
      ? []
      : [
          {
            code: 'address-conflict' as const,
            level: 'problem' as const,
            message: `${address.length} devices claim an address that another one claims too; whoever answers may change from one moment to the next.`,
            next: 'Disconnect one of them and give it another address.',
            subjects: address.map((sighting) => `${sighting.name} ${sighting.url}`),
          },
        ]),
    ...(identity.length === 0
      ? []
      : [
          {
            code: 'identity-conflict' as const,
            level: 'problem' as const,
            message: `${identity.length} ${identity.length === 1 ? 'name or serial number is' : 'names or serial numbers are'} announced from two places at once.`,
            next: 'Give one of the devices another name; until then add each by its address.',
            subjects: identity.map(
              (sighting) =>
                `${sighting.name} ${sighting.url} and ${sighting.conflicts.find(({ kind }) => kind === 'identity')?.with ?? ''}`,
            ),
          },
        ]),
  ];
}
