/** Plans the sections of one device against what it shows now. */
import type { Change } from '#shared/model.ts';
import { computeDesiredState } from './pure/desired.ts';
import { completeLists } from './pure/complete-lists.ts';
import { planSection, type SectionPlan, type SectionRead } from './pure/plan-section.ts';
import type { ResolvedSection } from '../template/document.ts';
import type { SectionReader } from './read-section.ts';

/** Old and new values as they may be kept: the device may show its own password in any of them. The very changes where it does not. */
export function maskChanges(changes: readonly Change[], shown: SectionReader['shown']): readonly Change[] {
  const kept = changes.map((change) => {
    const values = {
      ...('from' in change ? { from: change.from } : {}),
      ...('to' in change ? { to: change.to } : {}),
      ...(change.list === undefined ? {} : { list: change.list }),
    };
    const masked = shown(values);
    return masked === values ? change : { ...change, ...masked };
  });
  return kept.every((change, at) => change === changes[at]) ? changes : kept;
}

export interface PlannedSection extends SectionPlan {
  readonly section: ResolvedSection;
  readonly read: SectionRead;
}

/**
 * Reads a section and plans it. Limits are only asked for where something would change; a device
 * that shows the very document of an `earlier` plan is not planned anew.
 */
export async function planOne(
  section: ResolvedSection,
  reader: SectionReader,
  device: string,
  earlier?: PlannedSection,
): Promise<PlannedSection> {
  const read = await reader.read(section);
  if (earlier?.read.kind === 'state' && read.kind === 'state' && earlier.read.sha256 === read.sha256)
    return earlier;
  const desired =
    read.kind === 'state'
      ? computeDesiredState(
          section.resource.put.request,
          completeLists(section, read.state).patch,
          read.state,
        )
      : undefined;
  const limits =
    read.kind !== 'state' || desired === undefined || desired.changes.length === 0
      ? {}
      : await reader.limits(section, read.state);
  const planned = planSection(section, read, limits, device, desired);
  return {
    ...planned,
    plan: { ...planned.plan, changes: maskChanges(planned.plan.changes, reader.shown) },
    section,
    read,
  };
}

/** All sections in template order; the device's own queue bounds what is under way. Throws when it cannot be read. */
export async function planAll(
  sections: readonly ResolvedSection[],
  reader: SectionReader,
  device: string,
): Promise<readonly PlannedSection[]> {
  const settled = await Promise.allSettled(sections.map((section) => planOne(section, reader, device)));
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
