/** Values of devices as text for people. What comes from a device stays text: it is never markup. */
import { replaceUnseen } from '#shared/text/unseen.ts';
import { useFieldLabels } from './field-labels.ts';

const LONGEST = 400;

/** Makes invisible characters visible, so that a hostile name cannot hide or reorder the text beside it. */
export function reveal(text: string): string {
  return replaceUnseen(text, (mark) => (mark === '\n' || mark === '\t' || mark === '\r' ? mark : '\ufffd'));
}

/** One value of a change: lists and objects as compact JSON, long text cut. */
export function formatValue(
  value: unknown,
  words: { readonly on: string; readonly off: string; readonly empty: string },
): string {
  if (typeof value === 'boolean') return value ? words.on : words.off;
  if (value === '' || (Array.isArray(value) && value.length === 0)) return words.empty;
  const text =
    typeof value === 'string'
      ? value
      : typeof value === 'object' && value !== null
        ? JSON.stringify(value)
        : String(value);
  const shown = reveal(text);
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
}

/** `12.3 MB`; `n` writes numbers in the language of the screen. */
export function formatMegabytes(
  bytes: number,
  n: (value: number, digits: Intl.NumberFormatOptions) => string,
): string {
  return `${n(bytes / 1_048_576, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`;
}

/** Makes formats in the language of the screen. Making one costs more than a hundred uses of it, and lists use it in every row. */
function kept<T>(make: (language: string) => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const { language } = useFieldLabels().value;
    const known = made.get(language) ?? make(language);
    made.set(language, known);
    return known;
  };
}
function keptDates(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  return kept((language) => new Intl.DateTimeFormat(language, options));
}
const relativeFormat = kept(
  (language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }),
);
const dateFormats = {
  medium: keptDates({ dateStyle: 'medium', timeStyle: 'medium' }),
  short: keptDates({ dateStyle: 'medium', timeStyle: 'short' }),
};
const weekdays = {
  short: keptDates({ weekday: 'short', timeZone: 'UTC' }),
  long: keptDates({ weekday: 'long', timeZone: 'UTC' }),
};
const deviceFormat = keptDates({ dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const timeOfDay = keptDates({ timeStyle: 'short' });
const dayOfYear = keptDates({ month: 'short', day: 'numeric' });

/** `3 minutes ago`; undefined where the time is missing or no time. */
export function formatRelativeTime(iso: string | undefined, now: number): string | undefined {
  const at = iso === undefined ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(at)) return undefined;
  const seconds = Math.round((at - now) / 1000);
  const format = relativeFormat();
  const size = Math.abs(seconds);
  if (size < 10) return format.format(0, 'second');
  if (size < 60) return format.format(Math.round(seconds / 10) * 10, 'second');
  if (size < 3600) return format.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return format.format(Math.round(seconds / 3600), 'hour');
  return format.format(Math.round(seconds / 86_400), 'day');
}

/** Date and time; `medium` is to the second, `short` to the minute. */
export function formatDateTime(iso: string | undefined, timeStyle: 'medium' | 'short' = 'medium'): string {
  const at = iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isNaN(at) ? '' : dateFormats[timeStyle]().format(at);
}

/** Name of a day of the week: 1 is Monday, 7 Sunday. */
export function formatWeekday(day: number, style: 'short' | 'long' = 'short'): string {
  // 1 January 2024 was a Monday.
  return weekdays[style]().format(Date.UTC(2024, 0, day));
}

/** Date and time by the clock of a device, to the minute and without its offset; other text as it is. */
export function formatDeviceTime(text: string): string {
  const [clock] = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?/.exec(text) ?? [];
  const at = clock === undefined ? Number.NaN : Date.parse(`${clock}Z`);
  return Number.isNaN(at) ? reveal(text) : deviceFormat().format(at);
}

/** The time of day, or the day where it is another one than that of `now`. */
export function formatShortTime(iso: string, now: number): string {
  const at = new Date(iso);
  return at.toDateString() === new Date(now).toDateString() ? timeOfDay().format(at) : dayOfYear().format(at);
}

/** `1:05`, `2:00:09`: a span of time as a clock shows it. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const tail = String(whole % 60).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes}:${tail}`
    : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${tail}`;
}
