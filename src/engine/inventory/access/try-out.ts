/** Tests devices on connections of its own: with a name and password that they do not have yet, or afresh. */
import { isShutOut } from '#shared/error-meaning.ts';
import { say } from '#shared/details.ts';
import { userError, type FieldwrightError } from '#shared/errors.ts';
import type { DeviceTest } from '#shared/model.ts';
import { createClients, type ClientsOptions } from '#engine/device/clients.ts';
import type { DeviceDirectory, Observation } from '#engine/device/directory.ts';
import type { Credentials } from '#engine/device/sign-in/proofs.ts';
import { createDeviceTester } from '../device-test.ts';
import type { Inventory } from '../devices.ts';

interface TryOutOptions extends Omit<ClientsOptions, 'devices'> {
  readonly inventory: Inventory;
}

/** Returns true if the error concerns the name and password tried, and not the sign-in that the device already has. */
function saysOfSignIn(error: FieldwrightError): boolean {
  return isShutOut(error.shape) && error.shape.certificate === undefined;
}

export function createTryOut({ inventory, ...options }: TryOutOptions) {
  const { directory } = inventory;

  function observe(id: string, observation: Observation): void {
    const isOfSignIn =
      observation.type === 'sign-in' || (observation.type === 'failed' && saysOfSignIn(observation.error));
    // It is signed in when these have been given to it; and a device that is signed in stays so, whatever a trial shows.
    if (
      isOfSignIn &&
      (inventory.find(id).signIn === 'ok' || (observation.type === 'sign-in' && observation.state === 'ok'))
    )
      return;
    directory.observe(id, observation);
  }

  /** It was agreed to for the device as it was when this began. */
  function steady(ids: readonly string[]): DeviceDirectory['settings'] {
    const begun = new Map(ids.map((id) => [id, directory.settings(id)]));
    return (id) => {
      const now = directory.settings(id);
      const then = begun.get(id) ?? now;
      const isPinned =
        now.certificate === then.certificate ||
        (then.certificate === undefined && inventory.find(id).trust?.how === 'first-use');
      if (
        now.url === then.url &&
        now.profile.auth === then.profile.auth &&
        now.strength >= then.strength &&
        isPinned
      )
        return now;
      throw userError('changed-meanwhile', say('changed-while-tried'), { device: then.url });
    };
  }

  return async function* tryOut(
    given: Credentials,
    ids: readonly string[],
    signal: AbortSignal,
  ): AsyncGenerator<DeviceTest> {
    const devices: DeviceDirectory = {
      ...directory,
      settings: steady(ids),
      signIn: () => given,
      signInWorked: () => false,
      observe,
    };
    const clients = createClients({ ...options, devices });
    try {
      yield* createDeviceTester({ inventory, clients }).each(ids, signal);
    } finally {
      await clients.close();
    }
  };
}

/** Creates a test of devices with the sign-in that they have, over connections that know nothing of earlier ones. */
export function createFreshTester({ inventory, ...options }: TryOutOptions) {
  return async function* testAfresh(ids: readonly string[], signal: AbortSignal): AsyncGenerator<DeviceTest> {
    const clients = createClients({ ...options, devices: inventory.directory });
    try {
      yield* createDeviceTester({ inventory, clients }).each(ids, signal, { learnsKinds: true });
    } finally {
      await clients.close();
    }
  };
}
