import type { SubscribeOptions } from '../../client/index.ts';
import type { ApplyOptions, JobEvent, JobSummary, PlanEvent, TemplateCheck, TemplateEntry } from '../../../shared/model.ts';
import { api, useClient } from '../../composables/use-client.ts';

export interface PlanRequest {
  readonly templateText: string;
  readonly deviceIds: string[];
  readonly values: Record<string, unknown>;
  readonly secrets: Record<string, string>;
}
export type StartOptions = Pick<ApplyOptions, 'canary' | 'wave' | 'stopAfter'>;

export function listTemplates(): Promise<readonly TemplateEntry[]> {
  return api().templates.list();
}
export function checkTemplate(text: string, signal: AbortSignal): Promise<TemplateCheck> {
  return api().templates.check({ text }, { signal });
}
export function saveTemplate(entry: { readonly id?: string; readonly text: string }): Promise<TemplateEntry> {
  return api().templates.save(entry);
}
/** Reads the devices, writes nothing. Not started again after a lost connection: the person decides. */
export function createPlan(request: PlanRequest, onEvent: (event: PlanEvent) => void, options: SubscribeOptions): () => void {
  const client = useClient();
  return client.subscribe(client.api.plans.create, request, onEvent, { ...options, restart: false });
}
export function startJob(request: { readonly planId: string; readonly deviceIds: string[]; readonly secrets: Record<string, string>; readonly options: StartOptions }): Promise<{ jobId: string }> {
  return api().jobs.start(request);
}
/** The job as it stands, then what happens, then its end; goes on after a lost connection. */
export function watchJob(id: string, onEvent: (event: JobEvent) => void, options: SubscribeOptions): () => void {
  const client = useClient();
  return client.subscribe(client.api.jobs.watch, { id }, onEvent, options);
}
export function cancelJob(id: string): Promise<{ cancelled: boolean }> {
  return api().jobs.cancel({ id });
}
export function listJobs(): Promise<readonly JobSummary[]> {
  return api().jobs.list();
}
