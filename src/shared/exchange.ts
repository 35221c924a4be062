/**
 * One request and its answer as a person may see and pass on. Every text in it was redacted before
 * it got here: no password, key, fingerprint or sign-in can be read from it.
 */
export interface Exchange {
  readonly method: string;
  /** Path and query as sent, below the device's address. */
  readonly url: string;
  /** Lower-case names; without the sign-in. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string;
  /** Absent where no answer came. */
  readonly http?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody: string;
  /** Some of a body was left out: it was longer than `EXCHANGE_BODY_LIMIT`. */
  readonly cut?: boolean;
  /** Milliseconds from sending to the last byte, sign-in included. */
  readonly ms: number;
}

/** Characters of one body that an exchange keeps. */
export const EXCHANGE_BODY_LIMIT = 256 * 1024;

/** Stands where something secret was. A value that holds it is never sent to a device. */
export const MASK = '••••••';
