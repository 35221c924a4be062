/** Single calls, loaded when first used (`build/first-use.ts`). */
export { Calls } from './calls.ts';
