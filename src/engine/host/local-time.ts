/** Times as people write them on paper: of this computer's zone, with its offset. */

/** Formats a time as `2026-03-31T14:05:00+02:00`, in whole seconds; `exact` in milliseconds. */
export function formatLocalTime(at: Date, { exact = false }: { readonly exact?: boolean } = {}): string {
  const minutes = -at.getTimezoneOffset();
  const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, exact ? 23 : 19);
  const away = Math.abs(minutes);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`;
}

/** Returns the name of the time zone, e.g. `Europe/Berlin`. */
export function getZoneName(): string {
  return new Intl.DateTimeFormat('en').resolvedOptions().timeZone;
}
