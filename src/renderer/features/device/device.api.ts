import { defined } from '../../../shared/defined.ts';
import type { SubscribeOptions } from '../../client/index.ts';
import type {
  CallAnswer,
  DeviceCapabilities,
  DeviceTest,
  JobEvent,
  Params,
  PlanEvent,
} from '../../../shared/model.ts';
import { api, useClient } from '../../client/use-client.ts';
import { wholeJobs, wholePlans } from '../../common/jobs/whole-events.ts';

export interface CallInput {
  readonly deviceId: string;
  readonly operation: string;
  readonly params?: Params;
  readonly body?: unknown;
  readonly allowPlainFields?: boolean;
}

/** A refusal is an answer; no answer, and a request that is wrong, are thrown. */
export function callOperation({ params, ...input }: CallInput, signal: AbortSignal): Promise<CallAnswer> {
  return api().operations.call(
    { ...input, ...defined({ params: params === undefined ? undefined : { ...params } }) },
    { signal },
  );
}
/** What the device claims: its capability documents. */
export function readCapabilities(deviceId: string, signal: AbortSignal): Promise<DeviceCapabilities> {
  return api().operations.capabilities({ deviceId }, { signal });
}
/** What its harmless reads really answer, without reading the documents again. */
export async function probeDevice(
  deviceId: string,
  signal: AbortSignal,
): Promise<NonNullable<DeviceCapabilities['probes']>> {
  const { probes } = await api().operations.capabilities(
    { deviceId, probe: true, documents: false },
    { signal },
  );
  return probes ?? [];
}
export function testDevice(id: string): Promise<readonly DeviceTest[]> {
  return api().devices.test({ ids: [id] });
}

export interface WriteRequest {
  readonly deviceId: string;
  readonly templateText: string;
  readonly secrets: Readonly<Record<string, string>>;
}
/** Reads the device, writes nothing. */
export function planWrite(
  { deviceId, templateText, secrets }: WriteRequest,
  onEvent: (event: PlanEvent) => void,
  options: SubscribeOptions,
): () => void {
  const client = useClient();
  return client.subscribe(
    client.api.plans.create,
    { templateText, deviceIds: [deviceId], values: {}, secrets: { ...secrets } },
    wholePlans(onEvent),
    { ...options, restart: false },
  );
}
export function startWrite(
  planId: string,
  secrets: Readonly<Record<string, string>>,
): Promise<{ jobId: string }> {
  return api().jobs.start({ planId, secrets: { ...secrets }, options: {} });
}
export function watchWrite(
  id: string,
  onEvent: (event: JobEvent) => void,
  options: SubscribeOptions,
): () => void {
  const client = useClient();
  return client.subscribe(client.api.jobs.watch, { id }, wholeJobs(onEvent), options);
}
