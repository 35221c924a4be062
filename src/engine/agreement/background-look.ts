/**
 * Looks at the agreed settings of devices while an app is open: one device after the other, each once a day, so slowly that
 * neither the devices nor the computer notice.
 */
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
  /** Brings what the list says of devices up to date, of all of them without an argument. Never throws. */
  readonly refresh: (deviceIds?: readonly string[]) => Promise<void>;
  /** Looks at a device with pauses between its reads. Never throws. */
  readonly look: (deviceId: string, signal: AbortSignal) => Promise<void>;
  /** Milliseconds before the first search; a minute by default. */
  readonly startsAfterMs?: number;
  /** Answers false while the computer should rest: on a low battery, or with the window hidden for long. */
  readonly mayLook: () => boolean | Promise<boolean>;
}

/** Runs until the signal aborts. */
export async function lookInBackground(options: BackgroundLookOptions, signal: AbortSignal): Promise<void> {
  const { clock, mayLook, look, refresh } = options;
  const wait = (ms: number): Promise<void> => clock.delay(ms, signal).catch(() => undefined);
  await refresh();
  for (let ms = options.startsAfterMs ?? SEARCH_MS; !signal.aborted; ms = SEARCH_MS) {
    await wait(ms);
    if (signal.aborted) return;
    await refresh(listBack(options));
    for (const id of listDue(options)) {
      if (signal.aborted || !(await mayLook())) break;
      await look(id, signal);
      await wait(PAUSE_MS);
    }
  }
}

type Known = Pick<BackgroundLookOptions, 'clock' | 'devices'>;

/** Lists the devices whose last look is a day old, and those that failed then and were seen since; the oldest look first. */
export function listDue({ clock, devices }: Known): readonly string[] {
  const yesterday = new Date(clock.now().getTime() - DAY_MS).toISOString();
  return devices()
    .flatMap(({ id, agreement, lastSeen = '' }) => {
      if (agreement === undefined) return [];
      const { readAt = '', failedAt } = agreement;
      return [{ id, triedAt: failedAt ?? readAt, isBack: failedAt !== undefined && lastSeen > failedAt }];
    })
    .filter(({ triedAt, isBack }) => triedAt < yesterday || isBack)
    .sort((a, b) => (a.triedAt < b.triedAt ? -1 : 1))
    .map(({ id }) => id);
}

/** Lists the devices with a difference that was put off until now. */
function listBack({ clock, devices }: Known): readonly string[] {
  const now = clock.now().toISOString();
  return devices()
    .filter(({ agreement }) => (agreement?.laterUntil ?? '9999') <= now)
    .map(({ id }) => id);
}
