/**
 * Measures opening a device's workspace: the store that the page uses, over the calls that the page makes, on
 * virtual devices that take 5 ms to answer. Beside it a bare loop that sends the same requests. Site, engine
 * and page share one process, so the figures are on the safe side.
 * Alone: `node test/bench/open-workspace.ts`.
 */
import { subscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPinia, setActivePinia } from 'pinia';
import { Agent } from 'undici';
import { watch } from 'vue';
import { formatTable } from '#cli/output/table.ts';
import { createEngine, createKeyFileProtection, type Engine } from '#engine/index.ts';
import { createBridgeTransport, createClient, type Client } from '#renderer/client/index.ts';
import { useDevices } from '#renderer/common/devices/devices.store.ts';
import { getApi, provideClient } from '#renderer/client/use-client.ts';
import { buildRawParams, readParams } from '#renderer/features/device/pages/params.ts';
import type { DevicePage } from '#renderer/features/device/workspace/pages.ts';
import type { AreaPresence } from '#renderer/features/device/workspace/presence.ts';
import { useWorkspace } from '#renderer/features/device/workspace/workspace.store.ts';
import { findResourcesDir } from '#rpc/hosting/folders.ts';
import { createPeerFactory, createRouter } from '#rpc/index.ts';
import { DEVICE_KINDS, type DeviceKind } from '#shared/model.ts';
import { startSite, type Site } from '#simulator/index.ts';
import { bareClient } from './bare-client.ts';
import { recordRequests } from './record.ts';
import { median, plainPaint, type BenchDevice, type RecordedRequest } from './shared.ts';

const GOAL = { ms: 500, inFlight: 2 };
const LATENCY_MS = 5;
const NEVER = new AbortController().signal;

/** `first`: nothing is known of the device; `again`: the app was started anew, and knows its kinds. */
const CASES = ['again', 'first'] as const;
type Case = (typeof CASES)[number];

interface Opening {
  readonly ms: number;
  readonly sent: readonly RecordedRequest[];
  readonly inFlight: number;
}

export interface WorkspaceRow {
  readonly kind: DeviceKind;
  readonly known: Case;
  readonly requests: number;
  /** Milliseconds, medians and the highest. */
  readonly median: number;
  readonly slowest: number;
  readonly bare: number;
  readonly inFlight: number;
}

/** States that the parts of an overview read first, by area and page. */
const READ_FIRST = [
  ['gate', 'status'],
  ['storage', 'status'],
  ['aiPlatform', 'engines.list'],
  ['aiPlatform', 'modelStorage'],
  ['peopleCounting', 'status'],
  ['gate', 'irStatus'],
] as const;

function listFirstPages(areas: readonly AreaPresence[]): readonly DevicePage[] {
  const there = areas.filter((area) => area.isThere).flatMap((area) => area.pages);
  return READ_FIRST.flatMap(
    ([area, slug]) => there.find((page) => page.area === area && page.slug === slug) ?? [],
  );
}

const recorded = recordRequests();
const load = countInFlight();

/** How many requests the virtual devices of this process are dealing with. */
function countInFlight(): { readonly start: () => void; readonly highest: () => number } {
  let now = 0;
  let highest = 0;
  subscribe('http.server.request.start', () => {
    now += 1;
    highest = Math.max(highest, now);
  });
  subscribe('http.server.response.finish', () => {
    now -= 1;
  });
  return {
    start: () => {
      highest = now;
    },
    highest: () => highest,
  };
}

async function withDevice<T>(kind: DeviceKind, work: (device: BenchDevice) => Promise<T>): Promise<T> {
  const site: Site = await startSite({ kinds: [kind], latencyMs: LATENCY_MS, seed: 7 });
  try {
    const [device] = site.devices;
    if (device === undefined) throw new Error('The site has no device.');
    return await work(device);
  } finally {
    await site.close();
  }
}

async function withEngine<T>(folder: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await createEngine({
    dataDir: folder,
    resourcesDir: findResourcesDir(),
    face: 'desktop',
    version: '0',
    user: 'bench',
    protections: [createKeyFileProtection(join(folder, 'vault.key'))],
  });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** The page's end of the engine, as the desktop face joins them: every call crosses as text. */
function pageOf(engine: Engine): Client {
  const router = createRouter(engine, { canSimulate: false, startSimulatedSite: () => Promise.resolve(0) });
  const listeners = new Set<(message: string) => void>();
  const peer = createPeerFactory(router)({
    send: (message) => {
      for (const listener of listeners) listener(message);
    },
    violated: () => {
      throw new Error('The page broke the protocol.');
    },
  });
  return createClient(
    createBridgeTransport({
      face: 'desktop',
      send: (message) => {
        peer.receive(message);
      },
      onMessage: (listener) => {
        listeners.add(listener);
        return () => {
          listeners.delete(listener);
        };
      },
    }),
  );
}

/** Opens a device as DeviceView and OverviewPage do; settles when nothing more is to be read. */
async function openWorkspace(engine: Engine, deviceId: string): Promise<void> {
  const client = pageOf(engine);
  provideClient(client);
  setActivePinia(createPinia());
  const devices = useDevices();
  const workspace = useWorkspace();
  devices.start();
  await until(() => devices.loaded);
  workspace.open(deviceId);
  const cards = new Map<string, Promise<unknown>>();
  const stop = watch(
    () => (workspace.capabilities === undefined ? [] : listFirstPages(workspace.areas)),
    (shown) => {
      for (const { operation } of shown) {
        const params = readParams(operation, buildRawParams(operation, {}));
        if (params.ok && !cards.has(operation.id))
          cards.set(
            operation.id,
            getApi().operations.call(
              { deviceId, operation: operation.id, params: params.params },
              { signal: NEVER },
            ),
          );
      }
    },
    { immediate: true, flush: 'sync' },
  );
  await until(() => !workspace.reading);
  await Promise.all(cards.values());
  stop();
  client.close();
  if (workspace.problem !== undefined || workspace.capabilities?.probes === undefined)
    throw new Error(`The workspace did not open: ${workspace.problem?.message ?? 'no probes'}`);
}

function until(isTrue: () => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = watch(
    isTrue,
    (now) => {
      if (now) resolve();
    },
    { immediate: true, flush: 'sync' },
  );
  return promise.finally(stop);
}

async function opened(device: BenchDevice, known: Case): Promise<Opening> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-bench-'));
  try {
    const id = await withEngine(folder, async (engine) => {
      const added = engine.devices.add({ address: device.url });
      engine.credentials.save({
        label: 'bench',
        userName: device.user,
        password: device.password,
        deviceIds: [added.id],
      });
      if (known === 'again') await engine.devices.test({ ids: [added.id] }, NEVER);
      return added.id;
    });
    return await withEngine(folder, async (engine) => {
      const before = recorded.get(device.url)?.length ?? 0;
      load.start();
      const started = performance.now();
      await openWorkspace(engine, id);
      return {
        ms: performance.now() - started,
        sent: recorded.get(device.url)?.slice(before) ?? [],
        inFlight: load.highest(),
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends the same requests one by one until the sign-in, then two at a time. */
async function bareLoop(device: BenchDevice, sent: readonly RecordedRequest[]): Promise<number> {
  const dispatcher = new Agent({ allowH2: false, connections: GOAL.inFlight, pipelining: 1 });
  const send = bareClient(device, dispatcher);
  const left = sent[Symbol.iterator]();
  const alone = sent.findIndex(({ signed }) => signed) + 1;
  async function worker(most: number): Promise<void> {
    for (let count = 0; count < most; count += 1) {
      const { done, value } = left.next();
      if (done === true) return;
      await send(value);
    }
  }
  const started = performance.now();
  await worker(alone);
  await Promise.all(Array.from({ length: GOAL.inFlight }, () => worker(Number.POSITIVE_INFINITY)));
  const ms = performance.now() - started;
  await dispatcher.close();
  return ms;
}

async function measure(kind: DeviceKind, known: Case, rounds: number): Promise<WorkspaceRow> {
  let { sent } = await withDevice(kind, (device) => opened(device, known));
  const openings: Opening[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const runs = [
      async () => {
        openings.push(await withDevice(kind, (device) => opened(device, known)));
      },
      async () => {
        bare.push(await withDevice(kind, (device) => bareLoop(device, sent)));
      },
    ];
    for (const run of round % 2 === 0 ? runs : runs.toReversed()) await run();
    sent = openings.at(-1)?.sent ?? sent;
  }
  const times = openings.map(({ ms }) => ms);
  return {
    kind,
    known,
    requests: sent.length,
    median: median(times),
    slowest: Math.max(...times),
    bare: median(bare),
    inFlight: Math.max(...openings.map(({ inFlight }) => inFlight)),
  };
}

/** Each kind of device, known and not; medians over `rounds`, after one that is not counted. */
export async function benchWorkspace({ rounds = 5 }: { readonly rounds?: number } = {}): Promise<
  readonly WorkspaceRow[]
> {
  const rows: WorkspaceRow[] = [];
  for (const known of CASES) for (const kind of DEVICE_KINDS) rows.push(await measure(kind, known, rounds));
  return rows;
}

/** The rows as a table for people. */
export async function workspaceReport(): Promise<string> {
  const rows = await benchWorkspace();
  const isMet = (row: WorkspaceRow): boolean => row.median < GOAL.ms && row.inFlight <= GOAL.inFlight;
  return [
    `Open a device workspace: all its reads, ${LATENCY_MS} ms latency, sign-in and connecting included`,
    '',
    ...formatTable(
      rows,
      {
        DEVICE: ({ kind, known }) => `${kind}${known === 'first' ? ', never seen before' : ''}`,
        REQUESTS: { value: ({ requests }) => String(requests), align: 'right' },
        'TIME ms': { value: (row) => row.median.toFixed(0), align: 'right' },
        'SLOWEST ms': { value: ({ slowest }) => slowest.toFixed(0), align: 'right' },
        'BARE ms': { value: ({ bare }) => bare.toFixed(0), align: 'right' },
        RATIO: { value: (row) => (row.median / row.bare).toFixed(2), align: 'right' },
        'IN FLIGHT': { value: ({ inFlight }) => String(inFlight), align: 'right' },
        [`GOAL ${GOAL.ms} ms, ${GOAL.inFlight} in flight`]: (row) => (isMet(row) ? 'met' : 'MISSED'),
      },
      { paint: plainPaint },
    ),
    '',
  ].join('\n');
}

if (import.meta.main) process.stdout.write(await workspaceReport());
