/** Devices as faces ask for them: the inventory, and what goes out to devices on its behalf. */
import type { Clock } from '../api/host.ts';
import type { DevicesApi } from '../api/routes.ts';
import { isInNetworks, listSystemInterfaces } from '../discovery/network.ts';
import type { Credentials } from './access/credentials.ts';
import type { DeviceSecrets, DeviceSecret } from './access/device-secrets.ts';
import type { SignInGiver } from './access/give-sign-in.ts';
import type { DeviceTester } from './device-test.ts';
import type { Inventory } from './devices.ts';
import type { Profiles } from './profiles.ts';
import { createReachChecks } from './reach-checks.ts';
import type { Device, Removal } from '#shared/model.ts';

interface DevicesApiOptions {
  readonly inventory: Inventory;
  readonly credentials: Credentials;
  readonly giver: SignInGiver;
  readonly tester: DeviceTester;
  readonly secrets: Pick<DeviceSecrets, 'list'>;
  readonly profiles: Pick<Profiles, 'list'>;
  readonly clock: Clock;
}

/** Named one by one: the inventory also hands out names and passwords, which no face may reach. */
export function createDevicesApi({
  inventory,
  credentials,
  giver,
  tester,
  secrets,
  profiles,
  clock,
}: DevicesApiOptions): DevicesApi {
  const { list, find, known, watch, addMany, addTransient, update, updateMany } = inventory;
  const { remove, importCsv, previewCsv, trust, distrust, directory } = inventory;
  const reachChecks = createReachChecks({
    list,
    directory,
    clock,
    isCut: (url) => inventory.links.isCut(url),
    isNear: (host) => isInNetworks(host, listSystemInterfaces()),
  });

  return {
    list,
    find,
    known,
    watch,
    add: ({ signIn, ...device }) =>
      inventory.atomically(() => {
        const { id } = inventory.add(device);
        if (signIn !== undefined) credentials.save({ label: signIn.userName, ...signIn, deviceIds: [id] });
        return find(id);
      }),
    addMany,
    addTransient,
    update,
    updateMany,
    removal: ({ ids }) => buildRemoval(ids.map(find), secrets.list()),
    remove,
    importCsv,
    previewCsv,
    trust,
    distrust,
    test: tester.test,
    testEach: ({ ids }, signal) => tester.each(ids, signal),
    keepChecked: async function* (signal) {
      // The caller hears at once that the checks go on: a round takes its time.
      yield { checked: 0 };
      yield* reachChecks(signal);
    },
    watchLinks: (signal) => inventory.links.watch(signal),
    signIn: (...given) => giver.give(...given),
    probe: async (address, signal) => {
      const { createAccessProbe } = await import('../discovery/probe-access.ts');
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
}

/**
 * Builds the removal. `secrets`: all that the vault keeps of devices. The vault goes on keeping them, but a
 * device that is added again does not find them.
 */
function buildRemoval(devices: readonly Device[], secrets: readonly DeviceSecret[]): Removal {
  const count = (isLost: (device: Device) => unknown): number => devices.filter(isLost).length;
  const keyed = new Set(secrets.map(({ deviceId }) => deviceId));
  return {
    credentials: count(({ credentialId }) => credentialId !== undefined),
    places: count(({ tags, siteId }) => tags.length > 0 || siteId !== undefined),
    restarts: count(({ restartDue }) => restartDue !== undefined),
    keys: count(({ id }) => keyed.has(id)),
  };
}
