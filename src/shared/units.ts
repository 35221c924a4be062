/** What the units of a job are, told by its kind. */
import type { SectionResult, UnitResult } from './model/jobs.ts';

/** Kinds whose units are sections of a template. */
const SETTINGS_KINDS: ReadonlySet<string> = new Set(['apply', 'undo']);

export function writesSettings({ kind }: { readonly kind: string }): boolean {
  return SETTINGS_KINDS.has(kind);
}

/** The unit as the section that it is in a job that writes settings; undefined in a job of another kind. */
export function sectionOf(job: { readonly kind: string }, unit: UnitResult): SectionResult | undefined {
  return writesSettings(job) ? (unit as SectionResult) : undefined;
}
