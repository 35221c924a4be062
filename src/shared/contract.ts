/**
 * Every route between a face and the engine: its input as a schema, its answer as a type. One
 * contract for Electron and the browser; `rpc/` implements it, the renderer's client follows it.
 */
import { appRoutes } from './contract/app.ts';
import { operationsRoutes } from './contract/interface.ts';
import {
  credentialsRoutes,
  devicesRoutes,
  discoveryRoutes,
  profilesRoutes,
  secretsRoutes,
  sitesRoutes,
} from './contract/inventory.ts';
import { jobsRoutes, plansRoutes, statesRoutes, templatesRoutes } from './contract/work.ts';

export const contract = {
  app: appRoutes,
  devices: devicesRoutes,
  sites: sitesRoutes,
  profiles: profilesRoutes,
  discovery: discoveryRoutes,
  operations: operationsRoutes,
  credentials: credentialsRoutes,
  secrets: secretsRoutes,
  templates: templatesRoutes,
  states: statesRoutes,
  plans: plansRoutes,
  jobs: jobsRoutes,
};
export type Contract = typeof contract;
