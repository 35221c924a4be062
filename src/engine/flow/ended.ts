/** How a step ended, as it is kept for the record. */
import type { Block } from '#shared/report-document.ts';
import type { StepEnd } from './flow.ts';

/** Key of the effect that holds it. */
export const ENDED = '#end';

export interface EndedStep extends StepEnd {
  /** Reason of the person for leaving it out; empty where `error` is the reason. */
  readonly skipped?: string;
  readonly blocks: readonly Block[];
}
