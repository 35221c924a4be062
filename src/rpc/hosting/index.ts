/** Parts that every face hosting the engine needs. */
export { loadAssets } from './assets.ts';
export type { Assets } from './assets.ts';
export {
  getDefaultDataDir,
  getSessionDir,
  findBuildDir,
  findRendererDir,
  findResourcesDir,
} from './folders.ts';
export { PAGE_HEADERS } from './policy.ts';
export { createSimulation } from './simulation.ts';
export { boundYoungGeneration } from './young-generation.ts';
