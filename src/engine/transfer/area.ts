/** Model packages as the rest of the engine knows them. */
export { Models } from './models.ts';
export { pullDoctor } from './serve/pull-doctor.ts';
export { findEngineCheck } from './engine-looks.ts';
