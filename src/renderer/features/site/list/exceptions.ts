/** How what is wrong with a row looks and reads. */
import { useI18n } from 'vue-i18n';
import { getDeviceStatus } from '#shared/device-status.ts';
import { formatRelativeTime, formatShortTime } from '#renderer/common/labels/format.ts';
import type { Tone } from '#renderer/styles/palette.ts';
import { findOtherUrl, listRowExceptions, type ListRow, type RowException } from './site-rows.ts';

const TONES: Readonly<Record<RowException, Tone>> = {
  'other-device': 'bad',
  'certificate-changed': 'bad',
  certificate: 'warn',
  locked: 'bad',
  'sign-in-failed': 'bad',
  'sign-in-conflict': 'warn',
  'not-activated': 'warn',
  away: 'bad',
  'not-signed-in': 'warn',
  restart: 'special',
  drifted: 'warn',
  moved: 'warn',
  conflict: 'warn',
  outside: 'quiet',
};

export function getExceptionTone(exception: RowException): Tone {
  return TONES[exception];
}

/**
 * Returns what is wrong with a row as far as it can be known: nothing is said of a device that cannot be looked at but
 * what was known before: that it waits for a restart, and what it showed at the last look.
 */
export function listShownExceptions(row: ListRow, cut: ReadonlySet<string>): readonly RowException[] {
  const all = listRowExceptions(row);
  return row.kind === 'device' && cut.has(row.device.id)
    ? all.filter((each) => each === 'restart' || each === 'drifted')
    : all;
}

/** State of the dot of a row. `stale`: it was not looked at for a while, so nothing is claimed. */
type RowHealth = 'ok' | 'stale' | 'away' | 'warn' | 'bad';

export function getRowHealth(row: ListRow, now: number, cut: ReadonlySet<string>): RowHealth {
  if (row.kind === 'device' && cut.has(row.device.id)) return 'stale';
  const [worst] = listRowExceptions(row);
  if (worst === 'away') return 'away';
  if (worst !== undefined) return TONES[worst] === 'bad' ? 'bad' : 'warn';
  if (row.kind === 'found') return row.sighting.state === 'present' ? 'ok' : 'stale';
  return getDeviceStatus(row.device, now).reach === 'reachable' ? 'ok' : 'stale';
}

/** Returns a function that names an exception of a row in a word or two, with its time or address. */
export function useExceptionText(): (row: ListRow, exception: RowException, now: number) => string {
  const { t } = useI18n();
  return (row, exception, now) => {
    if (row.kind === 'found') return t(`list.exception.${exception}`);
    if (exception === 'drifted') return t('list.differ', { n: row.device.agreement?.differs ?? 0 });
    if (exception !== 'away' && exception !== 'moved') return t(`list.exception.${exception}`);
    if (exception === 'moved')
      return t('found.elsewhere', {
        address: (findOtherUrl(row.device, row.sighting) ?? '').replace(/^http:\/\//, ''),
      });
    if (row.sighting?.state === 'present') return t('list.silent');
    const { reachSince, checkedAt } = row.device;
    if (getDeviceStatus(row.device, now).reach === 'was-unreachable')
      return t('list.wasAway', { ago: formatRelativeTime(checkedAt, now) ?? '' });
    return reachSince === undefined
      ? t('list.exception.away')
      : t('list.awaySince', { time: formatShortTime(reachSince, now) });
  };
}
