/** What is kept of a pin. */
import { z } from 'zod';
import type { CertificateTrust } from '#shared/trust.ts';

const fingerprint = z.string().regex(/^[0-9a-f]{64}$/);
const trust: z.ZodType<CertificateTrust> = z.object({
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

/** Throws where it is none. */
export function trustOf(kept: unknown): CertificateTrust {
  return trust.parse(kept);
}
