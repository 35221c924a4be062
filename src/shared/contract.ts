/**
 * Every route between a face and the engine: its guard, its input as a schema, its answer as a type. The only
 * declaration of a route: the engine's functions, the router's calls and the renderer's client follow from
 * it.
 */
import { agreementsRoutes } from './contract/agreements.ts';
import { appRoutes } from './contract/app.ts';
import { operationsRoutes } from './contract/interface.ts';
import {
  credentialsRoutes,
  devicesRoutes,
  discoveryRoutes,
  profilesRoutes,
  secretsRoutes,
  siteFilesRoutes,
  sitesRoutes,
} from './contract/inventory.ts';
import { flowsRoutes } from './contract/flows.ts';
import { keysRoutes } from './contract/keys.ts';
import { peopleRoutes } from './contract/people.ts';
import { proposalsRoutes } from './contract/proposals.ts';
import { replacementsRoutes } from './contract/replacements.ts';
import { reportsRoutes } from './contract/reports.ts';
import { snapshotsRoutes } from './contract/snapshots.ts';
import { modelsRoutes } from './contract/ai-models.ts';
import { printsRoutes } from './contract/fingerprints.ts';
import type { InputOf, Routes } from './contract/route.ts';
import { jobsRoutes, openWorkRoutes, plansRoutes, templatesRoutes } from './contract/work.ts';

export const contract = {
  app: appRoutes,
  devices: devicesRoutes,
  sites: sitesRoutes,
  siteFiles: siteFilesRoutes,
  profiles: profilesRoutes,
  discovery: discoveryRoutes,
  operations: operationsRoutes,
  credentials: credentialsRoutes,
  secrets: secretsRoutes,
  keys: keysRoutes,
  templates: templatesRoutes,
  replacements: replacementsRoutes,
  proposals: proposalsRoutes,
  agreements: agreementsRoutes,
  snapshots: snapshotsRoutes,
  plans: plansRoutes,
  jobs: jobsRoutes,
  openWork: openWorkRoutes,
  flows: flowsRoutes,
  prints: printsRoutes,
  people: peopleRoutes,
  reports: reportsRoutes,
  models: modelsRoutes,
} satisfies Readonly<Record<string, Routes>>;
export type Contract = typeof contract;
type Area = keyof Contract & string;
type RouteAt<Path> = Path extends `${infer A extends Area}.${infer Name}`
  ? Name extends keyof Contract[A]
    ? Contract[A][Name]
    : never
  : never;

/** `area.name` of the routes whose declaration is a `Wanted`. */
export type Paths<Wanted = unknown> = {
  [A in Area]: {
    [Name in keyof Contract[A] & string]: Contract[A][Name] extends Wanted ? `${A}.${Name}` : never;
  }[keyof Contract[A] & string];
}[Area];
/** Input of the route at a path. */
export type InputAt<Path> = InputOf<RouteAt<Path>>;
