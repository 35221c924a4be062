import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import { api, useClient } from '../../client/use-client.ts';
import { errorOf } from '../../common/errors/error-of.ts';
import { saveFile } from '../../common/files/save-file.ts';
import type { FileToSave } from '../../common/files/save-file.ts';
import type { ReportRequest } from '../../../shared/contract/reports.ts';
import type { ErrorShape } from '../../../shared/errors.ts';
import type { GatherEvent, OpenedDocument, ReportFileFormat } from '../../../shared/reports.ts';

export type ReportKind = 'capabilities' | 'comparison' | 'handover' | 'warranty' | 'diagnostics';
const TYPES: Readonly<Record<ReportFileFormat, FileToSave['type']>> = {
  html: 'text/html',
  pdf: 'application/pdf',
  csv: 'text/csv',
  json: 'application/json',
};

interface Progress {
  readonly done: number;
  readonly total: number;
  readonly since: number;
}

/** Devices being read for a report, also while another screen is open, and the files made of it. */
export const useReports = defineStore('reports', () => {
  const kind = ref<ReportKind>('capabilities');
  const chosen = ref<string[]>([]);
  const progress = shallowRef<Progress>();
  /** The devices that were read last, and when; nothing is shown as read that was not. */
  const read = shallowRef<{ readonly ids: readonly string[]; readonly at: string }>();
  const failed = shallowRef<readonly GatherEvent[]>([]);
  const making = ref<ReportFileFormat>();
  const problem = shallowRef<ErrorShape>();
  /** A hand-over document, as it was opened. */
  const document = shallowRef<{
    readonly name: string;
    readonly base64: string;
    readonly opened: OpenedDocument;
  }>();
  let stop: (() => void) | undefined;

  function gather(deviceIds: readonly string[]): void {
    cancel();
    problem.value = undefined;
    read.value = undefined;
    failed.value = [];
    const since = Date.now();
    progress.value = { done: 0, total: deviceIds.length, since };
    const errors: GatherEvent[] = [];
    const client = useClient();
    stop = client.subscribe(
      client.api.reports.gather,
      { deviceIds: [...deviceIds] },
      (event) => {
        progress.value = { done: event.done, total: event.total, since };
        if (event.error !== undefined) errors.push(event);
      },
      {
        restart: false,
        onEnd: () => {
          stop = undefined;
          progress.value = undefined;
          failed.value = errors;
          read.value = { ids: deviceIds, at: new Date().toISOString() };
        },
        onError: (error) => {
          stop = undefined;
          progress.value = undefined;
          problem.value = errorOf(error);
        },
      },
    );
  }

  /** What was read by then stays. */
  function cancel(): void {
    stop?.();
    stop = undefined;
    progress.value = undefined;
  }

  async function open(name: string, base64: string): Promise<void> {
    problem.value = undefined;
    document.value = undefined;
    try {
      const opened = await api().reports.open({ document: base64 });
      document.value = { name, base64, opened };
      chosen.value = [...opened.deviceIds];
    } catch (thrown) {
      problem.value = errorOf(thrown);
    }
  }

  /** The report as a file that is saved where the person wants it. */
  function make(request: ReportRequest): void {
    problem.value = undefined;
    making.value = request.format;
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let name = 'report';
    const client = useClient();
    client.subscribe(
      client.api.reports.make,
      request,
      (event) => {
        if (event.type === 'file') name = event.fileName;
        else parts.push(Uint8Array.from(atob(event.base64), (letter) => letter.charCodeAt(0)));
      },
      {
        restart: false,
        onEnd: () => {
          making.value = undefined;
          saveFile({ name, text: joined(parts), type: TYPES[request.format] });
        },
        onError: (error) => {
          making.value = undefined;
          problem.value = errorOf(error);
        },
      },
    );
  }

  return { kind, chosen, progress, read, failed, making, problem, document, gather, cancel, open, make };
});

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
