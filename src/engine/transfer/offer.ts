/**
 * Offers the package at an address where a device may fetch it: the same as before, or the job pauses and
 * says why.
 */
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import { createDeviceError, type Send, type StepEnd } from './send.ts';
import type { PackageFile } from './serve/package-file.ts';
import type { Offer } from './serve/types.ts';
import type { ModelResult } from './documents.ts';

/**
 * The address at which the device may fetch, the same as before where that is possible. Where another one would be
 * needed the job pauses once and says so: a device that is under way would have to begin anew.
 */
export async function offer(send: Send, file: PackageFile): Promise<Offer | StepEnd> {
  const { server, body, device, units, context, token } = send;
  for (;;) {
    const unit = units.of('transfer');
    const { port, portLost = false, ranges } = unit.transfer ?? {};
    try {
      const made = await server.offer({
        file,
        peer: { url: device.url },
        token,
        log: ({ detail }) => units.log(detail),
        signal: context.job.stopped,
        port,
        before: ranges,
        address: body.address,
      });
      if (port === undefined || made.port === port || portLost) return made;
      await made.close();
      units.show(unit, { transfer: { ...transferOf(unit), portLost: true } });
      if (!(await pauseFor(send, createDeviceError(send, 'not-available', 'model.port-taken', { port }))))
        return { kind: 'stopped' };
    } catch (thrown) {
      if (context.job.cancelled) return { kind: 'stopped' };
      const error = { ...toErrorShape(thrown), device: device.url };
      if (!(await pauseFor(send, error))) return { kind: 'stopped' };
    }
  }
}

/** Pauses the whole job with the reason until it is resumed; returns false if it was stopped instead. */
export async function pauseFor({ context: { job }, units }: Send, error: ErrorShape): Promise<boolean> {
  const unit = units.of('transfer');
  units.settle(unit, { error });
  if (error.detail !== undefined) units.log(error.detail);
  job.pause(error);
  await job.whileUnpaused();
  units.settle(unit, {});
  return !job.cancelled;
}

export function transferOf(unit: ModelResult): NonNullable<ModelResult['transfer']> {
  return unit.transfer ?? { served: 0, total: 0, rate: 0, asked: 0 };
}
