import { defineStore } from 'pinia';
import { reactive, ref, shallowRef } from 'vue';
import { getApi, useClient } from '#renderer/client/use-client.ts';
import { useProblem } from '#renderer/common/errors/attempt.ts';
import { extractErrorShape } from '#renderer/common/errors/error-of.ts';
import { useActivities } from '#renderer/common/jobs/work/activities.store.ts';
import { saveFile, type FileToSave } from '#renderer/common/files/save-file.ts';
import type { HandoverDetails } from '#shared/contract/handover.ts';
import type { ReportRequest } from '#shared/contract/reports.ts';
import type { GatherEvent, OpenedDocument, ReadingEntry, ReportFileFormat } from '#shared/reports.ts';

/** Reports that the screen offers: those of the engine; a warranty check is a comparison with a document. */
export type ReportKind = ReportRequest['kind'] | 'warranty';
const TYPES: Readonly<Record<ReportFileFormat, FileToSave['type']>> = {
  html: 'text/html',
  pdf: 'application/pdf',
  csv: 'text/csv',
  json: 'application/json',
};

/** Input for a report, kept while other screens are open. */
interface ReportDraft {
  company: string;
  by: string;
  project: string;
  customer: string;
  place: string;
  logo: { readonly name: string; readonly base64: string } | undefined;
  details: { readonly name: string; readonly content: HandoverDetails } | undefined;
  /** Comparison: each device with its reading at that time; empty: with each other. */
  since: string;
  /** Comparisons: also what is the same. */
  all: boolean;
}

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
  const { problem, attempt } = useProblem();
  /** A hand-over document, as it was opened. */
  const document = shallowRef<{
    readonly name: string;
    readonly base64: string;
    readonly opened: OpenedDocument;
  }>();
  const draft = reactive<ReportDraft>({
    company: '',
    by: '',
    project: '',
    customer: '',
    place: '',
    logo: undefined,
    details: undefined,
    since: '',
    all: false,
  });
  /** Kept readings, newest first. */
  const readings = shallowRef<readonly ReadingEntry[]>([]);
  let stop: (() => void) | undefined;
  let shown: ReturnType<ReturnType<typeof useActivities>['begin']> | undefined;

  async function loadReadings(): Promise<void> {
    readings.value = (await attempt(() => getApi().reports.readings({}))) ?? [];
  }

  /** Reads the file of site details that only people know. */
  async function readDetails(name: string, text: string): Promise<void> {
    draft.details = undefined;
    const content = await attempt(() => getApi().reports.details({ text }));
    if (content !== undefined) draft.details = { name, content };
  }

  /** A details file to be filled in. */
  async function saveExample(language: ReportRequest['language']): Promise<void> {
    const made = await attempt(() => getApi().reports.exampleDetails({ language }));
    if (made !== undefined) saveFile({ name: made.fileName, text: made.text, type: 'application/yaml' });
  }

  function gather(deviceIds: readonly string[]): void {
    cancel();
    problem.value = undefined;
    read.value = undefined;
    failed.value = [];
    const since = Date.now();
    progress.value = { done: 0, total: deviceIds.length, since };
    const errors: GatherEvent[] = [];
    const client = useClient();
    shown = useActivities().begin({
      title: 'reports.reading',
      to: '/documents',
      total: deviceIds.length,
      cancel,
    });
    stop = client.subscribe(
      client.api.reports.gather,
      { deviceIds: [...deviceIds] },
      (event) => {
        progress.value = { done: event.done, total: event.total, since };
        shown?.progress(event.done, event.total);
        if (event.error !== undefined) errors.push(event);
      },
      {
        restart: false,
        onEnd: () => {
          ended();
          failed.value = errors;
          read.value = { ids: deviceIds, at: new Date().toISOString() };
        },
        onError: (error) => {
          ended();
          problem.value = extractErrorShape(error);
        },
      },
    );
  }

  function ended(): void {
    stop = undefined;
    progress.value = undefined;
    shown?.end();
    shown = undefined;
  }

  /** Stops reading; readings received so far are kept. */
  function cancel(): void {
    stop?.();
    ended();
  }

  async function open(name: string, base64: string): Promise<void> {
    document.value = undefined;
    const opened = await attempt(() => getApi().reports.open({ document: base64 }));
    if (opened === undefined) return;
    document.value = { name, base64, opened };
    // A file that is no such document names no devices, so the chosen ones stay.
    if (opened.deviceIds.length > 0) chosen.value = [...opened.deviceIds];
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
          problem.value = extractErrorShape(error);
        },
      },
    );
  }

  return {
    kind,
    chosen,
    progress,
    read,
    failed,
    making,
    problem,
    document,
    draft,
    readings,
    loadReadings,
    readDetails,
    saveExample,
    gather,
    cancel,
    open,
    make,
  };
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
