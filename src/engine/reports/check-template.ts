/** A template against what devices reported when they were read last: no device is asked. */
import { setImmediate } from 'node:timers/promises';
import { formatSomeNames } from '#shared/details.ts';
import type { Device, KnownTemplateCheck } from '#shared/model.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { checkTemplate } from '../template/check/check-template.ts';
import { indexLimits } from '../template/saved-capabilities.ts';
import type { DeviceReading } from './reading.ts';
import type { Readings } from './readings.ts';

interface CheckContext {
  readonly devices: { list(): readonly Pick<Device, 'id' | 'name' | 'url' | 'kinds'>[] };
  readonly readings: Pick<Readings, 'known'>;
}

/** Devices of the template's kinds; those that reported the same are checked, and named, together. */
export async function checkAgainstReadings(
  { text, file }: { readonly text: string; readonly file?: string | undefined },
  { devices, readings }: CheckContext,
): Promise<KnownTemplateCheck> {
  const wanted = checkTemplate(text).summary?.kinds ?? [];
  const alike = new Map<string, { readonly names: string[]; readonly limits: DeviceReading['limits'] }>();
  for (const { id, name, url, kinds } of devices.list()) {
    if (wanted.length > 0 && !kinds.some((kind) => wanted.includes(kind))) continue;
    const { limits } = readings.known(id).reading ?? {};
    // Thousands of readings are unpacked; other work goes on between them.
    await setImmediate();
    if (limits === undefined) continue;
    const key = JSON.stringify(limits);
    const group = alike.get(key) ?? { names: [], limits };
    alike.set(key, group);
    group.names.push(name || url);
  }
  const reported = [...alike.values()].map(({ names, limits }) => ({
    device: formatSomeNames(names),
    limits: indexLimits(limits),
  }));
  const count = [...alike.values()].reduce((sum, { names }) => sum + names.length, 0);
  return { ...checkTemplate(text, { reported, ...removeUndefined({ file }) }), devices: count };
}
