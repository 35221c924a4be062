/** What jobs that write settings keep: `apply`, and `undo` that takes one back. */
import { z } from 'zod';
import { defined } from '../../shared/defined.ts';
import type { Change, Params, PlanSection, SectionResult } from '../../shared/model.ts';
import type { NewUnit } from '../jobs/job-kind.ts';
import type { StoredDevice, StoredJob, StoredUnit } from '../jobs/stored-job.ts';

/** What was confirmed for a section, beside its changes. */
export type Confirmed = Pick<
  PlanSection,
  'state' | 'optional' | 'baseline' | 'lost' | 'adjustments' | 'problems'
>;

const changes = z.array(z.custom<Change>((value) => typeof value === 'object' && value !== null));

export const settingsSchemas = {
  body: z.object({
    /** Empty for an undo. */
    planId: z.string(),
    templateText: z.string(),
    /** Sections are worked on from the last to the first. */
    backwards: z.boolean(),
    /** Sealed, in hexadecimal digits; tells on resuming whether the same secrets are given. */
    secretsCheck: z.string().optional(),
  }),
  device: z.object({
    values: z.record(z.string(), z.unknown()),
    /** Of an undo: place of the device in the job that is taken back. */
    sourcePosition: z.number().optional(),
  }),
  detail: z.object({ set: z.string(), params: z.custom<Params>(isObject), changes }),
  unit: z.object({
    planned: changes,
    /** Absent for an undo, and where an older version wrote the journal. */
    confirmed: z.custom<Confirmed>(isObject).optional(),
  }),
};

export interface Settings {
  readonly body: z.infer<typeof settingsSchemas.body>;
  readonly device: z.infer<typeof settingsSchemas.device>;
  readonly detail: z.infer<typeof settingsSchemas.detail>;
  readonly unit: z.infer<typeof settingsSchemas.unit>;
}
export type SettingsJob = StoredJob<Settings>;
export type SettingsDevice = StoredDevice<Settings>;
export type SettingsUnit = StoredUnit<Settings>;

/** A section of a plan before its turn. */
export function pendingUnit(section: PlanSection): NewUnit & { readonly result: SectionResult } {
  const { index, set, label, params, changes: planned, ...plan } = section;
  const { state, optional, baseline, lost, adjustments, problems } = plan;
  const confirmed: Confirmed = {
    state,
    optional,
    adjustments,
    problems,
    ...defined({ baseline, lost }),
  };
  return {
    result: { index, set, label, params, outcome: 'pending', changes: planned },
    document: { planned, confirmed },
  };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
