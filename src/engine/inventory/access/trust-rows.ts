/** Pins between database rows and the model. */
import type { CertificateTrust } from '#shared/trust.ts';
import type { Store } from '#engine/store/index.ts';
import { readOwnJson } from '#shared/read-json.ts';
import { z } from 'zod';
import { computeOnce } from '#shared/once.ts';

/** Schema of a stored pin. */
const schema = computeOnce((): z.ZodType<CertificateTrust> => {
  const fingerprint = z.string().regex(/^[0-9a-f]{64}$/);
  return z.object({
    fingerprint,
    how: z.enum(['first-use', 'person', 'given']),
    since: z.string(),
    info: z
      .object({
        fingerprint,
        subject: z.string(),
        issuer: z.string(),
        names: z.array(z.string()),
        validFrom: z.string(),
        validTo: z.string(),
        selfSigned: z.boolean(),
      })
      .optional(),
  });
});

export function writeTrust(pin: CertificateTrust | undefined): string | null {
  return pin === undefined ? null : JSON.stringify(pin);
}

/** Returns undefined if there is no text, or it describes another certificate than `certificate`. */
export function readTrust(text: string | null, certificate?: string): CertificateTrust | undefined {
  if (text === null) return undefined;
  try {
    const pin = schema().parse(readOwnJson(text));
    return certificate === undefined || pin.fingerprint === certificate ? pin : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the pin of an address that is in no inventory. */
export function findTrust(store: Store, origin: string): CertificateTrust | undefined {
  return readTrust(
    store.get<{ readonly trust: string }>('SELECT trust FROM known_certificates WHERE origin = ?', origin)
      ?.trust ?? null,
  );
}

export function keepKnown(store: Store, origin: string, pin: CertificateTrust): void {
  store.insert('known_certificates', { origin, trust: JSON.stringify(pin) }, 'replace');
}

/** Value that replaces a pin where the system trusted the certificate at the address. */
const SYSTEM = 'system';

export function noteSystemTrust(store: Store, origin: string): void {
  if (!hadSystemTrust(store, origin)) store.insert('known_certificates', { origin, trust: SYSTEM }, 'ignore');
}

/**
 * Returns true if the address has shown a certificate that the system trusted: one that it does not trust is
 * no first one there.
 */
export function hadSystemTrust(store: Store, origin: string): boolean {
  return (
    store.get('SELECT 1 FROM known_certificates WHERE origin = ? AND trust = ?', origin, SYSTEM) !== undefined
  );
}

export function forgetKnown(store: Store, origin: string): void {
  store.remove('known_certificates', { origin });
}
