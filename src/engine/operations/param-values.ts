/** Finds the channels, presets, controllers … that a device has, so that their numbers need not be typed. */
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Device } from '#shared/model.ts';
import { findOperation } from '#protocol/index.ts';
import type { Clock } from '../api/host.ts';
import type { OperationsApi } from '../api/routes.ts';
import type { DeviceClients } from '../device/client-types.ts';
import { findCapabilityTwin, readLimits } from '../device/limits.ts';
import { readPatiently } from '../device/transport/patient-read.ts';
import { createReadContext } from '../template/capture/capture-device.ts';
import { readResource, throwIfFatal } from '../template/capture/read-resource.ts';
import { listCandidates } from '../template/capture/which.ts';

interface FinderOptions {
  readonly clients: DeviceClients;
  readonly clock: Clock;
  readonly find: (deviceId: string) => Device;
}

export function createParamFinder({ clients, clock, find }: FinderOptions): OperationsApi['paramValues'] {
  return async ({ deviceId, operation: id, param: name, params = {} }, signal) => {
    const operation = findOperation(id);
    const param = operation?.params.find((one) => one.name === name);
    if (operation?.method !== 'GET' || param === undefined)
      throw userError('unknown-parameter', say('no-parameters-here', { name }));
    const context = await createReadContext(find(deviceId), { clients, clock }, signal);
    const { [name]: _asked, ...given } = params;
    const capability = findCapabilityTwin(operation);
    const own =
      capability === undefined
        ? undefined
        : await readLimits(capability, given, (twin, at) => readPatiently(twin, at, context)).catch(
            throwIfFatal,
          );
    const reported = listCandidates(param, { system: context.system, own: own?.constraints });
    if (reported.kind === 'listed' && reported.guessed !== true)
      return { values: reported.values, isWhole: true };
    const values: (string | number)[] = [];
    let isWhole = true;
    const resource = { name: operation.id, get: operation, ...removeUndefined({ capability }) };
    for await (const reading of readResource(resource, given, context)) {
      const value = reading.params[name];
      if (reading.kind === 'more') isWhole = false;
      else if (reading.kind === 'value' && value !== undefined) values.push(value);
    }
    return { values, isWhole };
  };
}
