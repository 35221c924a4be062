/** One interface under watch: asks again and again, keeps what it hears, says what came and what went. */
import type { InterfaceReport, VanishReason } from '#shared/discovery.ts';
import type { Clock } from '#engine/api/host.ts';
import { isInNetworks, isHostAddress } from '../network.ts';
import type { Claim, DiscoveryTiming, InterfaceAddress } from '../types.ts';
import { createMdnsClaim } from './claim.ts';
import { openMdns } from './instance.ts';
import { PRINTING, readPacket, toServiceTypes } from './packet.ts';
import { ServiceCache } from './service-cache.ts';
import { noteError, noteSender, openTally, reportOf } from './tally.ts';

interface LinkOptions {
  readonly entry: InterfaceAddress;
  /** All addresses of this machine now: a socket hears what other interfaces joined, and its own packets. */
  readonly interfaces: () => readonly InterfaceAddress[];
  /** Types of services to ask for: `_http._tcp`. */
  readonly services: readonly string[];
  readonly clock: Clock;
  readonly timing: DiscoveryTiming;
  readonly onHeard: (claim: Claim) => void;
  readonly onGone: (key: string, reason: VanishReason) => void;
}

export interface Link {
  readonly entry: InterfaceAddress;
  report(): InterfaceReport;
  /** Takes its services back with this reason, and closes the socket. */
  close(reason: VanishReason | undefined): Promise<void>;
}

/** The socket itself is of no use; another one may be, once the interface is back. */
const FATAL = new Set([
  'EACCES',
  'EPERM',
  'EADDRINUSE',
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EINVAL',
  'ENODEV',
  'EMFILE',
  'ENFILE',
]);
const PAUSE_BETWEEN_FOLLOW_UPS_MS = 200;

export function openLink({ entry, interfaces, services, clock, timing, onHeard, onGone }: LinkOptions): Link {
  const cache = new ServiceCache(entry.family);
  const tally = openTally('listening');
  const ended = new AbortController();
  const types = toServiceTypes(services);
  const questions = [...types, ...toServiceTypes(PRINTING)].map((name) => ({ name, type: 'PTR' }) as const);
  const now = () => clock.now().getTime();
  let followUp: Promise<void> | undefined;

  const mine = () => interfaces().filter((each) => each.name === entry.name);
  const keyOf = (service: string) => `mdns:${entry.name}|${entry.family}|${service.toLowerCase()}`;
  const tellHeard = (heard: ReturnType<typeof cache.settle>) => {
    const own = interfaces().filter((each) => !each.internal || each.name === entry.name);
    for (const service of heard)
      onHeard(createMdnsClaim(service, { name: entry.name, family: entry.family, mine: mine(), own }));
  };

  /** Systems give a packet to every socket that joined the group, whatever interface it came in by. */
  function isElsewhere(source: string): boolean {
    const zone = source.split('%')[1];
    if (zone !== undefined) return zone !== entry.name && zone !== String(entry.scopeId);
    const all = interfaces();
    if (
      isInNetworks(
        source,
        all.filter((each) => each.name === entry.name),
      )
    )
      return false;
    return isInNetworks(
      source,
      all.filter((each) => each.name !== entry.name),
    );
  }
  const isOwn = (source: string) => interfaces().some((each) => each.address === source.split('%')[0]);

  const instance = openMdns(entry, {
    onResponse(packet, source) {
      if (isElsewhere(source)) return;
      noteSender(tally, source, isOwn(source), now());
      const records = readPacket(packet, types).filter(
        (record) => record.kind !== 'address' || entry.internal || isHostAddress(record.address),
      );
      if (records.length === 0) return;
      tally.answers += 1;
      const { heard, gone } = cache.take(records, source.split('%')[0] ?? source, now());
      for (const service of gone) onGone(keyOf(service), 'goodbye');
      tellHeard(heard);
      tally.services = cache.size;
      tally.full = cache.isFull;
      if (cache.isUnsure)
        followUp ??= askForMissing().finally(() => {
          followUp = undefined;
        });
    },
    onQuery(source) {
      if (!isElsewhere(source)) noteSender(tally, source, isOwn(source), now());
    },
    onUnreadable() {
      tally.unreadable += 1;
    },
    onError(error) {
      const code = noteError(tally, error);
      if (tally.queriesSent === 0 && FATAL.has(code)) tally.state = 'failed';
    },
  });

  async function ask(questions: Parameters<typeof instance.ask>[0]): Promise<boolean> {
    const error = await instance.ask(questions);
    if (ended.signal.aborted) return false;
    if (error === undefined) {
      tally.queriesSent += 1;
      tally.state = 'listening';
    } else {
      tally.queriesFailed += 1;
      noteError(tally, error);
    }
    return error === undefined;
  }

  /** Devices that name a service without saying where it is are asked, a few times a second at most. */
  async function askForMissing(): Promise<void> {
    try {
      await clock.delay(PAUSE_BETWEEN_FOLLOW_UPS_MS, ended.signal);
    } catch {
      return;
    }
    const missing = cache.missing();
    if (missing.length > 0) await ask(missing);
  }

  async function run(): Promise<void> {
    for (let turn = 0; !ended.signal.aborted; turn += 1) {
      const interval =
        timing.queryIntervals[Math.min(turn, timing.queryIntervals.length - 1)] ?? timing.graceMs;
      // A service that was never asked cannot be blamed for its silence.
      if (await ask(questions)) cache.asked(now());
      const grace = Math.min(timing.graceMs, interval);
      await clock.delay(grace, ended.signal);
      tellHeard(cache.settle(now(), grace));
      for (const { service, reason } of cache.expire(now(), { graceMs: grace, missed: timing.missed }))
        onGone(keyOf(service), reason);
      tally.services = cache.size;
      if (interval > grace) await clock.delay(interval - grace, ended.signal);
    }
  }
  // Ends by its signal alone; everything that can fail in it is counted above.
  const running = run().catch(() => undefined);

  return {
    entry,
    report: () => reportOf(entry, tally),
    async close(reason) {
      ended.abort();
      if (reason !== undefined) for (const service of cache.services()) onGone(keyOf(service), reason);
      await Promise.all([running, followUp, instance.close()]);
    },
  };
}
