/**
 * Asks every address of a bounded range, a bounded number at a time and a bounded number a second.
 * Ends soon after its signal aborts: what is under way is torn down, nothing more is started.
 */
import { isIP } from 'node:net';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { SweepProgress, SweepReport } from '#shared/discovery.ts';
import type { Clock } from '#engine/api/host.ts';
import { listErrors } from '../mdns/tally.ts';
import { countHosts, listHosts, type Ipv4Range } from '../network.ts';
import type { Claim } from '../types.ts';
import { probe, type ProbeResult } from './probe.ts';

export interface SweepOptions {
  readonly range: Ipv4Range;
  readonly ports: readonly number[];
  readonly prefixes: readonly string[];
  readonly clock: Clock;
  readonly onFound: (claim: Claim) => void;
  readonly onProgress: (progress: SweepProgress) => void;
}

export interface Sweep {
  report(): SweepReport;
  run(signal: AbortSignal): Promise<void>;
}

export const AT_ONCE = 64;
/** New addresses in each slice of time: 320 a second at most, gentle to small switches and to intrusion alarms. */
const PER_SLICE = 32;
const SLICE_MS = 100;
const LIMITS = { connectMs: 800, totalMs: 3_000 };
const MOST_SUBJECTS = 50;
const MOST_CODES = 16;

export function createSweep(options: SweepOptions): Sweep {
  const { range, ports, clock } = options;
  const total = countHosts(range);
  const lists = {
    otherPrefix: [] as string[],
    otherWeb: [] as string[],
    tlsOnly: [] as string[],
    notHttp: [] as string[],
  };
  const counts = { done: 0, found: 0, silent: 0, refused: 0 };
  const errors = new Map<string, number>();
  let cancelled = false;
  let ended = false;

  const tellProgress = () =>
    options.onProgress({ cidr: range.cidr, done: counts.done, total, found: counts.found, ended });
  const remember = (list: string[], subject: string) => {
    if (list.length < MOST_SUBJECTS) list.push(subject);
  };

  async function visit(host: string, signal: AbortSignal): Promise<void> {
    let sign: 'none' | 'refused' | 'open' = 'none';
    const devices: FoundDevice[] = [];
    for (const [index, port] of ports.entries()) {
      const result = await probe(host, port, undefined, {
        prefixes: options.prefixes,
        limits: LIMITS,
        signal,
      });
      if (signal.aborted) return;
      if (result.kind === 'silent' || result.kind === 'failed') {
        if (result.kind === 'failed') countError(result.code);
        // Two ports showed no sign of life: the address is unused, and asking on costs a wait for each port.
        if (sign === 'none' && index >= 1) break;
        continue;
      }
      sign = result.kind === 'refused' ? (sign === 'open' ? 'open' : 'refused') : 'open';
      // A port that sends on to another one, and that one itself.
      if (result.kind !== 'device') note(result);
      else if (!devices.some(({ url }) => url === result.url)) devices.push(result);
    }
    for (const claim of claimsOfHost(devices, host)) {
      counts.found += 1;
      options.onFound(claim);
    }
    for (const { tlsOnly, otherPrefix, url } of devices) {
      if (tlsOnly) remember(lists.tlsOnly, url);
      if (otherPrefix) remember(lists.otherPrefix, url);
    }
    counts.done += 1;
    if (sign === 'none') counts.silent += 1;
    if (sign === 'refused') counts.refused += 1;
  }

  function note(result: ProbeResult): void {
    if (result.kind === 'web') remember(lists.otherWeb, result.url);
    if (result.kind === 'not-http') remember(lists.notHttp, result.url);
  }

  function countError(code: string): void {
    if (errors.has(code) || errors.size < MOST_CODES) errors.set(code, (errors.get(code) ?? 0) + 1);
  }

  async function work(
    hosts: Generator<string>,
    pace: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      await pace();
      if (signal.aborted) return;
      const next = hosts.next();
      if (next.done === true) return;
      await visit(next.value, signal);
    }
  }

  return {
    report: () => ({
      cidr: range.cidr,
      ports,
      prefixes: options.prefixes,
      total,
      cancelled,
      ...counts,
      ...lists,
      errors: listErrors(errors),
    }),
    async run(signal) {
      const hosts = listHosts(range);
      const pace = pacer(clock, signal);
      const ticking = new AbortController();
      const ticker = tick(clock, AbortSignal.any([signal, ticking.signal]), tellProgress);
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, total) }, () => work(hosts, pace, signal)));
      ticking.abort();
      await ticker;
      cancelled = signal.aborted && counts.done < total;
      ended = true;
      tellProgress();
    },
  };
}

type FoundDevice = Extract<ProbeResult, { kind: 'device' }>;

/** Ports that belong to one device: in the clear, and encrypted. */
const PAIRS: ReadonlyMap<string, string> = new Map([
  [':443', ''],
  [':8443', ':8080'],
]);

/** Builds one claim a device; the encrypted twin of a plain address is the same device. */
function claimsOfHost(devices: readonly FoundDevice[], host: string): Claim[] {
  const twins = new Map(
    devices
      .filter(({ url }) => url.startsWith('https:'))
      .map((device) => [device, twinOf(device.url, devices)]),
  );
  return devices
    .filter((device) => twins.get(device) === undefined)
    .map((device) => {
      const claim = createProbeClaim(device, host, 'sweep');
      const encrypted = devices.filter((other) => twins.get(other) === device);
      const certificate = encrypted.find((other) => other.certificate !== undefined)?.certificate;
      return {
        ...claim,
        alternatives: encrypted.map((other) => other.url),
        ...removeUndefined({ certificate }),
      };
    });
}

function twinOf(url: string, devices: readonly FoundDevice[]): FoundDevice | undefined {
  const [, host = '', port = ':443'] = /^https:\/\/([^:]+)(:\d+)?$/.exec(url) ?? [];
  const plain = PAIRS.get(port);
  return plain === undefined ? undefined : devices.find((other) => other.url === `http://${host}${plain}`);
}

/** Returns the result of a probe as a claim that is known by its address only. */
export function createProbeClaim(result: FoundDevice, host: string, via: 'sweep' | 'manual'): Claim {
  return {
    key: `${via}|${result.url}`,
    identity: `address:${result.url}`,
    strength: 'weak',
    name: host,
    url: result.url,
    alternatives: [],
    addresses: isIP(host) === 0 ? [] : [host],
    via,
    recognised: result.recognised,
    ...removeUndefined({ pathPrefix: result.pathPrefix, certificate: result.certificate }),
  };
}

/** Gives a place in the current slice of time, or waits for the next slice. */
function pacer(clock: Clock, signal: AbortSignal): () => Promise<void> {
  let left = PER_SLICE;
  let next: Promise<void> | undefined;
  return async () => {
    while (left === 0 && !signal.aborted) {
      next ??= clock
        .delay(SLICE_MS, signal)
        .catch(() => undefined)
        .then(() => {
          left = PER_SLICE;
          next = undefined;
        });
      await next;
    }
    left -= 1;
  };
}

async function tick(clock: Clock, signal: AbortSignal, tell: () => void): Promise<void> {
  while (!signal.aborted) {
    try {
      await clock.delay(500, signal);
    } catch {
      return;
    }
    tell();
  }
}
