/** Schema of a stored pin. */
import { z } from 'zod';
import { computeOnce } from '#shared/once.ts';
import type { CertificateTrust } from '#shared/trust.ts';

const trust = computeOnce((): z.ZodType<CertificateTrust> => {
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

/** Throws where it is none. */
export function trustOf(kept: unknown): CertificateTrust {
  return trust().parse(kept);
}
