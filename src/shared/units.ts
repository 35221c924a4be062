/** Meaning of a job and its units, by its kind. */
import { createDetail, type Detail } from './details.ts';
import {
  getJobKindFacts,
  JOB_KINDS,
  type JobAbout,
  type SectionResult,
  type UnitResult,
} from './model/jobs.ts';
import type { DocumentText } from './report-document.ts';

/** Returns the label of a job kind, or the stored name if this version does not know the kind. */
export function getJobKindLabel(kind: string): DocumentText {
  const known = JOB_KINDS.find((name) => name === kind);
  return known === undefined ? kind : { id: `cli.work.${known}` };
}

/**
 * Returns the title of a job without a template, in the words of `say`: a flow, fingerprints, people and the
 * file or device that they come from.
 */
export function getJobTitle(
  { flow, prints, people }: JobAbout,
  say: (detail: Detail) => string | undefined,
): string | undefined {
  if (flow !== undefined) return say(flow.title);
  if (prints !== undefined) return say(createDetail(`prints-title-${prints.work}`));
  if (people === undefined) return undefined;
  const work = say(createDetail(`people-title-${people.work}`));
  const { from } = people;
  return work === undefined || from === undefined
    ? work
    : say(createDetail('people-title-from', { work, from }));
}

/** Adds the devices that a job was begun for to its name; jobs of earlier versions do not know them. */
export function addJobSelection(
  name: string,
  { selection }: JobAbout,
  say: (detail: Detail) => string | undefined,
): string {
  const words = typeof selection === 'object' ? say(selection) : selection;
  return words === undefined || words === '' ? name : `${name} · ${words}`;
}

export function isSettingsJob({ kind }: { readonly kind: string }): boolean {
  return getJobKindFacts(kind).writesSettings === true;
}

/** Returns the unit as a section if it writes one: every unit of a job that writes settings, and those of a flow beside its steps. */
export function getSectionResult(
  job: { readonly kind: string },
  unit: UnitResult,
): SectionResult | undefined {
  return isSettingsJob(job) || 'set' in unit ? (unit as SectionResult) : undefined;
}
