/** Details of a site that only people know: read from a file or a form, bounded and checked. */
import { z } from 'zod';

const text = z.string().trim().min(1).max(500);
const date = z.iso.date();

/** Usual checks of a handover: a check that names one of them answers it, the others are open. */
export const USUAL_CHECKS = [
  'day',
  'night',
  'detectors',
  'video-loss',
  'trained',
  'names',
  'drawings',
  'backup',
] as const;

export const handoverDetails = z
  .strictObject({
    project: text,
    customer: text,
    place: text,
    /** Person who hands over; default: the account on this computer. */
    by: text,
    /** Tests and walks that a person did; one of `USUAL_CHECKS`, or in words. */
    checks: z
      .array(
        z.strictObject({
          check: text,
          result: z.enum(['done', 'failed', 'skipped', 'open']),
          by: text.optional(),
          at: date.optional(),
          reason: text.optional(),
        }),
      )
      .max(500)
      .readonly(),
    openPoints: z
      .array(
        z.strictObject({
          text,
          severity: z.enum(['note', 'minor', 'major', 'unsafe']),
          owner: text.optional(),
          due: date.optional(),
          device: text.optional(),
        }),
      )
      .max(2000)
      .readonly(),
    /** Place where a key or password is kept; never the key itself. */
    keys: z
      .array(z.strictObject({ what: text, where: text }))
      .max(200)
      .readonly(),
    documents: z.array(text).max(200).readonly(),
    warranty: z.strictObject({ from: date, until: date, terms: text.optional() }),
    maintenanceDue: date,
    signatures: z
      .array(z.strictObject({ name: text, role: text.optional() }))
      .max(20)
      .readonly(),
  })
  .partial();
export type HandoverDetails = z.infer<typeof handoverDetails>;
