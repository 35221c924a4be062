/**
 * Documents that jobs write to the journal when they write settings: `apply`, and `undo`, which reverts one.
 */
import type { z } from 'zod';
import type { PlanSection, SectionResult } from '#shared/model.ts';
import type { Resource } from '#protocol/index.ts';
import type { NewUnit, StoredDevice, StoredJob, StoredUnit } from '../jobs/types.ts';
import type { ResolvedSection } from '../template/document.ts';
import type { Confirmed, createSettingsSchemas } from './settings-schemas.ts';

type Schemas = ReturnType<typeof createSettingsSchemas>;
export interface Settings {
  readonly body: z.infer<Schemas['body']>;
  readonly device: z.infer<Schemas['device']>;
  readonly detail: z.infer<Schemas['detail']>;
  readonly unit: z.infer<Schemas['unit']>;
}
/** Part of a job that an undo of it needs; single calls have no template. */
export interface Undoable {
  readonly body: Partial<Pick<Settings['body'], 'templateText' | 'backwards' | 'only'>>;
  readonly device: object;
  readonly detail: Settings['detail'];
  readonly unit: object;
}
/** Job that may have other units beside the sections that it wrote, such as the steps of a flow. */
export interface PartlyUndoable extends Omit<Undoable, 'body' | 'detail'> {
  readonly body: Undoable['body'] & { readonly flow?: string };
  readonly detail: Partial<Settings['detail']>;
}
export type SettingsJob = StoredJob<Settings>;
export type SettingsDevice = StoredDevice<Settings>;
export type SettingsUnit = StoredUnit<Settings>;

/** Returns the section of a unit that is read again, with nothing of its own to write. */
export function restoreSection({ key, detail }: StoredUnit<Undoable>, resource: Resource): ResolvedSection {
  return {
    index: key.index,
    set: detail.set,
    resource,
    params: detail.params,
    value: undefined,
    optional: false,
    clamp: false,
    open: new Set(),
  };
}

/** Creates the unit of a section before its turn. */
export function createPendingUnit(section: PlanSection): NewUnit & { readonly result: SectionResult } {
  const { index, set, label, params, changes: planned, ...plan } = section;
  const { state, optional, baseline, lost, adjustments, problems } = plan;
  const confirmed: Confirmed = {
    state,
    optional,
    adjustments,
    problems,
    baseline,
    lost,
  };
  return {
    result: { index, set, label, params, outcome: 'pending', changes: planned },
    document: { planned, confirmed },
  };
}
