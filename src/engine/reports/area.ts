/** Reports as the rest of the engine knows them: loaded when first used (`build/first-use.ts`). */
export { createReports } from './reports.ts';
