/** How a step ended, as it is kept for the record. */
import type { Block } from '#shared/report-document.ts';
import type { StepEnd } from './flow.ts';

/** Key of the effect that holds it. */
export const ENDED = '#end';

export interface EndedStep extends StepEnd {
  /** Why it was left out. */
  readonly skipped?: string;
  readonly blocks: readonly Block[];
}
