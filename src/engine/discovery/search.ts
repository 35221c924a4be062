/** One search: all finders feed one table, and its events go to one reader. */
import { getPolicy } from '../files/policy.ts';
import { isOtherWeb, type DiscoveryEvent, type DoctorReport } from '#shared/discovery.ts';
import type { Clock } from '../api/host.ts';
import type { Address } from '../device/transport/address.ts';
import type { LookAtRules, ProgramRules } from '../host/program-rules.ts';
import type { Inventory } from '../inventory/devices.ts';
import { listFindings } from './doctor/findings.ts';
import { reportText } from './doctor/text.ts';
import { createKnownDevices } from './known-devices.ts';
import { createMdnsFinder } from './mdns/finder.ts';
import type { CheckedOptions } from './options.ts';
import { SightingTable } from './sighting-table.ts';
import { probe } from './sweep/probe.ts';
import { createProbeClaim, createSweep } from './sweep/sweep.ts';
import type { DiscoveryTiming, ListInterfaces } from './types.ts';
import { createWebCheck } from './web-check.ts';

export interface SearchOptions {
  readonly checked: CheckedOptions;
  readonly inventory: Inventory;
  readonly clock: Clock;
  readonly timing: DiscoveryTiming;
  readonly listInterfaces: ListInterfaces;
  readonly lookAtRules: LookAtRules;
}

const TICK_MS = 1_000;
/** A report is repeated at most this often, and only if it says something new. */
const DOCTOR_TICKS = 2;
/** The person may have answered the question of the system meanwhile. */
const RULES_TICKS = 10;
const MANUAL_LIMITS = { connectMs: 3_000, totalMs: 6_000 };
const MANUAL_AT_ONCE = 8;

/** Ends when its time is over and the sweep is done, or soon after the signal aborts; nothing of it runs on then. */
export async function* search(
  { checked, inventory, clock, timing, listInterfaces, lookAtRules }: SearchOptions,
  signal: AbortSignal,
): AsyncGenerator<DiscoveryEvent, void, void> {
  const left = new AbortController();
  /** Cancelled, or the reader went away. */
  const cancelled = AbortSignal.any([signal, left.signal]);
  const timeUp = new AbortController();
  const ended = AbortSignal.any([cancelled, timeUp.signal]);
  const startedAt = clock.now();
  const now = () => clock.now().getTime();
  let rules: ProgramRules | undefined;
  const queue = createEventQueue();
  const table = new SightingTable();
  const known = createKnownDevices({ inventory, clock, signal: cancelled });
  const check = createWebCheck({
    prefixes: checked.prefixes,
    clock,
    signal: ended,
    onHeard: (claim) => tell(table.heard(claim, now())),
    onGone: (key, reason) => tell(table.gone(key, reason, now())),
  });
  const finder = createMdnsFinder({
    listInterfaces,
    only: checked.only,
    services: checked.services,
    clock,
    timing,
    onHeard: check.heard,
    onGone: check.gone,
  });
  const sweep =
    checked.sweep === undefined
      ? undefined
      : createSweep({
          ...checked.sweep,
          prefixes: checked.prefixes,
          clock,
          onFound: (claim) => tell(table.heard(claim, now())),
          onProgress: (progress) => queue.push([{ type: 'sweep', progress }]),
        });

  function tell(events: readonly DiscoveryEvent[]): void {
    queue.push(events);
    for (const event of events) {
      if (event.type !== 'sighting') continue;
      queue.push(table.link(event.sighting.identity, known.match(event.sighting), now()));
    }
  }

  function report(): DoctorReport {
    const all = table.sightings();
    const sightings = all.filter((sighting) => !isOtherWeb(sighting));
    const interfaces = checked.listens ? finder.reports() : [];
    const sweepReport = sweep?.report();
    const bare = {
      startedAt: startedAt.toISOString(),
      at: clock.now().toISOString(),
      devices: sightings.filter(({ state }) => state === 'present').length,
      vanished: sightings.filter(({ state }) => state === 'vanished').length,
      others: all.filter((sighting) => isOtherWeb(sighting) && sighting.state === 'present').length,
      interfaces,
      sweep: sweepReport,
      findings: listFindings({
        policy: getPolicy().file,
        interfaces,
        addresses: listInterfaces(),
        sightings,
        sweep: sweepReport,
        listens: checked.listens,
        only: checked.only,
        rules,
      }),
    };
    return { ...bare, text: reportText(bare) };
  }

  async function watchOver(): Promise<void> {
    let reported = '';
    for (let turn = 1; !ended.aborted; turn += 1) {
      await clock.delay(TICK_MS, ended);
      tell(table.tick(now()));
      for (const sighting of table.sightings()) {
        // Devices are added and removed while the search goes on.
        if (sighting.state === 'present')
          queue.push(table.link(sighting.identity, known.match(sighting), now()));
      }
      if (rules?.state === 'asks' && turn % RULES_TICKS === 0) rules = await lookAtRules();
      if (!checked.doctor || turn % DOCTOR_TICKS !== 0) continue;
      const latest = report();
      const says = JSON.stringify(latest.findings);
      if (says !== reported) queue.push([{ type: 'doctor', report: latest }]);
      reported = says;
    }
  }

  async function askAddresses(): Promise<void> {
    const waiting = [...checked.addresses];
    await Promise.all(
      Array.from({ length: Math.min(MANUAL_AT_ONCE, waiting.length) }, async () => {
        for (let next = waiting.shift(); next !== undefined && !cancelled.aborted; next = waiting.shift())
          await askAddress(next);
      }),
    );
  }

  async function askAddress({ host, port, secure }: Address): Promise<void> {
    const result = await probe(host, port, secure ? 'https' : 'http', {
      prefixes: checked.prefixes,
      limits: MANUAL_LIMITS,
      signal: cancelled,
    });
    if (result.kind === 'device') tell(table.heard(createProbeClaim(result, host, 'manual'), now()));
  }

  /** Says what the firewall will do before anything makes it ask. */
  async function lookAhead(): Promise<void> {
    rules = await lookAtRules();
    if (rules.state === 'asks' || rules.state === 'blocked')
      queue.push([{ type: 'doctor', report: report() }]);
  }

  async function runAll(): Promise<void> {
    if (checked.listens && checked.doctor) await lookAhead();
    const bounded = Promise.all([sweep?.run(cancelled), askAddresses()]);
    const background = Promise.all([
      checked.listens ? finder.run(ended) : undefined,
      watchOver().catch(onlyAborted),
    ]);
    if (checked.seconds !== undefined)
      await clock.delay(checked.seconds * 1000, cancelled).catch(onlyAborted);
    else if (checked.listens) await aborted(cancelled);
    await bounded;
    check.flush();
    const last = checked.doctor && !left.signal.aborted ? report() : undefined;
    timeUp.abort();
    await Promise.all([background, known.settled(), check.settled()]);
    if (last !== undefined) queue.push([{ type: 'doctor', report: last }]);
  }

  function onlyAborted(error: unknown): void {
    if (!ended.aborted) throw error;
  }

  let failure: { readonly error: unknown } | undefined;
  const running = runAll()
    .catch((error: unknown) => {
      failure = { error };
      left.abort();
    })
    .finally(() => queue.end());
  try {
    yield* queue.read();
    if (failure !== undefined) throw failure.error;
  } finally {
    left.abort();
    await running;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

interface EventQueue {
  push(events: readonly DiscoveryEvent[]): void;
  /** No more will come; what is there is still given. */
  end(): void;
  read(): AsyncIterable<DiscoveryEvent>;
}

function createEventQueue(): EventQueue {
  const pending = new Map<string, DiscoveryEvent>();
  let ended = false;
  let wake = (): void => {};

  async function* read(): AsyncGenerator<DiscoveryEvent> {
    for (;;) {
      const batch = [...pending.values()];
      pending.clear();
      yield* batch;
      if (pending.size > 0) continue;
      if (ended) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    push(events) {
      for (const event of events) {
        // Deleted first, so that the order of events is the order of the latest changes.
        pending.delete(keyOf(event));
        pending.set(keyOf(event), event);
      }
      if (events.length > 0) wake();
    },
    end() {
      ended = true;
      wake();
    },
    read,
  };
}

function keyOf(event: DiscoveryEvent): string {
  if (event.type === 'sighting' || event.type === 'vanished') return `row ${event.sighting.identity}`;
  return event.type === 'merged' ? `row ${event.identity}` : event.type;
}
