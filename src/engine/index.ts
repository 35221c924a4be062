/** The engine put together; every face starts one and closes it. */
import { userInfo } from 'node:os';
import { say } from '#shared/details.ts';
import { computeOnce } from '#shared/once.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { Engine, EngineOptions, JobsApi, TemplatesApi } from './api.ts';
import { createCaller, createPreparer, createRequestPreparer } from './operations/call.ts';
import { createSingleCalls } from './operations/single-calls.ts';
import { getBodies, UNDESCRIBED, wrapWithTrace } from './device/exchange.ts';
import { createCapabilityReader } from './operations/capabilities.ts';
import { createAlarms } from './alarms/lazy-alarms.ts';
import { createParamFinder } from './operations/param-values.ts';
import { systemClock } from './host/clock.ts';
import { closeAll } from './async/close-all.ts';
import { createClients, type DeviceConnections } from './device/clients.ts';
import { createDiscovery } from './discovery/index.ts';
import { openFaultFile } from './files/fault-file.ts';
import { describePolicy, getPolicy, getPolicyLogo } from './files/policy.ts';
import { removeLeftFiles } from './files/under-way.ts';
import { createProofs } from './device/sign-in/proofs.ts';
import { loadHttp } from './device/transport/transport.ts';
import { revealCredential } from './inventory/access/credential-rows.ts';
import { createCredentials } from './inventory/access/credentials.ts';
import { createDeviceSecrets, createKeys } from './inventory/access/device-secrets.ts';
import { createDeviceTester } from './inventory/device-test.ts';
import { Inventory } from './inventory/devices.ts';
import { createDevicesApi } from './inventory/devices-api.ts';
import { SignInGiver } from './inventory/access/give-sign-in.ts';
import { createProfiles } from './inventory/profiles.ts';
import { createSavedSecrets } from './inventory/access/saved-secrets.ts';
import { createSites } from './inventory/sites.ts';
import { createFreshTester, createTryOut } from './inventory/access/try-out.ts';
import { Vault } from './inventory/access/vault.ts';
import { createLog, type Log } from './host/log.ts';
import { openStore, type Store } from './store/index.ts';
import { captureDevice } from './template/capture/capture-device.ts';
import { createTemplates } from './template/templates.ts';
import { Areas } from './areas.ts';

export type * from './api.ts';
export { findColumn, isSecretHeading } from './inventory/import/columns.ts';
export { addPort } from './device/transport/address.ts';
export { readTable } from './text/csv.ts';
export { findNearestName } from '#protocol/index.ts';
export {
  changeLabel,
  formatComposite,
  findOptionLabel,
  getReportedLabel,
  getSectionLabel,
} from '#protocol/field-labels.ts';
export { describeRegions, describeWeek, groupChanges } from '#protocol/differences.ts';
export { readValuesCsv } from './template/values/values-csv.ts';
export { KEY_FILE, createKeyFileProtection } from './host/key-protection.ts';
export { openFaultFile } from './files/fault-file.ts';
export { makeDataDir } from './store/index.ts';
export { formatEnglish } from './flow/flow-kind.ts';
export { checkSteps, listUnusedAnswers, readAnswers, replyTo, listTakenAnswers } from './flow/scripted.ts';
export type { Answers } from './flow/scripted.ts';
export { readYamlFile } from './template/read-tree.ts';
export { formatCsvHead, formatCsvLines, formatNdjsonLines } from './people/export-people.ts';
export { toPersonLine } from './people/people.ts';
export type { FileSource } from './people/file/lines.ts';
export type { PlanSource } from './people/make-plan.ts';
export type { Person } from './people/person.ts';
export { callDestroys, mayChangeDevice, listOperations } from './operations/operations.ts';
export { requestDestroys } from '#protocol/destroys.ts';

/** Opens (and where needed makes) the data folder. Throws `data-folder-in-use` or `not-available`. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const clock = options.clock ?? systemClock;
  const log = createLog(options.log);
  // A policy that cannot be read allows nothing.
  getPolicy();
  const store = openStore(options.dataDir, { clock });
  removeLeftFiles(options.dataDir);
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
    ...options,
    store,
    vault,
    clock,
    profiles,
    onSignInChanged: (ids) => clients.lift(ids),
    onRemoved: (ids) => clients.forget(ids),
  });
  const proofs = createProofs();
  const clients: DeviceConnections = createClients({ devices: inventory.directory, log, clock, proofs });
  const savedSignIns = createCredentials({ store, vault, clock, inventory });
  const giver = new SignInGiver({
    inventory,
    credentials: savedSignIns,
    reveal: (id) => revealCredential(store, vault, id),
    tryOut: createTryOut({ inventory, log, clock, proofs }),
  });
  const tester = createDeviceTester({ inventory, clients });
  const deviceSecrets = createDeviceSecrets({ store, vault, clock });
  const devices = createDevicesApi({
    inventory,
    credentials: savedSignIns,
    giver,
    tester,
    secrets: deviceSecrets,
    profiles,
    clock,
  });
  const { directory } = inventory;
  const { find } = devices;
  const user = options.user ?? osUser();
  const saved = createSavedSecrets({ store, vault, clock });
  const { findVersionByHash: savedAs, ...templates } = createTemplates({
    store,
    clock,
    user,
    resourcesDir: options.resourcesDir,
  });
  const check = createCheck(templates.check, saved.mark);
  const capture: TemplatesApi['capture'] = (request, signal) =>
    captureDevice({ clients, clock, find, test: devices.test }, request, signal);
  const caller = { clients, devices: directory };
  const prepare = createPreparer(caller);
  const call = createCaller(caller);
  const single = createSingleCalls({
    call,
    prepare,
    prepareRequest: createRequestPreparer(caller),
    find,
    calls: () => areas.calls(),
  });
  const operations = createOperations(single, { clients, clock, find });
  const sites = createSites({ store, clock, inventory });
  const areas = new Areas({
    ...options,
    store,
    vault,
    clock,
    log,
    user,
    devices,
    directory,
    clients,
    sites,
    archive: inventory.archive,
    templates: templates.list,
    saved,
    savedAs,
    secrets: deviceSecrets,
    call,
    prepare,
    write: single.write,
    operations,
    testAfresh: createFreshTester({ inventory, log, clock, proofs }),
    rewrite: inventory.rewrite,
  });
  const { close: endDiscovery, ...discovery } = createDiscovery({
    inventory,
    clock,
    profiles: profiles.list,
  });
  const notices = [...(options.notices ?? []), ...noticesOf(store, log)];

  const close = computeOnce(() =>
    closeAll([endDiscovery, ...[areas, clients, inventory, vault, store].map((part) => () => part.close())]),
  );

  return {
    devices,
    discovery,
    get plans() {
      return areas.plans();
    },
    jobs: Object.assign(areas.jobs, {
      start: (request: Parameters<JobsApi['start']>[0]) =>
        areas.applying().start(request, { jobs: areas.jobs, plans: areas.plans(), savedAs }),
    }),
    get openWork() {
      return areas.openWork();
    },
    secrets: { list: saved.list, save: saved.save, remove: saved.remove },
    sites,
    get siteFiles() {
      return areas.siteFiles();
    },
    get models() {
      return areas.models();
    },
    get flows() {
      return areas.flows();
    },
    get reports() {
      return areas.reports();
    },
    get people() {
      return areas.people();
    },
    keys: createKeys(deviceSecrets, devices, store),
    get prints() {
      return areas.prints();
    },
    profiles: { list: profiles.list, save: profiles.save, remove: profiles.remove },
    credentials: { ...savedSignIns, change: giver.change },
    places: inventory.places,
    templates: { ...templates, check, capture },
    get agreements() {
      return areas.agreements();
    },
    get snapshots() {
      return areas.snapshots();
    },
    get proposals() {
      return areas.proposals();
    },
    get replacements() {
      return areas.replacements();
    },
    info: () => describeApp(options, vault, notices),
    unlockVault: (passphrase, unlockOptions) => vault.unlock(passphrase, unlockOptions),
    recordFault: openFaultFile(options.dataDir, options.version),
    operations,
    close,
  };
}

function describeApp(
  { version, face }: EngineOptions,
  vault: Vault,
  notices: readonly ErrorShape[],
): ReturnType<Engine['info']> {
  return {
    version,
    face,
    platform: process.platform,
    vault: vault.state(),
    ...(notices.length === 0 ? {} : { notices }),
    policy: describePolicy(),
  };
}

/** Returns the check of templates that also says which secrets are saved. */
function createCheck(
  check: TemplatesApi['check'],
  mark: ReturnType<typeof createSavedSecrets>['mark'],
): TemplatesApi['check'] {
  return (request) => {
    const { summary, ...rest } = check(request);
    return summary === undefined
      ? rest
      : { ...rest, summary: { ...summary, variables: mark(summary.variables) } };
  };
}

/** Creates what reads the device interface as it is, and what is concluded from it. */
function createOperations(
  single: Pick<ReturnType<typeof createSingleCalls>, 'call' | 'request'>,
  parts: Parameters<typeof createCapabilityReader>[0] & Parameters<typeof createAlarms>[0],
): Engine['operations'] {
  return {
    call: wrapWithTrace(single.call, ({ operation }) => getBodies(operation)),
    request: wrapWithTrace(single.request, () => UNDESCRIBED),
    capabilities: createCapabilityReader(parts),
    alarms: createAlarms(parts),
    paramValues: createParamFinder(parts),
  };
}

/** Returns the errors that occurred before the engine could report them. */
function noticesOf(store: Store, log: Log): ErrorShape[] {
  const { problem } = getPolicyLogo();
  const ofPolicy = problem === undefined ? [] : [problem];
  if (store.setAside === undefined) return ofPolicy;
  log({ level: 'warn', event: 'database-set-aside', code: 'storage-damaged' });
  return [
    ...ofPolicy,
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
