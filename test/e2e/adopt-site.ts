import { type DeviceKind, DEVICE_KINDS } from '#shared/model.ts';
import type { Site } from '#simulator/index.ts';
import type { App } from './app.ts';

/** The first device of each kind of a virtual site. */
export interface AdoptedSite {
  /** Ids of all devices, in the order of the site. */
  readonly all: readonly string[];
  readonly ids: Readonly<Record<DeviceKind, string>>;
  readonly names: Readonly<Record<DeviceKind, string>>;
  /** Its number on the site. */
  readonly index: Readonly<Record<DeviceKind, number>>;
}

/** Puts the devices of a site into the inventory, signed in. */
export async function adoptSite(app: App, site: Site): Promise<AdoptedSite> {
  const ids = site.devices.map(({ url, name }) => app.engine.devices.add({ address: url, name }).id);
  site.devices.forEach(({ name, user, password }, index) =>
    app.engine.credentials.save({ label: name, userName: user, password, deviceIds: [ids[index] ?? ''] }),
  );
  await app.engine.devices.test({ ids }, AbortSignal.timeout(60_000));
  const of = <T>(pick: (index: number) => T): Record<DeviceKind, T> =>
    Object.fromEntries(
      DEVICE_KINDS.map((kind) => [kind, pick(site.devices.findIndex((device) => device.kind === kind))]),
    ) as Record<DeviceKind, T>;
  return {
    all: ids,
    ids: of((index) => ids[index] ?? ''),
    names: of((index) => site.devices[index]?.name ?? ''),
    index: of((index) => index),
  };
}
