/** Schemas for reading the journal of jobs that write settings; no new job needs them. */
import { z } from 'zod';
import type { ErrorShape } from '#shared/errors.ts';
import { computeOnce } from '#shared/once.ts';
import { NO_UNDO, type Change, type Params, type PlanSection } from '#shared/model.ts';

/** Consents given for a section, beside its changes. */
export type Confirmed = Pick<
  PlanSection,
  'state' | 'optional' | 'baseline' | 'lost' | 'adjustments' | 'problems'
>;

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

export const createSettingsSchemas = computeOnce(() => {
  const changes = z.array(z.custom<Change>((value) => typeof value === 'object' && value !== null));

  return {
    body: z.object({
      /** Empty for an undo. */
      planId: z.string(),
      templateText: z.string(),
      /** Sections are worked on from the last to the first. */
      backwards: z.boolean(),
      /** The one setting that an undo takes back. */
      only: z.object({ index: z.number(), path: z.string() }).optional(),
      /** Sealed, in hexadecimal digits; tells on resuming whether the same secrets are given. */
      secretsCheck: z.string().optional(),
    }),
    device: z.object({
      values: z.record(z.string(), z.unknown()),
      /** Position of the device in the job that an undo takes back. */
      sourcePosition: z.number().optional(),
    }),
    detail: z.object({
      set: z.string(),
      params: z.custom<Params>(isObject),
      changes,
      warnings: z.array(z.custom<ErrorShape>(isObject)).optional(),
      noUndo: z.enum(NO_UNDO).optional(),
    }),
    unit: z.object({
      planned: changes,
      /** Absent for an undo, and where an older version wrote the journal. */
      confirmed: z.custom<Confirmed>(isObject).optional(),
    }),
  };
});

const check = computeOnce(() => z.object({ salt: z.string(), hashes: z.record(z.string(), z.string()) }));

/** Throws where it is none. */
export function parseSecretsCheck(kept: unknown): z.infer<ReturnType<typeof check>> {
  return check().parse(kept);
}
