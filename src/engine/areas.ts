/** The areas of the engine: each is put together when it is first used. */
import { computeOnce } from '#shared/once.ts';
import type { JobKindName } from '#shared/model.ts';
import type { Clock, EngineOptions } from './api/host.ts';
import type { DevicesApi, OperationsApi, SitesApi, TemplatesApi } from './api/routes.ts';
import type { createPreparer } from './operations/call.ts';
import { Agreements } from './agreement/agreements.ts';
import { Applying } from './apply/apply-kind.ts';
import { createRetry } from './apply/retry-plan.ts';
import { Calls } from './calls/calls.ts';
import { closeAll } from './async/close-all.ts';
import type { DeviceClients } from './device/client-types.ts';
import type { DeviceDirectory } from './device/directory.ts';
import { listFlows } from './flow/all.ts';
import { Effects } from './flow/effects.ts';
import { FlowKind } from './flow/flow-kind.ts';
import { Flows } from './flow/flows.ts';
import { Records } from './flow/records.ts';
import type { DeviceSecrets } from './inventory/access/device-secrets.ts';
import type { SavedSecrets } from './inventory/access/saved-secrets.ts';
import type { Archive } from './inventory/archive.ts';
import type { Vault } from './inventory/access/vault.ts';
import { createJobKinds, type JobKinds, type KindWhenUsed } from './jobs/job-kind.ts';
import { Jobs } from './jobs/jobs.ts';
import type { TestAfresh } from './jobs/confirm/keep-changes.ts';
import { isWrittenByLaterJob } from './jobs/open/open-rows.ts';
import { isChangedSince } from './snapshots/changed-since.ts';
import { OpenWorks } from './jobs/open/open-work.ts';
import type { Log } from './host/log.ts';
import { PrintRows } from './fingerprints/print-rows.ts';
import { createFingerprintFollower } from './fingerprints/follow-people.ts';
import { Prints } from './fingerprints/prints.ts';
import { PrintsKind } from './fingerprints/prints-kind.ts';
import { RemovedFingerprints } from './fingerprints/removed-fingerprints.ts';
import { People } from './people/people.ts';
import { createPeopleKind } from './people/people-kind.ts';
import { createPlans } from './planning/create-plan.ts';
import type { FingerprintsOfPeople } from './people/fingerprints-of-people.ts';
import type { Reach } from './people/view.ts';
import { WorkRows } from './people/work/work-rows.ts';
import { Proposals } from './proposals/proposals.ts';
import { Replacements } from './replacement/replacements.ts';
import { createLazyReports } from './reports/lazy-reports.ts';
import { Snapshots } from './snapshots/snapshots.ts';
import { createLazySiteFiles } from './site-file/lazy-site-files.ts';
import type { Store } from './store/index.ts';
import type { SingleWriter } from './write/look-for.ts';
import type { createTemplates } from './template/templates.ts';
import { findEngineCheck } from './transfer/engine-looks.ts';
import { Models } from './transfer/models.ts';
import { pullDoctor } from './transfer/serve/pull-doctor.ts';

/** Parts that all areas depend on. */
interface Base extends Pick<EngineOptions, 'dataDir' | 'face' | 'resourcesDir' | 'version'> {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Log;
  readonly user: string;
  readonly devices: DevicesApi;
  readonly directory: DeviceDirectory;
  readonly clients: DeviceClients;
  readonly sites: SitesApi;
  readonly archive: Archive;
  readonly templates: TemplatesApi['list'];
  readonly saved: SavedSecrets;
  readonly savedAs: ReturnType<typeof createTemplates>['findVersionByHash'];
  readonly secrets: DeviceSecrets;
  readonly call: OperationsApi['call'];
  readonly prepare: ReturnType<typeof createPreparer>;
  readonly write: SingleWriter;
  readonly operations: OperationsApi;
  readonly testAfresh: TestAfresh;
  /** Does work that writes rows of the inventory by itself, all or nothing. */
  readonly rewrite: <T>(work: () => T) => T;
}

export class Areas {
  readonly #base: Base;
  readonly #printRows: PrintRows;
  readonly #peopleRows: WorkRows;
  readonly #ends: (() => Promise<void>)[] = [];
  readonly #jobKinds = this.#kinds();
  readonly jobs: Jobs;

  constructor(base: Base) {
    const { store, vault, clock, log } = base;
    this.#base = base;
    const items = {
      store,
      vault,
      clock,
      onFailure: () => log({ level: 'error', event: 'secrets-not-wiped', code: 'internal' }),
    };
    this.#printRows = new PrintRows(items);
    this.#peopleRows = new WorkRows(items);
    this.jobs = new Jobs({
      ...base,
      kinds: this.#jobKinds,
      onFailure: () => log({ level: 'error', event: 'job-failed', code: 'internal' }),
      onEnded: (deviceIds) => {
        this.jobs.putBackUnkept({ atOnce: true });
        void this.agreements().refresh(deviceIds);
      },
    });
    for (const rows of [this.#printRows, this.#peopleRows]) {
      rows.sweep();
      this.#ends.push(() => rows.close());
    }
  }

  /** Registers every kind of long work. */
  #kinds(): JobKinds {
    const kinds: Readonly<Record<JobKindName, Omit<KindWhenUsed, 'name'>>> = {
      apply: { interrupted: 'unknown', kind: () => this.applying().kinds.apply },
      undo: { interrupted: 'unknown', kind: () => this.applying().kinds.undo },
      call: { interrupted: 'unknown', kind: () => this.calls().kind },
      flow: { interrupted: 'pending', kind: () => this.#flowKind().kind },
      fingerprints: { interrupted: 'pending', kind: () => this.#printsKind().kind },
      model: { interrupted: 'pending', kind: () => this.#models().kind },
      people: { interrupted: 'pending', kind: () => this.#peopleKind() },
      replacement: { interrupted: 'pending', kind: () => this.replacements().kind },
    };
    return createJobKinds(Object.entries(kinds).map(([name, kind]) => ({ name, ...kind })));
  }

  readonly plans = computeOnce(() => {
    const plans = createPlans(this.#base);
    return { ...plans, ...createRetry({ ...this.#base, jobs: this.jobs, plans }) };
  });

  readonly applying = computeOnce(() => {
    const { devices, saved, vault, clients, clock, directory } = this.#base;
    return new Applying({
      finder: devices,
      saved,
      vault,
      canSeal: () => vault.seal('', 'journal'),
      planning: { clients, devices, clock },
      isChangedSince: (deviceId, jobId, sections) =>
        isWrittenByLaterJob(this.#base.store, deviceId, jobId) ||
        isChangedSince(this.#base.store, { deviceId, jobId }, sections),
      onRestarted: (id) => directory.observe(id, { type: 'restarted' }),
    });
  });

  readonly calls = computeOnce(() => {
    const { devices, vault } = this.#base;
    return new Calls({
      finder: devices,
      jobs: () => this.jobs,
      canSeal: () => vault.seal('', 'journal'),
      looks: (operation) => (operation.startsWith('aiPlatform.') ? findEngineCheck(operation) : undefined),
      settings: () => this.applying().settings,
    });
  });

  readonly proposals = computeOnce(
    () =>
      new Proposals({
        ...this.#base,
        agreements: () => this.agreements(),
      }),
  );

  readonly replacements = computeOnce(() => {
    const { savedAs, operations: _operations, ...base } = this.#base;
    return new Replacements({
      ...base,
      jobs: this.jobs,
      plans: () => this.plans(),
      snapshots: () => this.snapshots(),
      people: () => this.people(),
      start: (request, id) =>
        this.applying().start(request, { jobs: this.jobs, plans: this.plans(), savedAs }, id),
    });
  });

  readonly agreements = computeOnce(() => {
    const agreements = new Agreements({ ...this.#base, changes: (query) => this.jobs.changes(query) });
    this.#ends.push(() => agreements.close());
    return agreements;
  });

  readonly openWork = computeOnce(() => {
    const open = new OpenWorks({
      ...this.#base,
      jobs: this.jobs,
      onFailure: () => this.#base.log({ level: 'error', event: 'open-work-failed', code: 'internal' }),
    });
    this.#ends.push(() => open.close());
    return open;
  });

  readonly snapshots = computeOnce(() => {
    const { archive, devices } = this.#base;
    return new Snapshots({
      ...this.#base,
      devices: { find: (reference) => archive.known(reference) ?? devices.find(reference) },
      capabilities: this.#base.operations.capabilities,
      changes: (query) => this.jobs.changes(query),
    });
  });

  readonly siteFiles = computeOnce(() =>
    createLazySiteFiles({
      ...this.#base,
      kinds: this.#jobKinds,
      onMerged: (deviceIds) => void this.agreements().refresh(deviceIds),
    }),
  );

  readonly #effects = computeOnce(() => new Effects(this.#base.store, this.#base.clock));

  readonly #records = computeOnce(() => {
    const { devices, sites } = this.#base;
    return new Records({
      ...this.#base,
      effects: this.#effects(),
      siteOf: (deviceId) => {
        const { siteId } = devices.list().find(({ id }) => id === deviceId) ?? {};
        return siteId === undefined ? undefined : sites.list().find(({ id }) => id === siteId);
      },
    });
  });

  readonly #flowKind = computeOnce(() => {
    const { devices, secrets, prepare, directory, user, vault } = this.#base;
    return new FlowKind({
      flows: listFlows(),
      effects: this.#effects(),
      records: this.#records(),
      secrets,
      finder: devices,
      prepare,
      onRestart: (id, type) => directory.observe(id, { type }),
      user,
      canSeal: () => vault.seal('', 'journal'),
      settings: () => this.applying().settings,
    });
  });

  readonly flows = computeOnce(
    () =>
      new Flows({
        ...this.#base,
        flows: listFlows(),
        kind: this.#flowKind(),
        records: this.#records(),
        effects: this.#effects(),
        jobs: this.jobs,
      }),
  );

  readonly #printsKind = computeOnce(() => {
    const { devices, secrets } = this.#base;
    return new PrintsKind({ rows: this.#printRows, finder: devices, secrets });
  });

  readonly prints = computeOnce(
    () => new Prints({ ...this.#base, rows: this.#printRows, kind: this.#printsKind(), jobs: this.jobs }),
  );

  readonly #peopleKind = computeOnce(() => {
    const { devices } = this.#base;
    return createPeopleKind({
      rows: this.#peopleRows,
      finder: devices,
      fingerprints: openFingerprints,
      following: createFingerprintFollower(this.#printRows, devices),
    });
  });

  readonly people = computeOnce(
    () =>
      new People({
        ...this.#base,
        rows: this.#peopleRows,
        fingerprints: openFingerprints,
        jobs: this.jobs,
        kind: this.#peopleKind(),
      }),
  );

  readonly #models = computeOnce(() => {
    const { directory } = this.#base;
    const models = new Models({
      ...this.#base,
      doctor: (request, signal) => pullDoctor({ ...request, signal }),
      onRestart: (id, type) => directory.observe(id, { type }),
    });
    this.#ends.push(() => models.close());
    return models;
  });

  readonly models = computeOnce(() => this.#models().api(this.jobs));

  readonly reports = computeOnce(() =>
    createLazyReports({
      ...this.#base,
      jobs: this.jobs,
      findRemoval: (job) => this.people().findRemoval(job),
      records: this.#records(),
      capabilities: this.#base.operations.capabilities,
      verify: this.flows().verify,
    }),
  );

  async close(): Promise<void> {
    await closeAll([() => this.jobs.close(), ...this.#ends]);
  }
}

function openFingerprints(reach: Reach): FingerprintsOfPeople {
  return new RemovedFingerprints(reach);
}
