import type { SubscribeOptions } from '../../client/index.ts';
import type { Site } from '../../../shared/access.ts';
import type { ValuesTable } from '../../../shared/authoring.ts';
import type {
  ApplyOptions,
  Plan,
  PlanEvent,
  RetryPreview,
  TemplateCheck,
  TemplateEntry,
} from '../../../shared/model.ts';
import { api, useClient } from '../../client/use-client.ts';
import { wholePlans } from '../../common/jobs/whole-events.ts';

export interface PlanRequest {
  readonly templateText: string;
  readonly deviceIds: string[];
  readonly values: Record<string, unknown>;
  readonly valuesByDevice?: Record<string, Record<string, string>>;
  readonly secrets: Record<string, string>;
}
export type StartOptions = Pick<
  ApplyOptions,
  'canary' | 'wave' | 'concurrency' | 'stopAfter' | 'allowPlainFields' | 'leaveOutBlocked'
>;

export function listTemplates(): Promise<readonly TemplateEntry[]> {
  return api().templates.list();
}
export function listSites(): Promise<readonly Site[]> {
  return api().sites.list();
}
export function checkTemplate(text: string, signal: AbortSignal): Promise<TemplateCheck> {
  return api().templates.check({ text }, { signal });
}
/** A CSV of values; nothing is sent to a device. */
export function readValues(request: {
  readonly templateText: string;
  readonly base64: string;
  readonly fileName: string;
  readonly given: string[];
}): Promise<ValuesTable> {
  return api().plans.readValues(request);
}
/** Reads the devices, writes nothing. Not started again after a lost connection: the person decides. */
export function createPlan(
  request: PlanRequest,
  onEvent: (event: PlanEvent) => void,
  options: SubscribeOptions,
): () => void {
  const client = useClient();
  return client.subscribe(client.api.plans.create, request, wholePlans(onEvent), {
    ...options,
    restart: false,
  });
}
/** A plan that the engine still keeps. */
export function keptPlan(planId: string): Promise<Plan> {
  const client = useClient();
  return new Promise((resolve, reject) => {
    client.subscribe(
      client.api.plans.show,
      { planId },
      wholePlans((event) => {
        if (event.type === 'plan') resolve(event.plan);
      }),
      { restart: false, onError: reject },
    );
  });
}
/** As `createPlan`, for the devices of a job that did not get through. */
export function retryPlan(
  request: { readonly jobId: string; readonly secrets: Record<string, string> },
  onEvent: (event: PlanEvent) => void,
  options: SubscribeOptions,
): () => void {
  const client = useClient();
  return client.subscribe(client.api.plans.retry, request, wholePlans(onEvent), {
    ...options,
    restart: false,
  });
}
/** Sends nothing to a device. */
export function retryPreview(jobId: string): Promise<RetryPreview> {
  return api().plans.retryPreview({ jobId });
}
export function exportPlan(planId: string): Promise<{ text: string; fileName: string }> {
  return api().plans.exportFile({ planId });
}
export function importPlan(text: string): Promise<Plan> {
  return api().plans.importFile({ text });
}
export function startJob(request: {
  readonly planId: string;
  readonly deviceIds: string[];
  readonly secrets: Record<string, string>;
  readonly options: StartOptions;
}): Promise<{ jobId: string }> {
  return api().jobs.start(request);
}
