/** Single calls as the rest of the engine knows them: loaded when first used (`build/first-use.ts`). */
export { Calls } from './calls.ts';
