/** Turns evidence into findings. Pure. */
import { say, type DetailId, type ValuesOf } from '#shared/details.ts';
import type { ModelFinding } from '#shared/ai-models/ai-models.ts';
import { isInNetworks } from '#engine/discovery/network.ts';
import type { InterfaceAddress } from '#engine/discovery/types.ts';
import type { ProgramRules } from '#engine/host/program-rules.ts';
import { FIRST_PORT, PORTS } from '../listener.ts';
import type { Served } from '../types.ts';
import type { FirewallState } from './firewall.ts';
import type { SleepAfter } from './sleep.ts';

export interface WayToDevice {
  /** Address as given. */
  readonly url: string;
  /** Undefined: there is no way. */
  readonly route?: { readonly local: string; readonly peer: string; readonly reached: boolean };
}

export interface PullEvidence {
  readonly interfaces: readonly InterfaceAddress[];
  readonly ways: readonly WayToDevice[];
  /** Own addresses at which a file was offered to this computer itself. */
  readonly tried: readonly { readonly address: string; readonly port?: number; readonly works: boolean }[];
  readonly firewall: FirewallState;
  /** Rules of the firewall about this program. */
  readonly rules?: ProgramRules | undefined;
  readonly sleep: SleepAfter;
  readonly tunnels: ReadonlySet<string>;
  readonly defaultInterface: string | undefined;
  /** A device was asked to fetch, and what has come of it. */
  readonly waiting?: Waiting;
}

/** Offer that received no request. */
export interface Waiting {
  readonly served: Pick<Served, 'requests' | 'stranger'>;
  readonly address: string;
  readonly peer: string;
}

const MOST_DEVICES = 20;
const WEIGHT = { danger: 0, warning: 1, good: 2 } as const;

/** Dangers first. */
export function pullFindings(evidence: PullEvidence): readonly ModelFinding[] {
  return [
    ...waitingFindings(evidence),
    ...triedFindings(evidence),
    ...wayFindings(evidence),
    ...firewallFindings(evidence),
    ...tunnelFindings(evidence),
    ...sleepFindings(evidence),
  ].toSorted((one, other) => WEIGHT[one.tone] - WEIGHT[other.tone]);
}

function finding<Id extends DetailId & `pull.${string}`>(
  tone: ModelFinding['tone'],
  devices: readonly string[],
  id: Id,
  ...values: ValuesOf<Id>
): ModelFinding {
  return { id, tone, ...say(id, ...values), devices: devices.slice(0, MOST_DEVICES) };
}

/** Why a device that was asked has not called. */
function waitingFindings({ waiting, interfaces }: PullEvidence): ModelFinding[] {
  if (waiting === undefined || waiting.served.requests > 0) return [];
  const { served, address, peer } = waiting;
  if (served.stranger !== undefined)
    return [
      finding('danger', [peer], 'pull.elsewhere', { address: served.stranger.address, expected: peer }),
    ];
  if (!isLoopback(address) && !interfaces.some((entry) => entry.address === address))
    return [finding('danger', [peer], 'pull.address-gone', { address })];
  return [finding('danger', [peer], 'pull.never-called', { address })];
}

function triedFindings({ tried }: PullEvidence): ModelFinding[] {
  return tried.map(({ address, works, port }) =>
    works
      ? finding('good', [], 'pull.own-works', { address, port: port ?? 0 })
      : finding('danger', [], 'pull.own-fails', { address }),
  );
}

function wayFindings({ ways, interfaces, tunnels }: PullEvidence): ModelFinding[] {
  const found: ModelFinding[] = [];
  const about = (pick: (way: WayToDevice) => boolean): readonly string[] =>
    ways.filter(pick).map(({ url }) => url);
  const nowhere = about(({ route }) => route === undefined);
  if (nowhere.length > 0) found.push(finding('danger', nowhere, 'pull.no-way', { count: nowhere.length }));
  const away = about(({ route }) => route?.reached === false);
  if (away.length > 0) found.push(finding('warning', away, 'pull.away', { count: away.length }));
  const through = (route: NonNullable<WayToDevice['route']>): boolean => {
    const own = interfaces.filter(({ address }) => address === route.local);
    return !isLoopback(route.local) && !isInNetworks(route.peer, own);
  };
  const tunnelled = about(
    ({ route }) =>
      route !== undefined &&
      interfaces.some(({ address, name }) => address === route.local && tunnels.has(name)),
  );
  if (tunnelled.length > 0)
    found.push(finding('danger', tunnelled, 'pull.over-vpn', { count: tunnelled.length }));
  const routed = about(({ route, url }) => route !== undefined && !tunnelled.includes(url) && through(route));
  if (routed.length > 0) found.push(finding('warning', routed, 'pull.routed', { count: routed.length }));
  const near = about(({ route }) => route !== undefined && route.reached && !through(route));
  if (near.length > 0 && near.length === ways.length)
    found.push(finding('good', near, 'pull.same-network', { count: near.length }));
  return found;
}

function firewallFindings({ firewall: { state, name }, rules, tried, ways }: PullEvidence): ModelFinding[] {
  // Every firewall lets connections of the computer to itself through.
  if (ways.length > 0 && ways.every(({ route }) => route !== undefined && isLoopback(route.local))) return [];
  if (state === 'on' && rules?.state === 'blocked') {
    const { program, command, isPartly } = rules;
    return [finding(isPartly ? 'warning' : 'danger', [], 'pull.firewall-blocks', { program, command })];
  }
  if (state === 'on' && rules?.state === 'asks')
    return [finding('warning', [], 'pull.firewall-asks', { program: rules.program })];
  if (state === 'on' && rules?.state === 'allowed')
    return [finding('good', [], 'pull.firewall-allows', { name })];
  const port = tried.find(({ works }) => works)?.port ?? FIRST_PORT;
  switch (state) {
    case 'off':
      return [finding('good', [], 'pull.firewall-off')];
    case 'closed':
      return [finding('danger', [], 'pull.firewall-closed', { name })];
    case 'on':
      return [
        name in COMMANDS
          ? finding('warning', [], 'pull.firewall-command', { name, command: commandFor(name, port) })
          : finding('warning', [], 'pull.firewall-on', { name, port }),
      ];
    case 'unknown':
      return [finding('warning', [], 'pull.firewall-unknown', { port })];
  }
}

/** Commands that let devices in; the ports are those tried first. */
const COMMANDS: Readonly<Record<string, string>> = {
  ufw: 'sudo ufw allow proto tcp to any port {from}:{to}',
  firewalld: 'sudo firewall-cmd --add-port={from}-{to}/tcp',
};

function commandFor(name: string, port: number): string {
  const to = Math.max(port, FIRST_PORT + PORTS - 1);
  return (COMMANDS[name] ?? '')
    .replace('{from}', String(Math.min(port, FIRST_PORT)))
    .replace('{to}', String(to));
}

function tunnelFindings({ tunnels, defaultInterface }: PullEvidence): ModelFinding[] {
  if (tunnels.size === 0) return [];
  const names = [...tunnels].slice(0, 5).join(', ');
  return defaultInterface !== undefined && tunnels.has(defaultInterface)
    ? [finding('warning', [], 'pull.vpn-takes-all', { names })]
    : [finding('warning', [], 'pull.vpn', { names })];
}

function sleepFindings({ sleep }: PullEvidence): ModelFinding[] {
  if (sleep === undefined) return [finding('warning', [], 'pull.sleep-unknown')];
  return [
    sleep === 0
      ? finding('good', [], 'pull.no-sleep')
      : finding('warning', [], 'pull.sleep', { minutes: sleep }),
  ];
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}
