/** Guided flows as the rest of the engine knows them. */
export { allFlows } from './all.ts';
export { Effects } from './effects.ts';
export { FlowKind, textOf } from './flow-kind.ts';
export { Flows } from './flows.ts';
export { Records } from './records.ts';
export { checkSteps, neverAsked, readAnswers, replyTo, takenBy } from './scripted.ts';
