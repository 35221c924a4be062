/** `device test`: one sign-in attempt, then a handful of harmless reads that tell the kinds. */
import { toErrorShape } from '../../shared/errors.ts';
import type { ErrorCode, ErrorShape } from '../../shared/errors.ts';
import type { DeviceKind, DeviceTest, Params } from '../../shared/model.ts';
import { findOperation } from '../../protocol/index.ts';
import type { DeviceClient } from '../device/client-types.ts';
import type { DeviceConnections } from '../device/clients.ts';
import { createQueue } from '../device/queue.ts';
import type { Inventory } from './devices.ts';

/** What shows a kind: the first that answers decides, a refusal leads to the next. */
const SIGNS: readonly { readonly kind: DeviceKind; readonly reads: readonly (readonly [operation: string, params: Params])[] }[] = [
  { kind: 'gate', reads: [['gate.dialAndInfo.get', {}], ['gate.status.get', {}]] },
  { kind: 'thermal', reads: [['thermal.capabilities.get', {}]] },
  { kind: 'ai', reads: [['aiPlatform.capabilities.get', {}]] },
  { kind: 'counter', reads: [['peopleCounting.status.get', { channelID: 1 }]] },
  { kind: 'recorder', reads: [['passback.basic.get', {}]] },
];
const DEVICES_AT_ONCE = 16;

/** The answer is odd, but it is one: the sign-in itself went well. */
const ANSWERED: ReadonlySet<ErrorCode> = new Set(['malformed-answer', 'answer-too-large', 'refused']);

export interface DeviceTesterOptions {
  readonly inventory: Inventory;
  readonly clients: DeviceConnections;
}

/** Throws `unknown-device` before anything is sent; what happens on a device is in its result. */
export function createDeviceTester({ inventory, clients }: DeviceTesterOptions) {
  return async function test(ids: readonly string[], signal: AbortSignal): Promise<readonly DeviceTest[]> {
    const devices = ids.map((id) => inventory.directory.settings(id));
    inventory.acceptOther(ids);
    clients.lift(ids);
    const queue = createQueue(DEVICES_AT_ONCE);
    return Promise.all(devices.map(async ({ id, name, url }): Promise<DeviceTest> => {
      const before = clients.about(id).exchanges;
      const result = await queue.run(() => testOne(id, signal), { signal })
        .catch((thrown: unknown): Verdict => ({ ok: false, error: toErrorShape(signal.aborted ? abortError() : thrown) }));
      const { scheme, exchanges } = clients.about(id);
      const kinds = inventory.find(id).kinds;
      return { deviceId: id, name, url, kinds, requests: exchanges - before, ...result, ...(scheme === undefined ? {} : { scheme }) };
    }));
  };

  async function testOne(id: string, signal: AbortSignal): Promise<Verdict> {
    const client = clients.get(id);
    const failure = await signInOnce(client, signal);
    if (failure !== undefined) return { ok: false, error: failure };
    const known = inventory.find(id).kinds;
    const found = await Promise.all(SIGNS.map(async ({ kind, reads }) => {
      const shows = await firstAnswer(client, reads, signal);
      // A busy device has not said no: what was known of it stays.
      return (shows ?? known.includes(kind)) ? kind : undefined;
    }));
    inventory.learnKinds(id, found.filter((kind) => kind !== undefined));
    return { ok: true };
  }
}

type Verdict = { readonly ok: boolean; readonly error?: ErrorShape };

/** The error that kept us out, or undefined. */
async function signInOnce(client: DeviceClient, signal: AbortSignal): Promise<ErrorShape | undefined> {
  try {
    await client.read(required('system.capabilities.get'), {}, { signal, priority: 1 });
    return undefined;
  } catch (error) {
    const shape = toErrorShape(error);
    return ANSWERED.has(shape.code) ? undefined : shape;
  }
}

/** True: answered with a document; false: refused; undefined: the device could not say. */
async function firstAnswer(client: DeviceClient, reads: readonly (readonly [string, Params])[], signal: AbortSignal): Promise<boolean | undefined> {
  for (const [id, params] of reads) {
    try {
      const { status, value } = await client.read(required(id), params, { signal, priority: 1 });
      if (value !== undefined) return true;
      if (status.kind === 'busy') return undefined;
    } catch (error) {
      const { code } = toErrorShape(error);
      if (code !== 'malformed-answer') return undefined;
    }
  }
  return false;
}

function required(id: string) {
  const operation = findOperation(id);
  if (operation === undefined) throw new Error(`operation ${id} is not in the catalogue`);
  return operation;
}

function abortError(): Error {
  return new DOMException('Cancelled.', 'AbortError');
}
