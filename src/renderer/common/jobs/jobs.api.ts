import type { SubscribeOptions } from '../../client/index.ts';
import type { FollowUpDevice, HistoryPage, HistoryQuery } from '../../../shared/history.ts';
import type { ApplyOptions, JobEvent, ResumePreview, UndoPreview } from '../../../shared/model.ts';
import { api, useClient } from '../../client/use-client.ts';
import { wholeJobs } from './whole-events.ts';

type Secrets = Record<string, string>;
type ContinueOptions = Pick<ApplyOptions, 'acceptDrift' | 'allowPlainFields'>;
/** What the contract's schema takes: lists that may be changed. */
export type Query = Omit<HistoryQuery, 'states'> & { states?: NonNullable<HistoryQuery['states']>[number][] };

/** The job as it stands, then what happens, then its end; goes on after a lost connection. */
export function watchJob(
  id: string,
  onEvent: (event: JobEvent) => void,
  options: SubscribeOptions,
): () => void {
  const client = useClient();
  return client.subscribe(client.api.jobs.watch, { id }, wholeJobs(onEvent), options);
}
export function cancelJob(id: string): Promise<{ cancelled: boolean }> {
  return api().jobs.cancel({ id });
}
export function pauseJob(id: string): Promise<{ paused: boolean }> {
  return api().jobs.pause({ id });
}
export function unpauseJob(id: string): Promise<{ paused: boolean }> {
  return api().jobs.unpause({ id });
}
export function rebootPending(id: string): Promise<readonly FollowUpDevice[]> {
  return api().jobs.rebootPending({ id });
}
export function followUpJob(request: {
  readonly id: string;
  readonly deviceIds: string[];
  readonly waitSeconds: number;
}): Promise<{ jobId: string; devices: number }> {
  return api().jobs.followUp(request);
}
export function resumePreview(id: string): Promise<ResumePreview> {
  return api().jobs.resumePreview({ id });
}
export function resumeJob(request: {
  readonly id: string;
  readonly secrets: Secrets;
  readonly options: ContinueOptions;
}): Promise<{ jobId: string; resumed: boolean }> {
  return api().jobs.resume(request);
}
export function undoPreview(id: string): Promise<UndoPreview> {
  return api().jobs.undoPreview({ id });
}
export function undoJob(request: {
  readonly id: string;
  readonly deviceIds?: string[];
  readonly options: ContinueOptions;
}): Promise<{ jobId: string }> {
  return api().jobs.undo(request);
}
export function searchJobs(query: Query, signal: AbortSignal): Promise<HistoryPage> {
  return api().jobs.search(query, { signal });
}
export function exportJobs(request: {
  readonly query: Query;
  readonly format: 'csv' | 'json';
}): Promise<{ text: string; fileName: string }> {
  return api().jobs.export(request);
}
