/** Explains from sent and received packets why a device may be invisible, and what to do next. Pure. */
import { isIPv4 } from 'node:net';
import type { Finding, InterfaceReport, Sighting, SweepReport, FindingCode } from '#shared/discovery.ts';
import type { ProgramRules } from '#engine/host/program-rules.ts';
import { isInNetworks } from '../network.ts';
import type { InterfaceAddress } from '../types.ts';
import { say, type DetailId, type ValuesOf } from '#shared/details.ts';

/** Builds a finding with its words, `doctor.<code>` of the catalogue. */
function createFinding<Code extends FindingCode>(
  level: Finding['level'],
  code: Code,
  subjects: readonly string[],
  ...values: ValuesOf<`doctor.${Code}`>
): Finding {
  return { code, level, ...describeFinding<`doctor.${Code}`>(`doctor.${code}`, ...values), subjects };
}

/** Returns the words of a finding from the catalogue: what it means and what to do next. */
function describeFinding<Id extends DetailId & `doctor.${string}`>(
  id: Id,
  ...values: ValuesOf<Id>
): Pick<Finding, 'message' | 'next' | 'detail'> {
  const { message, hint: next = '', detail } = say(id, ...values);
  return { message, next, detail };
}

export interface Evidence {
  readonly interfaces: readonly InterfaceReport[];
  readonly addresses: readonly InterfaceAddress[];
  readonly sightings: readonly Sighting[];
  readonly sweep: SweepReport | undefined;
  /** mDNS was asked for. */
  readonly listens: boolean;
  /** Rules of the firewall about this program. */
  readonly rules?: ProgramRules | undefined;
  /** File of the organisation's policy, where there is one. */
  readonly policy?: string | undefined;
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
          ...ruleFindings(evidence),
          ...noInterface(evidence),
          ...evidence.interfaces.flatMap((each) => interfaceFindings(each, evidence)),
        ]
      : []),
    ...(evidence.policy === undefined
      ? []
      : [createFinding('hint', 'policy-in-force', [evidence.policy], { file: evidence.policy })]),
    ...addressFindings(evidence),
    ...conflictFindings(evidence.sightings),
    ...(evidence.sweep === undefined ? [] : listSweepFindings(evidence.sweep)),
  ].map((finding) => ({ ...finding, subjects: finding.subjects.slice(0, MOST_SUBJECTS) }));
  if (found.some((finding) => finding.level === 'problem'))
    return found.sort((one, other) => weight(one) - weight(other));
  return evidence.sightings.some((sighting) => sighting.state === 'present')
    ? [...found, createFinding('ok', 'all-well', [])]
    : found;
}

function weight({ level }: Finding): number {
  return level === 'problem' ? 0 : level === 'hint' ? 1 : 2;
}

/** A rule that blocks is no matter where others are received: it is then one of another kind of network. */
function ruleFindings({ rules, interfaces }: Evidence): Finding[] {
  if (rules?.state === 'asks')
    return [createFinding('hint', 'firewall-asks', [], { program: rules.program })];
  if (rules?.state !== 'blocked' || interfaces.some(({ packetsHeard }) => packetsHeard > 0)) return [];
  const { program, command, isPartly } = rules;
  return [createFinding(isPartly ? 'hint' : 'problem', 'firewall-blocks', [], { program, command })];
}

function noInterface({ interfaces }: Evidence): Finding[] {
  if (interfaces.some((each) => each.state !== 'skipped')) return [];
  const names = interfaces.map((each) => each.name);
  return [createFinding('problem', 'no-interface', names)];
}

function interfaceFindings(report: InterfaceReport, evidence: Evidence): Finding[] {
  return conditionOf(report, evidence).map((finding) => ({ ...finding, interface: report.name }));
}

function conditionOf(report: InterfaceReport, evidence: Evidence): Finding[] {
  const { state, queriesSent, unreadable, full } = report;
  const about = aboutOf(report);
  if (state === 'skipped') return [];
  if (state === 'gone') return [createFinding('hint', 'interface-gone', ...about)];
  const blocked = blockOf(report);
  if (blocked !== undefined) return [blocked];
  if (queriesSent === 0) return [];
  return [
    ...(full ? [createFinding('problem', 'too-many-services', ...about)] : []),
    ...(unreadable === 0 ? [] : [createFinding('hint', 'unreadable-packets', ...about)]),
    ...silenceOf(report, evidence),
  ];
}

/** Returns the subject and the value of sentences about an interface. */
function aboutOf({ name, address }: InterfaceReport): [subjects: string[], values: { interface: string }] {
  return [[`${name} ${address}`], { interface: name }];
}

/** Returns the finding for packets that the operating system refused. */
function blockOf(report: InterfaceReport): Finding | undefined {
  const { errors, family, queriesSent, queriesFailed, state } = report;
  const codes = errors.map(({ code }) => code);
  const about = aboutOf(report);
  if (codes.some((code) => NOT_PERMITTED.has(code)))
    return createFinding('problem', 'not-permitted', ...about);
  if (codes.includes('EADDRINUSE')) return createFinding('problem', 'port-in-use', ...about);
  if (queriesSent > 0 && queriesFailed === 0) return undefined;
  if (codes.some((code) => NO_ROUTE.has(code)))
    return family === 'IPv6'
      ? createFinding('hint', 'ipv6-unavailable', ...about)
      : createFinding('problem', 'no-multicast-route', ...about);
  return queriesFailed > 0 || state === 'failed'
    ? createFinding(family === 'IPv6' ? 'hint' : 'problem', 'send-failed', ...about)
    : undefined;
}

/**
 * Returns the findings for an interface without answers, compared with the other interfaces; IPv6 silence
 * means little beside a working IPv4.
 */
function silenceOf(report: InterfaceReport, { interfaces, sightings }: Evidence): Finding[] {
  if (report.services > 0) return [];
  const here = sightings.some((sighting) => sighting.seenVia.includes(`mdns:${report.name}`));
  if (
    here ||
    (report.family === 'IPv6' &&
      interfaces.some((each) => each.name === report.name && each.family === 'IPv4'))
  )
    return [];
  const [subjects, values] = aboutOf(report);
  if (report.packetsHeard > 0) return [createFinding('hint', 'no-web-services', subjects, values)];
  const others = interfaces
    .filter((each) => each.name !== report.name && each.packetsHeard > 0)
    .map((each) => each.name);
  const about = { ...values, network: report.family === 'IPv6' ? 'IPv4' : report.network };
  const code = report.ownPackets > 0 ? 'only-this-computer' : 'nothing-heard';
  const alone = createFinding('problem', code, subjects, about);
  return others.length === 0
    ? [alone]
    : [{ ...alone, ...describeFinding(`doctor.${code}-here`, { ...about, others: others.join(', ') }) }];
}

/** Finds devices that announce addresses this computer cannot reach directly. */
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
    ...(elsewhere.length === 0 ? [] : [createFinding('problem', 'other-subnet', elsewhere.map(name))]),
    ...(selfGiven.length === 0 ? [] : [createFinding('problem', 'no-dhcp', selfGiven.map(name))]),
  ];
}

function conflictFindings(sightings: readonly Sighting[]): Finding[] {
  return (['address', 'identity'] as const).flatMap((kind) => {
    const subjects = sightings.flatMap(({ name, url, conflicts }) => {
      const conflict = conflicts.find((each) => each.kind === kind);
      if (conflict === undefined) return [];
      return [`${name} ${url}${kind === 'address' ? '' : ` and ${conflict.with}`}`];
    });
    return subjects.length === 0 ? [] : [createFinding('problem', `${kind}-conflict`, subjects)];
  });
}

const BLOCKED = new Set(['EACCES', 'EPERM', 'ENETUNREACH', 'EMFILE', 'ENFILE', 'EADDRNOTAVAIL']);

function listSweepFindings(sweep: SweepReport): Finding[] {
  const found: Finding[] = [];
  if (sweep.errors.some(({ code }) => BLOCKED.has(code)))
    found.push(createFinding('problem', 'sweep-blocked', []));
  if (sweep.otherPrefix.length > 0) found.push(createFinding('problem', 'other-prefix', sweep.otherPrefix));
  if (sweep.tlsOnly.length > 0) found.push(createFinding('hint', 'tls-only', sweep.tlsOnly));
  if (sweep.otherWeb.length > 0)
    found.push({
      ...createFinding('hint', 'other-prefix', sweep.otherWeb),
      ...describeFinding('doctor.other-web'),
    });
  if (sweep.notHttp.length > 0) found.push(createFinding('hint', 'not-http', sweep.notHttp));
  if (sweep.refused > 0) found.push(createFinding('hint', 'wrong-port', []));
  if (sweep.found === 0 && !sweep.cancelled && sweep.silent === sweep.total)
    found.push(createFinding('problem', 'sweep-silent', []));
  return found;
}
