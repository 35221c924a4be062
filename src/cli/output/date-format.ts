/** Moments as `--lang` writes them, in the time of this computer. */
export function createDateFormat(lang: string | undefined): (iso: string) => string {
  const format = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'medium' });
  return (iso) => format.format(new Date(iso));
}
