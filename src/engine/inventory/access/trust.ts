/**
 * Decides which certificate each device has to show. The pin of a device of the inventory belongs to the
 * device and moves with it; that of a device named for one run belongs to its address, as in a file of known
 * hosts. Removing a device leaves its pin with the address: removing a row and adding it again must not
 * accept another certificate unasked. Only `distrust` forgets.
 */
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { CertificateInfo, CertificateOffer, CertificateTrust } from '#shared/trust.ts';
import type { Clock, EngineOptions } from '#engine/api/host.ts';
import type { DevicesApi } from '#engine/api/routes.ts';
import { normalizeFingerprint, type ShownCertificate } from '#engine/device/transport/certificate.ts';
import type { Store } from '#engine/store/index.ts';
import type { DeviceRecord } from '../device-rows.ts';
import type { DeviceRecords } from '../records.ts';
import { forgetKnown, hadSystemTrust, keepKnown, findTrust, noteSystemTrust } from './trust-rows.ts';

export interface Trust extends Pick<DevicesApi, 'trust' | 'distrust'> {
  judge(deviceId: string, url: string, shown: ShownCertificate): CertificateOffer | undefined;
  /**
   * Returns the record of a device that is added or moved, with the pin of its address if it has none of its
   * own.
   */
  adopt(device: DeviceRecord): DeviceRecord;
  /** Leaves the pins of removed devices with their addresses. */
  leave(devices: readonly DeviceRecord[]): void;
}

interface TrustOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly records: Pick<DeviceRecords, 'get' | 'save' | 'atomically'>;
  readonly mode: NonNullable<EngineOptions['certificates']>;
  readonly onTrusted?: EngineOptions['onTrusted'];
  /** Returns the trust that was named for this run. */
  readonly given: (deviceId: string) => CertificateTrust | undefined;
  /** Called to make the next request of these devices start afresh. */
  readonly onChanged: (deviceIds: readonly string[]) => void;
}

/** Certificates that were shown lately, so that their details are kept when a person trusts a fingerprint. */
const MOST_SEEN = 500;

export type Pin = Required<Pick<DeviceRecord, 'certificate' | 'trust'>>;

/** Returns the fields of a record for a fingerprint that was named beforehand. @throws `usage` */
export function parsePin(fingerprint: string, clock: Clock): Pin {
  return pinned({
    fingerprint: normalizeFingerprint(fingerprint),
    how: 'given',
    since: clock.now().toISOString(),
  });
}

function pinned(trust: CertificateTrust): Pin {
  return { certificate: trust.fingerprint, trust };
}

export function createTrust({
  store,
  clock,
  records,
  mode,
  onTrusted,
  given,
  onChanged,
}: TrustOptions): Trust {
  const seen = new Map<string, CertificateInfo>();
  const now = () => clock.now().toISOString();

  function remember(info: CertificateInfo): void {
    seen.delete(info.fingerprint);
    seen.set(info.fingerprint, info);
    const [oldest] = seen.size > MOST_SEEN ? seen.keys() : [];
    if (oldest !== undefined) seen.delete(oldest);
  }

  /** Saves the trust, also with the address if the device is in no inventory. */
  function save(device: DeviceRecord, trust: CertificateTrust): void {
    records.save({ ...device, ...pinned(trust) });
    if (isTransient(device)) keepKnown(store, device.url, trust);
  }

  /** Returns the device with the pin that another process may have stored for its address meanwhile. */
  function current(deviceId: string): DeviceRecord {
    const device = records.get(deviceId);
    const known = isTransient(device) ? findTrust(store, device.url) : undefined;
    return known === undefined ? device : { ...device, ...pinned(known) };
  }

  /** Accepts the first certificate of a device, unless another handshake or process pinned one meanwhile: that one counts. */
  function pinFirst(deviceId: string, info: CertificateInfo): CertificateTrust {
    const first: CertificateTrust = { fingerprint: info.fingerprint, how: 'first-use', since: now(), info };
    const { url, trust } = records.atomically(() => {
      const device = current(deviceId);
      if (device.trust === undefined) save(device, first);
      return { url: device.url, trust: device.trust ?? first };
    });
    if (trust === first) onTrusted?.({ url, trust });
    return trust;
  }

  function decide(deviceId: string, url: string, shown: ShownCertificate): CertificateOffer | undefined {
    const named = given(deviceId);
    if (named !== undefined) return compare(shown.info, named);
    const device = current(deviceId);
    // A handshake with an address that the device no longer has pins nothing, nor does a certificate that
    // follows a better one.
    const mayPin =
      mode === 'first-use' && !shown.trusted && device.url === url && !hadSystemTrust(store, url);
    const pin = device.trust ?? (mayPin ? pinFirst(deviceId, shown.info) : undefined);
    if (pin === undefined) {
      if (!shown.trusted) return { offered: shown.info, reason: shown.reason };
      noteSystemTrust(store, url);
      return undefined;
    }
    const offer = compare(shown.info, pin);
    if (
      offer === undefined &&
      (pin.info === undefined || records.get(deviceId).certificate !== pin.fingerprint)
    )
      save(device, { ...pin, info: shown.info });
    return offer;
  }

  /** Details of a certificate, where the device has shown it. */
  function infoOf(device: DeviceRecord, fingerprint: string): CertificateInfo | undefined {
    const { certificate } = device.lastError ?? {};
    return [seen.get(fingerprint), certificate?.offered, certificate?.pinned?.info].find(
      (info) => info?.fingerprint === fingerprint,
    );
  }

  function requireSecure({ url }: DeviceRecord): void {
    if (url.startsWith('https:')) return;
    throw userError('not-allowed', say('no-certificate'), { device: url });
  }

  return {
    judge(deviceId, url, shown) {
      const offer = decide(deviceId, url, shown);
      if (offer !== undefined) remember(shown.info);
      return offer;
    },
    trust({ items }) {
      const wanted = items
        .map(({ id, fingerprint }) => ({
          device: current(id),
          fingerprint: normalizeFingerprint(fingerprint),
        }))
        .filter(
          ({ device, fingerprint }) =>
            device.certificate !== fingerprint || device.trust?.how === 'first-use',
        );
      for (const { device } of wanted) requireSecure(device);
      records.atomically(() => {
        for (const { device, fingerprint } of wanted) {
          const info = infoOf(device, fingerprint);
          save(settled(device), {
            fingerprint,
            how: 'person',
            since: now(),
            info,
          });
        }
      });
      onChanged(wanted.map(({ device }) => device.id));
      return { changed: wanted.length };
    },
    distrust({ ids }) {
      const trusted = [...new Set(ids)].map(current).filter((device) => device.certificate !== undefined);
      records.atomically(() => {
        for (const device of trusted) {
          const { certificate: _pin, trust: _details, ...rest } = settled(device);
          records.save(rest);
          forgetKnown(store, device.url);
        }
      });
      onChanged(trusted.map((device) => device.id));
      return { changed: trusted.length };
    },
    adopt(device) {
      const known = findTrust(store, device.url);
      if (known === undefined) return device;
      if (!isTransient(device)) forgetKnown(store, device.url);
      return device.certificate === undefined ? { ...device, ...pinned(known) } : device;
    },
    leave(devices) {
      for (const { url, trust } of devices)
        if (trust !== undefined && url.startsWith('https:')) keepKnown(store, url, trust);
    },
  };
}

function compare(offered: CertificateInfo, pin: CertificateTrust): CertificateOffer | undefined {
  return offered.fingerprint === pin.fingerprint ? undefined : { offered, pinned: pin, reason: 'changed' };
}

/** Returns true for a device that is named for one run and in no inventory. */
function isTransient({ id }: Pick<DeviceRecord, 'id'>): boolean {
  return id.startsWith('t-');
}

/** Removes the error that the certificate before led to. */
function settled(device: DeviceRecord): DeviceRecord {
  const { lastError, ...rest } = device;
  return {
    ...rest,
    signIn: 'unknown',
    ...(lastError === undefined || lastError.certificate !== undefined ? {} : { lastError }),
  };
}
