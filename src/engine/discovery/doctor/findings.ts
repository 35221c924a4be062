/** Explains from sent and received packets why a device may be invisible, and what to do next. Pure. */
import { isIPv4 } from 'node:net';
import type { Finding, InterfaceReport, Sighting, SweepReport } from '#shared/discovery.ts';
import { isInNetworks } from '../network.ts';
import type { InterfaceAddress } from '../types.ts';
import { describeFinding } from './finding.ts';
import { listSweepFindings } from './sweep-findings.ts';

export interface Evidence {
  readonly interfaces: readonly InterfaceReport[];
  readonly addresses: readonly InterfaceAddress[];
  readonly sightings: readonly Sighting[];
  readonly sweep: SweepReport | undefined;
  /** mDNS was asked for. */
  readonly listens: boolean;
  /** Interfaces named by the user; the internal one is judged only if it is among them. */
  readonly only?: readonly string[] | undefined;
}

const NOT_PERMITTED = new Set(['EACCES', 'EPERM']);
const NO_ROUTE = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'ENODEV', 'EADDRNOTAVAIL', 'ENETDOWN']);
const MOST_SUBJECTS = 20;

/** Lists the findings, problems first; `all-well` comes alone if nothing is wrong. */
export function listFindings({ interfaces, ...rest }: Evidence): Finding[] {
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
    ...(evidence.sweep === undefined ? [] : listSweepFindings(evidence.sweep)),
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
          ...describeFinding('doctor.all-well'),
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
      ...describeFinding('doctor.no-interface'),
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
        ...describeFinding('doctor.interface-gone', { interface: report.name }),
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
            ...describeFinding('doctor.unreadable-packets', { interface: report.name }),
          },
        ];
  const full: Finding[] = report.full
    ? [
        {
          ...about,
          code: 'too-many-services',
          level: 'problem',
          ...describeFinding('doctor.too-many-services', { interface: report.name }),
        },
      ]
    : [];
  return [
    ...full,
    ...unreadable,
    ...silenceOf(report, evidence).map((finding) => ({ ...about, ...finding })),
  ];
}

type Bare = Omit<Finding, 'interface' | 'subjects'>;

/** Returns the finding for packets that the operating system refused. */
function blockOf(report: InterfaceReport): Bare | undefined {
  const codes = report.errors.map(({ code }) => code);
  if (codes.some((code) => NOT_PERMITTED.has(code))) {
    return {
      code: 'not-permitted',
      level: 'problem',
      ...describeFinding('doctor.not-permitted', { interface: report.name }),
    };
  }
  if (codes.includes('EADDRINUSE')) {
    return {
      code: 'port-in-use',
      level: 'problem',
      ...describeFinding('doctor.port-in-use', { interface: report.name }),
    };
  }
  if (report.queriesSent > 0 && report.queriesFailed === 0) return undefined;
  if (codes.some((code) => NO_ROUTE.has(code))) {
    return report.family === 'IPv6'
      ? {
          code: 'ipv6-unavailable',
          level: 'hint',
          ...describeFinding('doctor.ipv6-unavailable', { interface: report.name }),
        }
      : {
          code: 'no-multicast-route',
          level: 'problem',
          ...describeFinding('doctor.no-multicast-route', { interface: report.name }),
        };
  }
  if (report.queriesFailed > 0 || report.state === 'failed') {
    return {
      code: 'send-failed',
      level: report.family === 'IPv6' ? 'hint' : 'problem',
      ...describeFinding('doctor.send-failed', { interface: report.name }),
    };
  }
  return undefined;
}

/**
 * Returns the findings for an interface without answers, compared with the other interfaces; IPv6 silence
 * means little beside a working IPv4.
 */
function silenceOf(report: InterfaceReport, { interfaces, sightings }: Evidence): Bare[] {
  if (report.services > 0) return [];
  const here = sightings.some((sighting) => sighting.seenVia.includes(`mdns:${report.name}`));
  if (
    here ||
    (report.family === 'IPv6' &&
      interfaces.some((each) => each.name === report.name && each.family === 'IPv4'))
  )
    return [];
  if (report.packetsHeard > 0) {
    return [
      {
        code: 'no-web-services',
        level: 'hint',
        ...describeFinding('doctor.no-web-services', { interface: report.name }),
      },
    ];
  }
  const others = interfaces
    .filter((each) => each.name !== report.name && each.packetsHeard > 0)
    .map((each) => each.name);
  const about = { interface: report.name, network: report.family === 'IPv6' ? 'IPv4' : report.network };
  const code = report.ownPackets > 0 ? 'only-this-computer' : 'nothing-heard';
  return [
    {
      code,
      level: 'problem',
      ...(others.length === 0
        ? describeFinding(`doctor.${code}`, about)
        : describeFinding(`doctor.${code}-here`, { ...about, others: others.join(', ') })),
    },
  ];
}

/** Devices that announce addresses this computer cannot reach directly. */
function addressFindings({ sightings, addresses }: Evidence): Finding[] {
  const present = sightings.filter(
    (sighting) => sighting.state === 'present' && sighting.via.startsWith('mdns:'),
  );
  const foreign = present.filter(
    ({ addresses: own }) => own.length > 0 && own.every((address) => !isInNetworks(address, addresses)),
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
            ...describeFinding('doctor.other-subnet'),
            subjects: elsewhere.map(name),
          },
        ]),
    ...(selfGiven.length === 0
      ? []
      : [
          {
            code: 'no-dhcp' as const,
            level: 'problem' as const,
            ...describeFinding('doctor.no-dhcp'),
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
            ...describeFinding('doctor.address-conflict'),
            subjects: address.map((sighting) => `${sighting.name} ${sighting.url}`),
          },
        ]),
    ...(identity.length === 0
      ? []
      : [
          {
            code: 'identity-conflict' as const,
            level: 'problem' as const,
            ...describeFinding('doctor.identity-conflict'),
            subjects: identity.map(
              (sighting) =>
                `${sighting.name} ${sighting.url} and ${sighting.conflicts.find(({ kind }) => kind === 'identity')?.with ?? ''}`,
            ),
          },
        ]),
  ];
}
