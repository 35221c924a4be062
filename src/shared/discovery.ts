/**
 * Results of discovery for a face: devices seen on the network, and why others may be invisible. Plain data
 * that survives JSON. Everything in it was claimed by the network, nothing is proven.
 */
import type { Detail } from './details.ts';

/** Source of a sighting: `mdns:eth0`, `sweep` or `manual`. */
export type Via = `mdns:${string}` | 'sweep' | 'manual';

/** Two devices claim what only one can have. */
export interface SightingConflict {
  /** `address`: another device says it is at this address; `identity`: another says it is this device. */
  readonly kind: 'address' | 'identity';
  /** Identity (for `address`) or address (for `identity`) of the other one. */
  readonly with: string;
}

/** One device as the network shows it now. */
export interface Sighting {
  /** Stays the same when the device changes its address; key of its row. */
  readonly identity: string;
  readonly name: string;
  /** Address of the device: `http(s)://host[:port]`. */
  readonly url: string;
  /** Further addresses in the form of `url`. */
  readonly alternatives: readonly string[];
  /** IP addresses it announces. */
  readonly addresses: readonly string[];
  readonly via: Via;
  /** Every way it was seen, `via` among them. */
  readonly seenVia: readonly Via[];
  readonly state: 'present' | 'vanished';
  /** First segment of its interface, where it is known. */
  readonly pathPrefix?: string;
  /** `interface`: it answered as this interface does; `sign-in`: it asks for a sign-in there; `web`: a printer, or another web service. Absent: not asked, or no answer. */
  readonly recognised?: 'interface' | 'sign-in' | 'web';
  /** The address lies outside the networks of this computer: it is shown, so that it can be mended, and not offered. */
  readonly outside?: true;
  /** SHA-256 fingerprint of the certificate it showed, lower-case hex; not trusted by being here. */
  readonly certificate?: string;
  /** Address before it moved. */
  readonly previousUrl?: string;
  /** The device of the inventory that this is. */
  readonly deviceId?: string;
  readonly conflicts: readonly SightingConflict[];
  /** ISO 8601. */
  readonly firstSeenAt: string;
  readonly seenAt: string;
}

/**
 * Returns true for a printer, a router or the like: nothing to set up here, unless it was added to the
 * inventory.
 */
export function isOtherWeb({ recognised, deviceId }: Sighting): boolean {
  return recognised === 'web' && deviceId === undefined;
}

/**
 * `goodbye`: it said so; `expired`: its announcement ran out; `unanswered`: it no longer answers;
 * `interface`: our interface to it is down.
 */
export type VanishReason = 'goodbye' | 'expired' | 'unanswered' | 'interface';

export interface SweepProgress {
  readonly cidr: string;
  readonly done: number;
  readonly total: number;
  readonly found: number;
  readonly ended: boolean;
}

export type DiscoveryEvent =
  | { readonly type: 'sighting'; readonly sighting: Sighting }
  | { readonly type: 'vanished'; readonly sighting: Sighting; readonly reason: VanishReason }
  /** The row turned out to be another one: what was seen by address only is a device that names itself. */
  | { readonly type: 'merged'; readonly identity: string; readonly into: string }
  | { readonly type: 'sweep'; readonly progress: SweepProgress }
  | { readonly type: 'doctor'; readonly report: DoctorReport };

/** `further-address`: one address of each family is enough; `not-link-local`: over IPv6 the link-local address of the interface is. */
export const SKIP_REASONS = ['not-chosen', 'not-link-local', 'further-address'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** Packets sent and received on one network interface, for one family of addresses. */
export interface InterfaceReport {
  readonly name: string;
  readonly family: 'IPv4' | 'IPv6';
  readonly address: string;
  /** Its network in CIDR form. */
  readonly network: string;
  readonly state: 'listening' | 'failed' | 'skipped' | 'gone';
  /** Reason why it was skipped. */
  readonly reason?: SkipReason;
  readonly queriesSent: number;
  /** Queries that could not leave. */
  readonly queriesFailed: number;
  /** Packets from other computers and devices, of any kind. */
  readonly packetsHeard: number;
  /** Packets of this computer that it received back. */
  readonly ownPackets: number;
  /** Answers that named a web service. */
  readonly answers: number;
  readonly unreadable: number;
  /** Different senders other than this computer. */
  readonly senders: number;
  /** Web services announced now. */
  readonly services: number;
  /** True if more were announced than are kept. */
  readonly full: boolean;
  readonly errors: readonly { readonly code: string; readonly times: number }[];
  readonly lastHeardAt?: string;
}

/** Results of a sweep as counts of hosts. */
export interface SweepReport {
  readonly cidr: string;
  readonly ports: readonly number[];
  readonly prefixes: readonly string[];
  readonly total: number;
  readonly done: number;
  readonly cancelled: boolean;
  readonly found: number;
  /** Hosts that gave no sign at all. */
  readonly silent: number;
  /** Hosts that are there and refuse these ports. */
  readonly refused: number;
  /** Addresses (bounded) of devices of this interface that know none of the prefixes. */
  readonly otherPrefix: readonly string[];
  /** Addresses (bounded) of web servers that are something else, or know another prefix. */
  readonly otherWeb: readonly string[];
  /** Addresses (bounded) that speak only TLS. */
  readonly tlsOnly: readonly string[];
  /** Addresses (bounded) where a port is open that speaks no HTTP. */
  readonly notHttp: readonly string[];
  readonly errors: readonly { readonly code: string; readonly times: number }[];
}

/** Action that a person can take on a finding. */
type FindingAction = 'sweep' | 'add' | 'again';

/**
 * Findings of the doctor, each with the actions that help, in the order in which they are offered. A new finding begins
 * here; its words are `doctor.<code>` of the catalogue, and `engine/discovery/doctor/` says when it is found.
 */
export const FINDING_ACTIONS = {
  'no-interface': ['again'],
  'not-permitted': ['sweep', 'again'],
  'port-in-use': ['sweep'],
  'no-multicast-route': ['sweep'],
  'send-failed': ['sweep'],
  'nothing-heard': ['sweep', 'add'],
  'only-this-computer': ['sweep', 'add'],
  'no-web-services': ['sweep', 'add'],
  'other-subnet': ['again'],
  'no-dhcp': ['again'],
  'address-conflict': ['again'],
  'identity-conflict': ['add'],
  'interface-gone': ['again'],
  'ipv6-unavailable': [],
  'unreadable-packets': ['add'],
  'too-many-services': ['sweep', 'add'],
  'wrong-port': ['sweep', 'add'],
  'tls-only': ['add'],
  'other-prefix': ['add'],
  'not-http': [],
  'sweep-silent': ['sweep'],
  'sweep-blocked': ['again'],
  'firewall-blocks': ['again'],
  'firewall-asks': ['again'],
  'policy-in-force': [],
  'all-well': ['sweep', 'add'],
} as const satisfies Readonly<Record<string, readonly FindingAction[]>>;
export type FindingCode = keyof typeof FINDING_ACTIONS;

/** Reason why a device may be invisible, and the next step. */
export interface Finding {
  readonly code: FindingCode;
  readonly level: 'ok' | 'hint' | 'problem';
  readonly interface?: string;
  readonly message: string;
  /** The advised next step. */
  readonly next: string;
  /** Both as data, for other languages. */
  readonly detail: Detail;
  /** Addresses or names concerned, bounded. */
  readonly subjects: readonly string[];
}

export interface DoctorReport {
  readonly startedAt: string;
  readonly at: string;
  readonly devices: number;
  readonly vanished: number;
  /** Printers and other web services, which are no devices. */
  readonly others: number;
  readonly interfaces: readonly InterfaceReport[];
  readonly sweep?: SweepReport;
  readonly findings: readonly Finding[];
  /** All of it as text for a colleague; holds no secret. */
  readonly text: string;
}

/** A network this computer is connected to, as a sweep may be asked for it. IPv4 only. */
export interface OwnNetwork {
  readonly interface: string;
  /** The computer's own address in it. */
  readonly address: string;
  /** The whole network in CIDR form; it may be larger than one sweep. */
  readonly network: string;
  /** Network to sweep, or the /24 around the own address if the network is larger than a sweep. */
  readonly cidr: string;
  /** Addresses in `cidr` that a device can have. */
  readonly hosts: number;
}
