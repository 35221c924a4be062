/**
 * Masks secrets of the vault that a device repeats in its answers; the client masks the device's own sign-in.
 */
import { maskOf, type Mask } from '../device/sign-in/own-mask.ts';
import type { DeviceSecrets } from '../inventory/access/device-secrets.ts';
import type { SavedSecrets } from '../inventory/access/saved-secrets.ts';

export type Hide = (deviceId: string) => Mask;

/** Returns a mask for one reading or one report: saved secrets are opened once for all its devices. */
export function hideOnce(
  deviceSecrets: Pick<DeviceSecrets, 'values'>,
  saved: Pick<SavedSecrets, 'opener'>,
): Hide {
  const valuesNow = saved.opener();
  let values: readonly string[] = [];
  let common = maskOf(values);
  return (deviceId) => {
    const now = valuesNow();
    if (now !== values) {
      values = now;
      common = maskOf(now);
    }
    const own = deviceSecrets.values(deviceId);
    // One mask for both, as one secret may be part of another.
    return own.length === 0 ? common : maskOf([...own, ...now]);
  };
}
