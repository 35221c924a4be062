/** Fingerprints as the rest of the engine knows them. */
export { createFingerprintFollower } from './follow-people.ts';
export { Prints } from './prints.ts';
export { PrintsKind } from './prints-kind.ts';
export { RemovedFingerprints } from './removed-fingerprints.ts';
