import type { ErrorShape } from '#shared/errors.ts';
import type { Device } from '#shared/model.ts';
import type { CertificateOffer } from '#shared/trust.ts';

/** A device and the certificate that it showed, for a person to decide about. */
export interface CertificateItem {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly offer: CertificateOffer;
}

export interface CertificateItems {
  /** First ones: nothing was accepted for the device before. */
  readonly fresh: readonly CertificateItem[];
  /** Other ones than was accepted. */
  readonly changed: readonly CertificateItem[];
}

/**
 * Returns the certificates that these devices showed last; `error` is newer than the device list, and is used
 * if there is only one device.
 */
export function listCertificateItems(devices: readonly Device[], error?: ErrorShape): CertificateItems {
  const items = devices.flatMap(({ id, name, url, lastError }): readonly CertificateItem[] => {
    const offer = (devices.length === 1 ? error?.certificate : undefined) ?? lastError?.certificate;
    return offer === undefined ? [] : [{ id, name, url, offer }];
  });
  return {
    fresh: items.filter(({ offer }) => offer.pinned === undefined),
    changed: items.filter(({ offer }) => offer.pinned !== undefined),
  };
}
