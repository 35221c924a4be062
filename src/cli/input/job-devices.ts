/** Devices of a job, reached again: those of one run as the journal has them, with the sign-in given now. */
import type { Engine } from '#engine/api.ts';
import type { JobTarget, OpenWork } from '#shared/model.ts';
import type { Invocation } from '../invocation.ts';
import { readProfileOptions, type DeviceOptions } from '../declarations/options.ts';
import { createDeviceResolver } from './devices.ts';

/** A device that was removed from the inventory is left to the engine to report, unless `named`. */
export async function reachAgain(
  invocation: Invocation,
  engine: Engine,
  targets: readonly JobTarget[],
  options: DeviceOptions,
  named: ReadonlySet<string> = new Set(),
): Promise<void> {
  const resolver = createDeviceResolver(invocation, engine, options);
  for (const { deviceId, name, url, known, transient, profile, certificate } of targets) {
    if (known) await resolver.one({ text: url });
    else if (transient || named.has(deviceId)) {
      await resolver.one({
        text: url,
        name,
        profile: { ...profile, ...readProfileOptions(options) },
        ...(options.certificate === undefined && certificate !== undefined ? { certificate } : {}),
      });
    }
  }
}

/** Names devices of one run again, with the sign-in given now: the journal keeps none. */
export async function reachTransient(
  invocation: Invocation,
  engine: Engine,
  works: readonly OpenWork[],
  options: DeviceOptions,
): Promise<void> {
  const transient = works.filter(({ device }) => device.startsWith('t-'));
  for (const [id, ofJob] of Map.groupBy(transient, ({ job }) => job)) {
    const open = new Set(ofJob.map(({ device }) => device));
    const targets = engine.jobs.targets({ id }).filter(({ deviceId }) => open.has(deviceId));
    await reachAgain(invocation, engine, targets, options);
  }
}
