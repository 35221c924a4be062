import type { SubscribeOptions } from '../../client/index.ts';
import type { CaptureEvent, TemplateComparison, TemplateVersion } from '../../../shared/authoring.ts';
import type { Params, TemplateCheck, TemplateEntry } from '../../../shared/model.ts';
import { api, useClient } from '../../client/use-client.ts';

export function listTemplates(): Promise<readonly TemplateEntry[]> {
  return api().templates.list();
}
export function checkTemplate(text: string, signal?: AbortSignal): Promise<TemplateCheck> {
  return api().templates.check({ text }, signal === undefined ? {} : { signal });
}
/** Also against saved reports of devices; errors of a report carry its device. */
export function checkAgainst(
  text: string,
  reports: readonly { readonly file: string; readonly text: string }[],
): Promise<TemplateCheck> {
  return api().templates.check({ text, capabilities: reports.map((report) => ({ ...report })) });
}
export function saveTemplate(entry: {
  readonly id?: string;
  readonly text: string;
  readonly note?: string;
  readonly baseVersion?: number;
}): Promise<TemplateEntry> {
  return api().templates.save(entry);
}
export function removeTemplate(id: string): Promise<{ removed: boolean }> {
  return api().templates.remove({ id });
}
export function listVersions(id: string): Promise<readonly TemplateVersion[]> {
  return api().templates.versions({ id });
}
export function readVersion(
  id: string,
  version: number,
): Promise<TemplateVersion & { readonly text: string }> {
  return api().templates.version({ id, version });
}
export function compareTemplates(before: string, after: string): Promise<TemplateComparison> {
  return api().templates.compare({ before, after });
}
export interface CaptureRequest {
  readonly deviceId: string;
  readonly name?: string;
  readonly sections?: { readonly set: string; readonly params?: Params }[];
}
/** Reads the device; not begun again after a lost connection, the person decides. */
export function captureTemplate(
  request: CaptureRequest,
  onEvent: (event: CaptureEvent) => void,
  options: SubscribeOptions,
): () => void {
  const client = useClient();
  return client.subscribe(client.api.templates.capture, request, onEvent, { ...options, restart: false });
}
