/** Plans and their application as the rest of the engine knows them. */
export { createPlans } from '../planning/create-plan.ts';
export { Applying } from './apply-kind.ts';
export { createRetry } from './retry-plan.ts';
