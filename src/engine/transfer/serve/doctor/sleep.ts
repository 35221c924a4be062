/** Finds out whether this computer goes to sleep while devices still fetch from it. */
import type { SystemView } from './system.ts';

/** Idle minutes before sleep; 0: never; undefined: unknown. */
export type SleepAfter = number | undefined;

export async function lookAtSleep(view: SystemView): Promise<SleepAfter> {
  switch (view.platform) {
    case 'win32':
      return parseWindowsSleep(
        await view.run('powercfg', ['/query', 'SCHEME_CURRENT', 'SUB_SLEEP', 'STANDBYIDLE']),
      );
    case 'darwin':
      return parseMacSleep(await view.run('pmset', ['-g']));
    default: {
      const schema = 'org.gnome.settings-daemon.plugins.power';
      const [target, type, seconds] = await Promise.all([
        view.run('systemctl', ['is-enabled', 'sleep.target']),
        view.run('gsettings', ['get', schema, 'sleep-inactive-ac-type']),
        view.run('gsettings', ['get', schema, 'sleep-inactive-ac-timeout']),
      ]);
      return parseLinuxSleep({ target, type, seconds });
    }
  }
}

/** The last two numbers are those on mains and on battery, in seconds; the words are translated. The shorter one counts. */
export function parseWindowsSleep(text: string | undefined): SleepAfter {
  const numbers = [...(text ?? '').matchAll(/\b0x([0-9a-f]{1,8})\b/gi)].map(([, value = '']) =>
    Number.parseInt(value, 16),
  );
  if (numbers.length < 2) return undefined;
  const set = numbers.slice(-2).filter((seconds) => seconds > 0);
  return set.length === 0 ? 0 : Math.ceil(Math.min(...set) / 60);
}

export function parseMacSleep(text: string | undefined): SleepAfter {
  const minutes = /^\s*sleep\s+(\d+)/m.exec(text ?? '')?.[1];
  return minutes === undefined ? undefined : Number(minutes);
}

export function parseLinuxSleep({
  target,
  type,
  seconds,
}: {
  readonly target: string | undefined;
  readonly type: string | undefined;
  readonly seconds: string | undefined;
}): SleepAfter {
  if (target?.trim() === 'masked') return 0;
  if (/nothing|blank|logout/.test(type ?? '')) return 0;
  const number = /(\d+)\s*$/.exec(seconds ?? '')?.[1];
  return number === undefined ? undefined : Math.ceil(Number(number) / 60);
}
