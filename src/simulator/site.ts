/** A virtual site: many devices in one process, over real HTTP or HTTPS. SIMULATOR.md says what it promises. */
import type { DeviceKind } from '#shared/model.ts';
import { SiteClock } from './clock.ts';
import { VirtualDevice } from './device.ts';
import { KINDS } from './kinds/index.ts';
import { makeDeviceName, makeDevicePassword } from './names.ts';
import { checkOptions, type CheckedOptions, type SiteOptions, type Violation } from './options.ts';
import { deriveSeed } from './random.ts';
import { announce } from './server/announce.ts';
import type { LoggedRequest } from './request-log.ts';
import { createCertificate } from './server/certificate.ts';
import { createTwinHandlers } from './twin.ts';

interface SiteDevice {
  readonly name: string;
  readonly kind: DeviceKind;
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

export interface Site {
  readonly devices: readonly SiteDevice[];
  /** Requests so far whose body the specification does not allow; a strict site finds more of them. */
  readonly violations: readonly Violation[];
  /** Time of the whole site. */
  readonly clock: SiteClock;
  /** Returns a device by its position, from 0. @throws if there is none */
  device(index: number): VirtualDevice;
  /** Closes every socket; safe to call twice. */
  close(): Promise<void>;
}

/** Devices that start to listen at the same time. */
const AT_ONCE = 50;

/**
 * Starts the site; settles when every device listens.
 * Errors: `usage` for invalid options, `not-available` if a port cannot be had. Nothing is left open then.
 */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const checked = checkOptions(options);
  const clock = new SiteClock();
  const built = await Promise.all(
    Array.from({ length: checked.devices }, (_, index) => build(checked, index, clock)),
  );

  try {
    for (let from = 0; from < built.length; from += AT_ONCE) {
      await openAll(built.slice(from, from + AT_ONCE).map((item) => item.device));
    }
  } catch (error) {
    await Promise.all(built.map((item) => item.device.close()));
    throw error;
  }

  const devices = built.map(({ device, password }): SiteDevice => ({
    name: device.name,
    kind: device.kind,
    url: device.url,
    user: checked.user,
    password,
  }));
  const announced = checked.mdns
    ? announce(
        built.map(({ device }) => ({
          name: device.name,
          port: device.port,
          secure: checked.tls,
          prefix: checked.prefix,
        })),
        checked,
      )
    : undefined;
  let closed: Promise<void> | undefined;
  return {
    devices,
    clock,
    get violations() {
      return built.flatMap(({ device }) => device.violations.map((entry) => violationOf(device.name, entry)));
    },
    device(index) {
      const item = built[index];
      if (!item) throw new RangeError(`The site has devices 0 to ${built.length - 1}.`);
      return item.device;
    },
    close() {
      closed ??= (async () => {
        await Promise.all([announced?.close(), ...built.map((item) => item.device.close())]);
      })();
      return closed;
    },
  };
}

function violationOf(device: string, { method, path, violation = '' }: LoggedRequest): Violation {
  return { device, method, path, violation };
}

/** Waits for all of them even where one fails, so that none starts to listen after the site gave up. */
async function openAll(devices: readonly VirtualDevice[]): Promise<void> {
  const results = await Promise.allSettled(devices.map((device) => device.open()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

async function build(
  site: CheckedOptions,
  index: number,
  clock: SiteClock,
): Promise<{ device: VirtualDevice; password: string }> {
  const twin = site.twins[index];
  const kind = twin?.kind ?? site.kinds[index % site.kinds.length] ?? 'gate';
  const name = twin?.name ?? makeDeviceName(kind, index);
  const password = site.password ?? makeDevicePassword(site.seed, index);
  const device = new VirtualDevice({
    name,
    kind,
    password,
    model: site.models[index % site.models.length] ?? 'standard',
    port: site.port === 0 ? 0 : site.port + index,
    namespace: twin?.namespace ?? site.namespace,
    handlers: twin === undefined ? KINDS[kind].handlers : createTwinHandlers(twin),
    onViolation: (entry) => site.onViolation(violationOf(name, entry)),
    seed: deriveSeed(site.seed, 'device', index),
    clock,
    site,
    ...(site.tls ? { certificate: await createCertificate(name, site.host) } : {}),
  });
  return { device, password };
}
