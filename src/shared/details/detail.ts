import type { SentenceId } from '#locales/names.ts';

/**
 * Id of a sentence in `resources/locales/en`. A second line is a hint: what to try next. What begins with `device.` is
 * what a device did, or the way to it; screens have words of their own for it, by the code of the error.
 */
export type DetailId = SentenceId;

/** Sentence of the catalogue with its values: says exactly what is wrong, or why something was changed. */
export interface Detail {
  readonly id: DetailId;
  /** Numbers, and names cut to a bounded length. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** The device's own reason, in its own words; every sentence made of the detail ends with it. */
  readonly reason?: string;
}
