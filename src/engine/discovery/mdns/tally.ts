/** Counts what one interface sent and received, for the doctor. */
import type { InterfaceReport, SkipReason } from '#shared/discovery.ts';
import { formatNetwork } from '../network.ts';
import type { InterfaceAddress } from '../types.ts';

export interface Tally {
  state: InterfaceReport['state'];
  reason: SkipReason | undefined;
  queriesSent: number;
  queriesFailed: number;
  packetsHeard: number;
  ownPackets: number;
  answers: number;
  unreadable: number;
  services: number;
  full: boolean;
  lastHeardAt: number | undefined;
  readonly senders: Set<string>;
  readonly errors: Map<string, number>;
}

/** Most senders counted separately; more are only counted as packets. */
const MOST_SENDERS = 4_096;
const MOST_CODES = 16;

export function openTally(state: Tally['state'], reason?: SkipReason): Tally {
  return {
    state,
    reason,
    queriesSent: 0,
    queriesFailed: 0,
    packetsHeard: 0,
    ownPackets: 0,
    answers: 0,
    unreadable: 0,
    services: 0,
    full: false,
    lastHeardAt: undefined,
    senders: new Set(),
    errors: new Map(),
  };
}

export function noteSender(tally: Tally, source: string, own: boolean, now: number): void {
  if (own) {
    tally.ownPackets += 1;
    return;
  }
  tally.packetsHeard += 1;
  tally.lastHeardAt = now;
  if (tally.senders.size < MOST_SENDERS) tally.senders.add(source);
}

/** Counts the error and returns its code, without its text: that names paths and addresses. */
export function noteError(
  tally: { readonly errors: Map<string, number> },
  error: NodeJS.ErrnoException,
): string {
  const code = /^[A-Z0-9_]{2,40}$/.test(error.code ?? '') ? (error.code ?? '') : 'UNKNOWN';
  if (tally.errors.has(code) || tally.errors.size < MOST_CODES)
    tally.errors.set(code, (tally.errors.get(code) ?? 0) + 1);
  return code;
}

export function listErrors(errors: ReadonlyMap<string, number>): { code: string; times: number }[] {
  return [...errors].map(([code, times]) => ({ code, times }));
}

export function reportOf(entry: InterfaceAddress, tally: Tally): InterfaceReport {
  const { reason, lastHeardAt, senders, errors, ...counts } = tally;
  return {
    name: entry.name,
    family: entry.family,
    address: entry.address,
    network: formatNetwork(entry),
    ...counts,
    reason,
    senders: senders.size,
    errors: listErrors(errors),
    lastHeardAt: lastHeardAt === undefined ? undefined : new Date(lastHeardAt).toISOString(),
  };
}
