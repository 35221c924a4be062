/** The engine put together; every face starts one and closes it. */
import { userInfo } from 'node:os';
import { say } from '../shared/details.ts';
import { defined } from '../shared/defined.ts';
import { once } from '../shared/once.ts';
import type { ErrorShape } from '../shared/errors.ts';
import type { JobKindName } from '../shared/model.ts';
import type { DevicesApi, Engine, EngineOptions, JobsApi, TemplatesApi } from './api.ts';
import { Applying, createPlans, createRetry } from './apply/wing.ts';
import { allFlows, createFlows, Effects, FlowKind, Records } from './flow/wing.ts';
import { jobKinds, type KindWhenUsed } from './jobs/job-kind.ts';
import { Jobs } from './jobs/jobs.ts';
import { createCaller, createRequester } from './call.ts';
import { bodiesOf, UNDESCRIBED, withTrace } from './exchange.ts';
import { createCapabilityReader } from './capabilities.ts';
import { systemClock } from './clock.ts';
import { createClients, type DeviceConnections } from './device/clients.ts';
import { createDiscovery } from './discovery/index.ts';
import { inNetworks, systemInterfaces } from './discovery/network.ts';
import { createProofs } from './device/sign-in/proofs.ts';
import { loadHttp } from './device/transport/transport.ts';
import { revealCredential } from './inventory/access/credential-rows.ts';
import { createCredentials } from './inventory/access/credentials.ts';
import { createDeviceSecrets, createKeys } from './inventory/access/device-secrets.ts';
import { removalOf } from './inventory/removal.ts';
import { createDeviceTester } from './inventory/device-test.ts';
import { Inventory } from './inventory/devices.ts';
import { createSignInGiver } from './inventory/access/give-sign-in.ts';
import { createProfiles } from './inventory/profiles.ts';
import { createReachChecks } from './inventory/reach-checks.ts';
import { createSavedSecrets } from './inventory/access/saved-secrets.ts';
import { createSites } from './inventory/sites.ts';
import { createTryOut } from './inventory/access/try-out.ts';
import { Vault } from './inventory/access/vault.ts';
import { createLog, type Log } from './log.ts';
import { PrintRows } from './people/prints/print-rows.ts';
import { openStore, type Store } from './store/index.ts';
import { createPeople, createPrints, peopleKind, PrintsKind, printsFollowing } from './people/wing.ts';
import { WorkRows } from './people/work/work-rows.ts';
import { captureDevice } from './template/capture/index.ts';
import { createReports } from './reports/wing.ts';
import { Models, pullDoctor } from './transfer/wing.ts';
import { createStates } from './swap/states.ts';
import { createTemplates } from './template/templates.ts';

export type * from './api.ts';
export { isSecretHeading } from './inventory/import/columns.ts';
export { readTable } from './csv.ts';
export { nearestName } from '../protocol/index.ts';
export {
  changeLabel,
  compositeLabel,
  optionLabel,
  reportedLabel,
  sectionLabel,
} from '../protocol/field-labels.ts';
export { readValuesCsv } from './template/values/values-csv.ts';
export { KEY_FILE, keyFileProtection } from './key-protection.ts';
export { checkSteps, neverAsked, readAnswers, replyTo, takenBy, textOf } from './flow/wing.ts';
export type { Answers } from './flow/scripted.ts';
export { readYamlFile } from './template/read-yaml.ts';
export { csvHead, csvLines, lineOf, ndjsonLines } from './people/wing.ts';
export type { FileSource } from './people/file/lines.ts';
export type { PlanSource } from './people/make-plan.ts';
export type { Person } from './people/person.ts';
export { changesDevices, listOperations } from './operations.ts';
export type { OperationEntry } from './operations.ts';

/** Opens (and where needed makes) the data folder. Throws `data-folder-in-use` or `not-available`. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const clock = options.clock ?? systemClock;
  const log = createLog(options.log);
  const store = openStore(options.dataDir, { clock });
  try {
    // A face at a screen stays open for days; a script's command may never talk to a device. What fails comes back with a request.
    if (options.certificates !== 'first-use') void loadHttp().catch(() => undefined);
    const vault = await Vault.open({ store, clock, log, protections: options.protections });
    return compose(options, { clock, log, store, vault });
  } catch (error) {
    store.close();
    throw error;
  }
}

interface Foundation {
  readonly clock: NonNullable<EngineOptions['clock']>;
  readonly log: Log;
  readonly store: Store;
  readonly vault: Vault;
}

function compose(options: EngineOptions, { clock, log, store, vault }: Foundation): Engine {
  const profiles = createProfiles({ store, clock });
  const inventory = new Inventory({
    store,
    vault,
    clock,
    profiles,
    onSignInChanged: (ids) => clients.lift(ids),
    onRemoved: (ids) => clients.forget(ids),
    ...defined({ certificates: options.certificates, onTrusted: options.onTrusted }),
  });
  const proofs = createProofs();
  const clients: DeviceConnections = createClients({ devices: inventory.directory, log, clock, proofs });
  const savedSignIns = createCredentials({ store, vault, clock, inventory });
  const giver = createSignInGiver({
    inventory,
    credentials: savedSignIns,
    reveal: (id) => revealCredential(store, vault, id),
    tryOut: createTryOut({ inventory, log, clock, proofs }),
  });
  // Named one by one: the inventory also hands out sign-ins, which no face may reach.
  const {
    list,
    find,
    watch,
    addMany,
    addTransient,
    update,
    updateMany,
    remove,
    importCsv,
    trust,
    distrust,
    directory,
  } = inventory;
  const tester = createDeviceTester({ inventory, clients });
  const devices: DevicesApi = {
    list,
    find,
    watch,
    add: ({ signIn, ...device }) =>
      inventory.atomically(() => {
        const { id } = inventory.add(device);
        if (signIn !== undefined) savedSignIns.save({ label: signIn.userName, ...signIn, deviceIds: [id] });
        return find(id);
      }),
    addMany,
    addTransient,
    update,
    updateMany,
    removal: ({ ids }) => removalOf(ids.map(find), deviceSecrets.list()),
    remove,
    importCsv,
    trust,
    distrust,
    test: tester.test,
    testEach: ({ ids }, signal) => tester.each(ids, signal),
    keepChecked: createReachChecks({
      list,
      directory,
      clock,
      isNear: (host) => inNetworks(host, systemInterfaces()),
    }),
    signIn: giver.give,
    probe: async (address, signal) => {
      const { createAccessProbe } = await import('./discovery/probe-access.ts');
      const probe = createAccessProbe({
        profiles: () => profiles.list(),
        prefixes: () => list().map(({ profile }) => profile.pathPrefix),
        refuted: (url) =>
          list().flatMap(({ url: known, profile, lastError }) =>
            known === url && lastError?.reason === 'not-this-interface' ? [profile.pathPrefix] : [],
          ),
      });
      return probe(address, signal);
    },
  };
  const user = options.user ?? osUser();
  const { fill, fillFor, mark, opener, ...secrets } = createSavedSecrets({ store, vault, clock });
  const saved = { fill, fillFor, mark };
  const { findVersionByHash: savedAs, ...templates } = createTemplates({
    store,
    clock,
    user,
    resourcesDir: options.resourcesDir,
  });
  const check: TemplatesApi['check'] = (request) => {
    const { summary, ...rest } = templates.check(request);
    return summary === undefined
      ? rest
      : { ...rest, summary: { ...summary, variables: mark(summary.variables) } };
  };
  const capture: TemplatesApi['capture'] = (request, signal) =>
    captureDevice({ clients, clock, find, test: devices.test }, request, signal);
  const plans = once(() => createPlans({ store, clients, devices, clock, saved, savedAs }));
  const applying = once(
    () =>
      new Applying({
        finder: devices,
        saved,
        vault,
        canSeal: () => vault.seal('', 'journal'),
        planning: { clients, devices, clock },
        onRestarted: (id) => directory.observe(id, { type: 'restarted' }),
      }),
  );
  const caller = createCaller({ clients, devices: directory });
  const sites = createSites({ store, clock, inventory });
  const capabilities = createCapabilityReader({ clients, find });
  const deviceSecrets = createDeviceSecrets({ store, vault, clock });
  // A command loads the wings that it uses.
  const effects = once(() => new Effects(store, clock));
  const records = once(
    () =>
      new Records({
        store,
        effects: effects(),
        clock,
        user,
        version: options.version,
        siteOf: (deviceId) => {
          const { siteId } = list().find(({ id }) => id === deviceId) ?? {};
          return siteId === undefined ? undefined : sites.list().find(({ id }) => id === siteId);
        },
      }),
  );
  const flowKind = once(
    () =>
      new FlowKind({
        flows: allFlows(),
        effects: effects(),
        records: records(),
        secrets: deviceSecrets,
        finder: devices,
        operations: { call: caller },
        user,
      }),
  );
  const ends: (() => Promise<void>)[] = [];
  const printRows = new PrintRows(store, vault, clock);
  const printsKind = once(() => {
    const kind = new PrintsKind({
      rows: printRows,
      finder: devices,
      secrets: deviceSecrets,
      onFailure: () => log({ level: 'error', event: 'templates-not-wiped', code: 'internal' }),
    });
    ends.push(() => kind.close());
    return kind;
  });
  const models = once(() => {
    const all = new Models({
      clock,
      dataDir: options.dataDir,
      call: caller,
      devices,
      doctor: (request, signal) => pullDoctor({ ...request, signal }),
      onRestart: (id, type) => directory.observe(id, { type }),
    });
    ends.push(() => all.close());
    return all;
  });
  const peopleRows = new WorkRows(store, vault, clock);
  const people = once(() =>
    peopleKind({ rows: peopleRows, finder: devices, following: printsFollowing(printRows, devices) }),
  );
  // Every kind of long work stands here.
  const kinds = jobKinds([
    { name: 'apply', interrupted: 'unknown', kind: () => applying().kinds.apply },
    { name: 'undo', interrupted: 'unknown', kind: () => applying().kinds.undo },
    { name: 'flow', interrupted: 'pending', kind: () => flowKind().kind },
    { name: 'fingerprints', interrupted: 'pending', kind: () => printsKind().kind },
    { name: 'model', interrupted: 'pending', kind: () => models().kind },
    { name: 'people', interrupted: 'pending', kind: () => people() },
  ] satisfies readonly (KindWhenUsed & { readonly name: JobKindName })[]);
  const jobs = new Jobs({
    store,
    clients,
    devices,
    kinds,
    saved,
    vault,
    clock,
    user,
    onFailure: () => log({ level: 'error', event: 'job-failed', code: 'internal' }),
  });
  const { close: endDiscovery, ...discovery } = createDiscovery({
    inventory,
    clock,
    profiles: profiles.list,
  });
  if (printRows.leftOver().length > 0) printsKind().sweep();
  const notices = noticesOf(store, log);
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    await endDiscovery();
    await jobs.close();
    for (const end of ends) await end();
    await clients.close();
    inventory.close();
    vault.close();
    store.close();
  }

  const flows = once(() =>
    createFlows({
      flows: allFlows(),
      kind: flowKind(),
      records: records(),
      effects: effects(),
      clock,
      jobs,
      devices,
      operations: { call: caller },
      resourcesDir: options.resourcesDir,
      version: options.version,
    }),
  );
  const operations: Engine['operations'] = {
    call: withTrace(caller, ({ operation }) => bodiesOf(operation)),
    request: withTrace(createRequester({ clients, devices: directory }), () => UNDESCRIBED),
    capabilities,
  };
  const reports = once(() =>
    createReports({
      store,
      saved: { opener },
      clients,
      clock,
      devices,
      sites,
      jobs,
      records: records(),
      secrets: deviceSecrets,
      capabilities,
      verify: flows().verify,
      operations,
      dataDir: options.dataDir,
      face: options.face,
      user,
      version: options.version,
      resourcesDir: options.resourcesDir,
    }),
  );
  const plansApi = once(() => ({ ...plans(), ...createRetry({ jobs, devices, plans: plans(), saved }) }));
  const peopleApi = once(() =>
    createPeople({
      rows: peopleRows,
      store,
      vault,
      clients,
      clock,
      devices,
      jobs,
      version: options.version,
      kind: people(),
    }),
  );
  const prints = once(() =>
    createPrints({ rows: printRows, kind: printsKind(), jobs, devices, clients, clock }),
  );
  const states = once(() => createStates({ store, clients, clock, devices, plans: plans(), capture, user }));
  const modelsApi = once(() => models().api(jobs));

  return {
    devices,
    discovery,
    get plans() {
      return plansApi();
    },
    jobs: Object.assign(jobs, {
      start: (request: Parameters<JobsApi['start']>[0]) =>
        applying().start(request, { jobs, plans: plans(), savedAs }),
    }),
    secrets,
    sites,
    get models() {
      return modelsApi();
    },
    get flows() {
      return flows();
    },
    get reports() {
      return reports();
    },
    get people() {
      return peopleApi();
    },
    keys: createKeys(deviceSecrets, devices, store),
    get prints() {
      return prints();
    },
    profiles: { list: profiles.list, save: profiles.save, remove: profiles.remove },
    credentials: { ...savedSignIns, change: giver.change },
    places: inventory.places,
    templates: { ...templates, check, capture },
    get states() {
      return states();
    },
    info: () => ({
      version: options.version,
      face: options.face,
      platform: process.platform,
      vault: vault.state(),
      ...(notices.length === 0 ? {} : { notices }),
    }),
    unlockVault: (passphrase, unlockOptions) => vault.unlock(passphrase, unlockOptions),
    operations,
    close: () => (closing ??= close()),
  };
}

/** What went wrong before anybody could be told. */
function noticesOf(store: Store, log: Log): ErrorShape[] {
  if (store.setAside === undefined) return [];
  log({ level: 'warn', event: 'database-set-aside', code: 'storage-damaged' });
  return [
    {
      code: 'storage-damaged',
      source: 'app',
      ...say('database-set-aside'),
      file: store.setAside,
    },
  ];
}

function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    // Containers may run under a number without a name.
    return 'unknown';
  }
}
