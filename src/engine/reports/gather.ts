/**
 * Reads devices for reports, many at a time. This is not a job: it changes nothing, so it neither waits for
 * jobs nor blocks them. The reading of each device is saved at once; cancelling loses only the reads under
 * way.
 */
import { toErrorShape } from '#shared/errors.ts';
import type { GatherEvent } from '#shared/reports.ts';
import { runInPool } from '../async/pool.ts';
import type { Hide } from './hiding.ts';
import { readDevice, toReadingError, type ReadingContext } from './reading.ts';
import type { Readings } from './readings.ts';

export interface GatherContext extends ReadingContext {
  readonly readings: Readings;
  /** Masks secrets in the texts of a device. */
  readonly hide: Hide;
  readonly user: string;
}

/** Throws `unknown-device` before anything is sent. Ends early, without an error, when the signal aborts. */
export async function* gather(
  deviceIds: readonly string[],
  context: GatherContext,
  signal: AbortSignal,
): AsyncGenerator<GatherEvent> {
  const { devices, readings, clock, user, hide } = context;
  const chosen = [...new Set(deviceIds)].map((id) => devices.find(id));
  let done = 0;
  const read = async ({ id, name, url }: (typeof chosen)[number]): Promise<GatherEvent | undefined> => {
    const attempt = () => ({ deviceId: id, name, url, at: clock.now().toISOString(), by: user });
    const event = { deviceId: id, name, url };
    try {
      const reading = await readDevice(id, context, signal);
      readings.save(attempt(), reading);
      done += 1;
      const counted = { ...event, done, total: chosen.length };
      return reading.error === undefined
        ? counted
        : { ...counted, error: hide(id)({ source: 'device', ...reading.error }) };
    } catch (thrown) {
      if (signal.aborted) return undefined;
      const error = hide(id)(toErrorShape(thrown));
      readings.saveFailure(attempt(), toReadingError(error));
      done += 1;
      return { ...event, error, done, total: chosen.length };
    }
  };
  for await (const event of runInPool(chosen, read, { signal })) if (event !== undefined) yield event;
}
