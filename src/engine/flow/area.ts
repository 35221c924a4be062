/** Guided flows as the rest of the engine knows them. */
export { listFlows } from './all.ts';
export { Effects } from './effects.ts';
export { FlowKind, formatEnglish } from './flow-kind.ts';
export { Flows } from './flows.ts';
export { Records } from './records.ts';
export { checkSteps, listUnusedAnswers, readAnswers, replyTo, listTakenAnswers } from './scripted.ts';
