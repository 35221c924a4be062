/** Single calls as the rest of the engine knows them. */
export { Calls } from './calls.ts';
