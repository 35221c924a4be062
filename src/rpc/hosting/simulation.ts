/** A simulated site inside the running face, its devices in the inventory, signed in. */
import { randomBytes } from 'node:crypto';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import { DEFAULT_PROFILE, type DeviceKind } from '#shared/model.ts';
import type { Engine } from '#engine/api.ts';

/** The part of the simulator's site that is used; the face loads the simulator itself, when asked. */
interface SimulatedSite {
  readonly devices: readonly {
    readonly name: string;
    readonly url: string;
    readonly user: string;
    readonly password: string;
  }[];
  close(): Promise<void>;
}
type StartSite = (options: {
  readonly devices: number;
  readonly kinds: readonly DeviceKind[];
  readonly password: string;
  readonly fingerAfterMs: number;
}) => Promise<SimulatedSite>;

interface Simulation {
  /** Gives how many devices were added. */
  startSimulatedSite(devices: number, signal: AbortSignal): Promise<number>;
  /** Ends every site that was started. */
  close(): Promise<void>;
}

/** Largest number of devices, enough for a building; more would only heat the laptop. */
const MOST_DEVICES = 400;
const KINDS: readonly DeviceKind[] = ['thermal', 'gate'];
const TAG = 'simulated';
/** A virtual reader has no person to put on a finger. */
const FINGER_AFTER_MS = 4_000;

export function createSimulation(engine: Engine, startSite: StartSite): Simulation {
  const sites: SimulatedSite[] = [];
  let promised = 0;

  async function start(devices: number, signal: AbortSignal): Promise<number> {
    const site = await startSite({
      devices,
      kinds: KINDS,
      password: randomBytes(12).toString('base64url'),
      fingerAfterMs: FINGER_AFTER_MS,
    });
    sites.push(site);
    signal.throwIfAborted();
    await adopt(engine, site, signal);
    return site.devices.length;
  }

  return {
    async startSimulatedSite(devices, signal) {
      if (promised + devices > MOST_DEVICES) {
        throw userError(
          'out-of-range',
          say('simulated-site-full', { max: MOST_DEVICES, running: promised }),
          { path: 'devices' },
        );
      }
      promised += devices;
      try {
        return await start(devices, signal);
      } catch (error) {
        promised -= devices;
        throw error;
      }
    },
    async close() {
      await Promise.allSettled(sites.splice(0).map((site) => site.close()));
    },
  };
}

/** Adds the site's devices, with one entry in the vault for the whole site. */
async function adopt(engine: Engine, site: SimulatedSite, signal: AbortSignal): Promise<void> {
  const ids = site.devices.map(
    (device) =>
      engine.devices.add({ address: device.url, name: device.name, tags: [TAG], profile: DEFAULT_PROFILE })
        .id,
  );
  const first = site.devices[0];
  if (first !== undefined)
    engine.credentials.save({
      label: 'Simulated site',
      userName: first.user,
      password: first.password,
      deviceIds: ids,
    });
  await engine.devices.test({ ids }, signal);
}
