/** Reads what decides the alarms of a thermal camera, and concludes. Writes nothing. */
import { say } from '#shared/details.ts';
import { FieldwrightError, userError } from '#shared/errors.ts';
import type { Device } from '#shared/model.ts';
import { findResource, type Resource } from '#protocol/index.ts';
import type { Clock } from '../api/host.ts';
import type { OperationsApi } from '../api/routes.ts';
import type { DeviceClients } from '../device/client-types.ts';
import { createReadContext } from '../template/capture/capture-device.ts';
import { readResource, type ReadContext, type Reading } from '../template/capture/read-resource.ts';
import { BASIC, concludeChains, SCHEDULE, TRIGGER, USUAL_EVENT } from './alarm-chain.ts';

export interface AlarmOptions {
  readonly clients: DeviceClients;
  readonly clock: Clock;
  readonly find: (deviceId: string) => Device;
}

export function createAlarmReader({ clients, clock, find }: AlarmOptions): OperationsApi['alarms'] {
  return async ({ deviceId, eventSeconds = USUAL_EVENT }, signal) => {
    const device = find(deviceId);
    const context = await createReadContext(device, { clients, clock }, signal);
    const [basic, schedule, trigger] = [BASIC, SCHEDULE, TRIGGER].map(requireResource);
    const channels = await readAll(basic, {}, context);
    const [first] = channels;
    if (first === undefined || channels.every(({ kind }) => kind !== 'value'))
      throw first === undefined || first.kind === 'value' || first.kind === 'unsupported'
        ? userError('not-supported', say('alarm.no-thermometry'))
        : new FieldwrightError(first.error);
    const time = await readClock(deviceId, { clients, clock }, signal);
    const chains = [];
    for (const reading of channels) {
      const channel = Number(reading.params['channelID']);
      if (reading.kind !== 'value' || !Number.isInteger(channel)) continue;
      const given = { channelID: channel };
      const [found] = await readAll(schedule, given, context);
      const triggers = await readAll(trigger, given, context);
      chains.push(
        ...concludeChains(
          {
            channel,
            basic: reading.value,
            ...(found?.kind === 'value' && { schedule: found.value }),
            triggers: triggers.flatMap((one) =>
              one.kind === 'value' ? [{ preset: Number(one.params['presetID']), value: one.value }] : [],
            ),
          },
          { ...time, eventSeconds },
        ),
      );
    }
    return { deviceId: device.id, name: device.name, eventSeconds, chains };
  };
}

function requireResource(name: string): Resource {
  const found = findResource(name);
  if (found === undefined) throw new Error(`The interface has no ${name}.`);
  return found;
}

async function readAll(
  resource: Resource | undefined,
  given: Reading['params'],
  context: ReadContext,
): Promise<readonly Reading[]> {
  const found: Reading[] = [];
  if (resource !== undefined)
    for await (const reading of readResource(resource, given, context)) found.push(reading);
  return found;
}

/** Reads the device's clock from the head of an answer (RFC 9110, 6.6.1): the interface has no operation for it. */
async function readClock(
  deviceId: string,
  { clients, clock }: Pick<AlarmOptions, 'clients' | 'clock'>,
  signal: AbortSignal,
): Promise<{ readonly here: number; readonly device: number | undefined; readonly zone: number }> {
  let date: string | undefined;
  const operation = findResource(BASIC)?.get;
  const before = clock.now().getTime();
  if (operation !== undefined)
    await clients.get(deviceId).read(
      operation,
      { channelID: 1 },
      {
        signal,
        onExchange: ({ answer }) => {
          const head = answer?.headers['date'];
          date = typeof head === 'string' ? head : head?.[0];
        },
      },
    );
  const now = clock.now();
  const shown = date === undefined ? Number.NaN : Date.parse(date);
  // The head has whole seconds, and was written between the two times.
  const here = (before + now.getTime()) / 2;
  return {
    here,
    device: Number.isNaN(shown) ? undefined : Math.abs(shown - here) < 2_000 ? here : shown,
    zone: -now.getTimezoneOffset(),
  };
}
