/** Fingerprints as the rest of the engine knows them: loaded when first used (`build/first-use.ts`). */
export { printsFollowing } from './follow-people.ts';
export { Prints } from './prints.ts';
export { PrintsKind } from './prints-kind.ts';
export { RemovedFingerprints } from './removed-fingerprints.ts';
