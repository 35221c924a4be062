/**
 * Looks at the agreed settings of devices while an app is open: one device after the other, each once a day, so slowly that
 * neither the devices nor the computer notice.
 */
import type { DeviceAgreement } from '#shared/agreement.ts';
import type { Device } from '#shared/model.ts';
import type { Clock } from '../api/host.ts';

/** Milliseconds between two reads: each is one request, two where the device asks for a sign-in first. */
export const PAUSE_MS = 1_000;
/** Milliseconds between two searches for devices that are due. */
const SEARCH_MS = 60_000;
const DAY_MS = 86_400_000;

interface BackgroundLookOptions {
  readonly clock: Clock;
  readonly devices: () => readonly Device[];
  readonly status: () => readonly DeviceAgreement[];
  /** Looks at a device with pauses between its reads. Never throws. */
  readonly look: (deviceId: string, signal: AbortSignal) => Promise<void>;
  /** Milliseconds before the first search; a minute by default. */
  readonly startsAfterMs?: number;
  /** Returns false while the computer should rest: on a low battery, or with the window hidden for long. */
  readonly mayLook: () => boolean;
}

/** Runs until the signal aborts. */
export async function lookInBackground(options: BackgroundLookOptions, signal: AbortSignal): Promise<void> {
  const { clock, mayLook, look } = options;
  const wait = (ms: number): Promise<void> => clock.delay(ms, signal).catch(() => undefined);
  for (let ms = options.startsAfterMs ?? SEARCH_MS; !signal.aborted; ms = SEARCH_MS) {
    await wait(ms);
    if (signal.aborted || !mayLook()) continue;
    for (const id of listDue(options)) {
      if (signal.aborted || !mayLook()) break;
      await look(id, signal);
      await wait(PAUSE_MS);
    }
  }
}

/** Lists the devices whose last look is a day old, and those that failed then and were seen since; the oldest look first. */
export function listDue({
  clock,
  devices,
  status,
}: Pick<BackgroundLookOptions, 'clock' | 'devices' | 'status'>): readonly string[] {
  const yesterday = new Date(clock.now().getTime() - DAY_MS).toISOString();
  const seen = new Map(devices().map(({ id, lastSeen }) => [id, lastSeen]));
  return status()
    .filter(({ state }) => state !== 'nothing-agreed')
    .map(({ deviceId, readAt = '', triedAt = readAt, error }) => ({
      deviceId,
      triedAt,
      failed: error !== undefined,
    }))
    .filter(
      ({ deviceId, triedAt, failed }) =>
        triedAt < yesterday || (failed && (seen.get(deviceId) ?? '') > triedAt),
    )
    .sort((a, b) => (a.triedAt < b.triedAt ? -1 : 1))
    .map(({ deviceId }) => deviceId);
}
