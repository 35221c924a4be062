/**
 * Finds what keeps devices from fetching a file from this computer. Examines this computer, opens one
 * connection to each device, and contacts no other host. Facts that need administrator rights are reported as
 * unknown.
 */
import { randomBytes } from 'node:crypto';
import type { ModelFinding } from '#shared/ai-models/ai-models.ts';
import { createCancelledError } from '#engine/device/transport/transport-errors.ts';
import { createQueue } from '#engine/device/queue.ts';
import { lookAtFirewall } from './doctor/firewall.ts';
import { pullFindings, type PullEvidence, type Waiting, type WayToDevice } from './doctor/judge.ts';
import { lookAtSleep } from './doctor/sleep.ts';
import { thisComputer, type SystemView } from './doctor/system.ts';
import { findDefaultInterface, findTunnels } from './doctor/vpn.ts';
import { openListener } from './listener.ts';
import { buildFileUrl, routeTo } from './place.ts';

/** Devices that are connected to at the same time. */
const AT_ONCE = 16;
const MOST_DEVICES = 500;
const CONNECT_MS = 3_000;
const FETCH_MS = 3_000;

interface PullDoctorRequest {
  /** Devices of the inventory; if there are none, only this computer is examined. */
  readonly devices: readonly { readonly url: string }[];
  /** Offer that received no request. */
  readonly waiting?: Waiting;
  /** An own address to serve at instead of those that lead to the devices. */
  readonly address?: string;
  readonly signal?: AbortSignal;
  /** This computer unless given. */
  readonly view?: SystemView;
}

/** Findings, dangers first. Ends within seconds, whatever the system does. Throws `cancelled`. */
export async function pullDoctor({
  devices,
  waiting,
  address,
  signal = new AbortController().signal,
  view = thisComputer,
}: PullDoctorRequest): Promise<readonly ModelFinding[]> {
  const queue = createQueue(AT_ONCE);
  const [ways, firewall, rules, sleep, byDefault] = await Promise.all([
    Promise.all(
      devices.slice(0, MOST_DEVICES).map(({ url }) => queue.run(() => wayTo(url, signal), { signal })),
    ).catch(() => {
      throw createCancelledError(false);
    }),
    lookAtFirewall(view),
    view.rules(),
    lookAtSleep(view),
    findDefaultInterface(view),
  ]);
  const interfaces = view.interfaces();
  const leading = ways.flatMap(({ route }) => (route === undefined ? [] : [route.local]));
  const outward = interfaces.flatMap((entry) =>
    !entry.internal && entry.family === 'IPv4' ? [entry.address] : [],
  );
  const own = new Set(address === undefined ? (devices.length === 0 ? outward : leading) : [address]);
  const tried = await Promise.all([...own].map(tryOwn));
  if (signal.aborted) throw createCancelledError(false);
  return pullFindings({
    interfaces,
    ways,
    tried,
    firewall,
    rules,
    sleep,
    tunnels: findTunnels(interfaces),
    defaultInterface: byDefault,
    waiting,
  });
}

async function wayTo(url: string, signal: AbortSignal): Promise<WayToDevice> {
  try {
    return { url, route: await routeTo(url, { signal, timeoutMs: CONNECT_MS }) };
  } catch {
    return { url };
  }
}

/** Opens a port at the address, as for a device, and fetches from it. Other computers may still be kept out. */
async function tryOwn(address: string): Promise<PullEvidence['tried'][number]> {
  const secret = randomBytes(16).toString('base64url');
  try {
    const listener = await openListener({
      address,
      zone: undefined,
      port: undefined,
      stuckMs: FETCH_MS,
      offeredTo: () => 1,
      onRequest: (asked, response) => {
        const known = asked.url === `/${secret}`;
        response.writeHead(known ? 200 : 404, { connection: 'close' }).end(known ? secret : '');
      },
    });
    const { port } = listener;
    const got = await fetched(buildFileUrl(address, port, `/${secret}`)).catch(() => undefined);
    await listener.close();
    return { address, port, works: got === secret };
  } catch {
    return { address, works: false };
  }
}

function fetched(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = process
      .getBuiltinModule('node:http')
      .request(url, { agent: false, timeout: FETCH_MS }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString('latin1');
          if (text.length > 100) asked.destroy();
        });
        response.once('end', () => resolve(text));
        response.once('close', () => reject(new Error('cut')));
      });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', reject);
    asked.end();
  });
}
