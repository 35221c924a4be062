import type { Device } from '#shared/model.ts';

export function listLockedDevices(devices: readonly Device[]): readonly Device[] {
  return devices.filter(
    ({ signIn, lastError }) =>
      signIn === 'locked' || lastError?.code === 'account-locked' || lastError?.lock?.locked === true,
  );
}

/** The latest moment at which one of these accounts unlocks; undefined where no device tells. */
export function findLastUnlock(devices: readonly Device[]): string | undefined {
  return devices
    .flatMap(({ lastError }) => lastError?.lock?.unlocksAt ?? [])
    .sort((a, b) => Date.parse(a) - Date.parse(b))
    .at(-1);
}

/** Attempts left where fewest are; undefined where no device tells. */
export function findFewestAttempts(devices: readonly Device[]): number | undefined {
  const attempts = devices.flatMap(({ lastError }) => lastError?.lock?.attemptsLeft ?? []);
  return attempts.length === 0 ? undefined : Math.min(...attempts);
}
