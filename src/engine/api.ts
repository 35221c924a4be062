/**
 * Functions that every face may call on the engine. The engine never prints, prompts or opens a window, and
 * takes clock, key protection and data folder from its host.
 */
import type { AppInfo } from '#shared/model.ts';
import type { RecordFault } from './files/fault-file.ts';
import type { FlowsApi } from './flow/flows.ts';
export type { RehearsedStep } from './flow/rehearse.ts';
import type { PeopleApi } from './people/people.ts';
import type { PrintsApi } from './fingerprints/prints.ts';
import type { ProposalsApi } from './proposals/proposals.ts';
import type { ReplacementsApi } from './replacement/replacements.ts';
import type { ReportsApi } from './reports/reports.ts';
import type { ModelsApi } from './transfer/models.ts';
import type { KeysApi } from './inventory/access/device-secrets.ts';
import type {
  AgreementsApi,
  CredentialsApi,
  DevicesApi,
  DiscoveryApi,
  JobsApi,
  OpenWorkApi,
  OperationsApi,
  PlansApi,
  ProfilesApi,
  SecretsApi,
  SignInPlaces,
  SiteFilesApi,
  SitesApi,
  SnapshotsApi,
  TemplatesApi,
} from './api/routes.ts';

export type * from './api/host.ts';
export type * from './api/routes.ts';
export type { CopyPrints } from './fingerprints/prints.ts';

/** Engine with its functions, grouped by the areas of the contract. */
export interface Engine {
  readonly devices: DevicesApi;
  readonly discovery: DiscoveryApi;
  readonly sites: SitesApi;
  readonly siteFiles: SiteFilesApi;
  readonly profiles: ProfilesApi;
  readonly credentials: CredentialsApi;
  readonly places: SignInPlaces;
  readonly secrets: SecretsApi;
  readonly operations: OperationsApi;
  readonly templates: TemplatesApi;
  readonly replacements: ReplacementsApi;
  readonly proposals: ProposalsApi;
  readonly agreements: AgreementsApi;
  readonly snapshots: SnapshotsApi;
  readonly plans: PlansApi;
  readonly jobs: JobsApi;
  readonly openWork: OpenWorkApi;
  readonly flows: FlowsApi;
  readonly people: PeopleApi;
  readonly reports: ReportsApi;
  readonly models: ModelsApi;
  readonly keys: KeysApi;
  readonly prints: PrintsApi;
  info(): Omit<AppInfo, 'canSimulate'>;
  /** Unlocks the vault like the route of that name, but returns nothing. */
  unlockVault(passphrase: string, options?: { readonly remember?: boolean }): Promise<void>;
  /** Keeps an error inside Fieldwright, masked, for the diagnostics report. */
  readonly recordFault: RecordFault;
  /** Cancels running jobs (they stay resumable), waits for what is under way, closes the store. */
  close(): Promise<void>;
}
