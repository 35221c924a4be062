/** What a device repeats of the secrets of the vault; its own sign-in its client masks. */
import { maskOf, type Mask } from '../device/sign-in/own-mask.ts';
import type { DeviceSecrets } from '../inventory/access/device-secrets.ts';
import type { SavedSecrets } from '../inventory/access/saved-secrets.ts';

/** The mask of a device. */
export type Hide = (deviceId: string) => Mask;

/** For one reading or one report: the saved secrets are opened once for all of its devices, and forgotten with it. */
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
