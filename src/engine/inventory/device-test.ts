/** Tests devices (`device test`): one sign-in attempt each, then a few harmless reads that show its kinds. */
import { answerKind } from '#shared/error-meaning.ts';
import { say } from '#shared/details.ts';
import {
  FieldwrightError,
  toErrorShape,
  deviceError,
  type ErrorShape,
  type StatusReport,
} from '#shared/errors.ts';
import { DEVICE_KINDS, type DeviceTest, type Params } from '#shared/model.ts';
import { KIND_FACTS, createRefusal, createStatusError } from '#protocol/index.ts';
import type { DevicesApi } from '../api/routes.ts';
import type { DeviceClient, RequestOptions } from '../device/client-types.ts';
import type { DeviceConnections } from '../device/clients.ts';
import type { DeviceSettings } from '../device/directory.ts';
import { runInPool } from '../async/pool.ts';
import { needsTls } from '../device/transport/needs-tls.ts';
import type { Inventory } from './devices.ts';
import { getSpecifiedOperation } from '../operations/specified.ts';

const DEVICES_AT_ONCE = 16;

interface DeviceTesterOptions {
  readonly inventory: Inventory;
  readonly clients: DeviceConnections;
}

export interface DeviceTester {
  readonly test: DevicesApi['test'];
  /**
   * Tests like `test`, but yields each result as it comes. Once the signal aborts nothing more is sent, and a
   * device that was not tested to the end has no result. Throws `unknown-device` before anything is sent.
   * `learnsKinds` as in DevicesApi.
   */
  each(
    ids: readonly string[],
    signal: AbortSignal,
    options?: { readonly learnsKinds?: boolean },
  ): AsyncGenerator<DeviceTest>;
}

/** Creates the tester. Errors of a device are in its result. */
export function createDeviceTester({ inventory, clients }: DeviceTesterOptions): DeviceTester {
  return {
    each,
    async test({ ids, learnsKinds = false }, signal, heard) {
      const results = new Map<string, DeviceTest>();
      for await (const result of each(ids, signal, { learnsKinds })) {
        results.set(result.deviceId, result);
        heard?.(results.size);
      }
      return ids.map(
        (id) => results.get(id) ?? resultOf(id, { ok: false, error: toErrorShape(abortError()) }),
      );
    },
  };

  async function* each(
    ids: readonly string[],
    signal: AbortSignal,
    { learnsKinds = false } = {},
  ): AsyncGenerator<DeviceTest> {
    // All of them are known before the first is asked.
    for (const id of ids) inventory.directory.settings(id);
    if (!learnsKinds) {
      inventory.acceptOther(ids);
      clients.lift(ids);
    }
    const one = async (id: string): Promise<DeviceTest | undefined> => {
      const before = clients.about(id).exchanges;
      const verdict = await testOne(id, { signal, priority: 1, isTrial: !learnsKinds }).catch(
        (thrown: unknown): Verdict => ({
          ok: false,
          error: toErrorShape(thrown),
        }),
      );
      return signal.aborted && verdict.error?.code === 'cancelled'
        ? undefined
        : resultOf(id, verdict, before);
    };
    for await (const result of runInPool(ids, one, { concurrency: DEVICES_AT_ONCE, signal }))
      if (result !== undefined) yield result;
  }

  function resultOf(
    deviceId: string,
    verdict: Verdict,
    before = clients.about(deviceId).exchanges,
  ): DeviceTest {
    const { name, url } = inventory.directory.settings(deviceId);
    const { scheme, exchanges } = clients.about(deviceId);
    const { kinds } = inventory.find(deviceId);
    return {
      deviceId,
      name,
      url,
      kinds,
      requests: exchanges - before,
      ...verdict,
      scheme,
    };
  }

  async function testOne(id: string, options: RequestOptions): Promise<Verdict> {
    const client = clients.get(id);
    const doubt = await doubtOf(client, inventory.directory.settings(id), options);
    const known = inventory.find(id).kinds;
    const shown = await Promise.all(
      DEVICE_KINDS.map((kind) => firstAnswer(client, KIND_FACTS[kind].signs, options)),
    );
    const error = gravest(shown.flatMap((sign) => sign.error ?? []));
    // A server that answers none of it either is another web server, or has the interface below another
    // prefix.
    if (error === undefined && doubt !== undefined && !shown.some(({ has }) => has === true)) {
      inventory.directory.observe(id, { type: 'failed', error: doubt });
      return { ok: false, error: doubt.shape };
    }
    // A device that is busy, or broke off, has not refused: its known kinds stay.
    inventory.learnKinds(
      id,
      DEVICE_KINDS.flatMap((kind, at) => ((shown[at]?.has ?? known.includes(kind)) ? [kind] : [])),
    );
    return error === undefined ? { ok: true } : { ok: false, error };
  }
}

/** Returns the cause, before an error that only says that the sign-in is paused. */
function gravest(errors: readonly ErrorShape[]): ErrorShape | undefined {
  return errors.find(({ code }) => code !== 'sign-in-paused') ?? errors[0];
}

type Verdict = { readonly ok: boolean; readonly error?: ErrorShape };

/**
 * Tests the sign-in and throws what prevents it. Returns what speaks against this being the interface at all,
 * undefined if nothing does.
 */
async function doubtOf(
  client: DeviceClient,
  { url, profile }: DeviceSettings,
  options: RequestOptions,
): Promise<FieldwrightError | undefined> {
  const operation = getSpecifiedOperation('system.capabilities.get');
  try {
    const answer = await client.read(operation, {}, options);
    const { status } = answer;
    const isMissing = answer.http === 404 && status.kind === 'unsupported';
    // Also a device says that it knows nothing there in a status of this interface.
    if (
      answer.value !== undefined ||
      (!isMissing && (status.body === 'xml-status' || status.body === 'json-status'))
    )
      return undefined;
    const place = { operation: operation.id, device: url, exchange: answer.exchange() };
    if (needsTls(answer)) return portWantsTls(status.report).with(place);
    return status.kind === 'unsupported'
      ? notThisInterface(status.report, profile.pathPrefix).with(place)
      : createStatusError(status, place);
  } catch (error) {
    if (error instanceof FieldwrightError && answerKind(error) === 'unreadable') return error;
    throw error;
  }
}

function portWantsTls(status: StatusReport): FieldwrightError {
  return deviceError('refused', say('device.wants-tls'), { reason: 'wants-tls', status });
}

function notThisInterface(status: StatusReport, prefix: string): FieldwrightError {
  return deviceError('not-found', say('device.not-this-interface', { prefix }), {
    reason: 'not-this-interface',
    status,
  });
}

/** `has`: answered with a document, or refused; undefined where the device could not say, with the error where there was one. */
interface Sign {
  readonly has: boolean | undefined;
  readonly error?: ErrorShape;
}

async function firstAnswer(
  client: DeviceClient,
  reads: readonly (readonly [string, Params])[],
  options: RequestOptions,
): Promise<Sign> {
  for (const [id, params] of reads) {
    try {
      const { status, value } = await client.read(getSpecifiedOperation(id), params, options);
      if (value !== undefined) return { has: true };
      // A busy device, or an account without permission, says nothing about what the device has.
      if (status.kind === 'busy' || answerKind(createRefusal(status)) === 'no-permission')
        return { has: undefined };
    } catch (thrown) {
      const error = toErrorShape(thrown);
      if (answerKind(error) !== 'unreadable') return { has: undefined, error };
    }
  }
  return { has: false };
}

function abortError(): Error {
  return new DOMException('Cancelled.', 'AbortError');
}
