/** Groups of devices on which the same settings differ in the same way; pure. */
import { isPutOff, type DeviceAgreement, type DriftedSetting, type DriftGroup } from '#shared/agreement.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';

/**
 * Returns the groups, those of most devices first, those put off last. Settings that differ alike on the very same devices
 * are one group: one plan puts them right.
 */
export function groupDrift(agreements: readonly DeviceAgreement[], now: Date): readonly DriftGroup[] {
  const bySetting = new Map<string, { readonly deviceIds: string[]; one: DriftedSetting }>();
  for (const { deviceId, differences } of agreements)
    for (const one of differences) {
      const key = buildKey(one, now);
      const known = bySetting.get(key);
      if (known === undefined) bySetting.set(key, { deviceIds: [deviceId], one });
      else {
        known.deviceIds.push(deviceId);
        if (one.since < known.one.since) known.one = { ...known.one, since: one.since };
      }
    }
  const byDevices = Map.groupBy(bySetting.values(), ({ deviceIds, one }) =>
    JSON.stringify([isPutOff(one, now), deviceIds]),
  );
  return [...byDevices.values()]
    .flatMap((own): readonly DriftGroup[] => {
      const [first] = own;
      return first === undefined
        ? []
        : [{ deviceIds: first.deviceIds, differences: own.map(({ one }) => one) }];
    })
    .sort((a, b) => rank(a, now) - rank(b, now) || b.deviceIds.length - a.deviceIds.length);
}

function rank({ differences }: DriftGroup, now: Date): number {
  return differences.some((one) => isPutOff(one, now)) ? 1 : 0;
}

function buildKey(one: DriftedSetting, now: Date): string {
  const { set, params, path, changes, changedBy, later } = one;
  return encodeCanonicalJson([
    set,
    params,
    path,
    changes,
    changedBy?.jobId ?? '',
    isPutOff(one, now) ? (later?.until ?? 'next') : '',
  ]);
}
