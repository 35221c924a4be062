import { defineStore } from 'pinia';
import { reactive, ref, shallowRef } from 'vue';
import { getApi, useClient } from '#renderer/client/use-client.ts';
import { useProblem, useStream } from '#renderer/common/errors/attempt.ts';
import { useActivities } from '#renderer/common/jobs/work/activities.store.ts';
import { saveFile, type FileToSave } from '#renderer/common/files/save-file.ts';
import type { StreamProcedure } from '#renderer/client/subscribe.ts';
import { readPreference, remember } from '#renderer/composables/preferences.ts';
import type { ReportRequest } from '#shared/contract/reports.ts';
import {
  REPORT_FILE_FORMATS,
  type FileEvent,
  type GatherEvent,
  type MadeDocument,
  type OpenedDocument,
  type ReadingEntry,
  type ReportFileFormat,
} from '#shared/reports.ts';
import { useHandoverFacts } from './handover-facts.store.ts';

/** Reports that the screen offers: those of the engine; a warranty check is a comparison with a document. */
export type ReportKind = Exclude<ReportRequest['kind'], 'receipt'> | 'warranty';
const TYPES: Readonly<Record<ReportFileFormat, FileToSave['type']>> = {
  html: 'text/html',
  pdf: 'application/pdf',
  csv: 'text/csv',
  json: 'application/json',
};

/** Input for a report, kept while other screens are open. */
interface ReportDraft {
  /** Comparison: each device with its reading at that time; empty: with each other. */
  since: string;
  /** Comparisons: also what is the same. */
  all: boolean;
}

type DocumentFormat = Exclude<ReportFileFormat, 'csv'>;

/** Name under which the format chosen last is kept in this window's browser. */
const FORMAT = 'report-format';
function readFormat(): ReportFileFormat | undefined {
  const kept = readPreference(FORMAT);
  return REPORT_FILE_FORMATS.find((one) => one === kept);
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
  /** Visit of the list that the chosen devices come from. */
  const listVisit = ref(0);
  const progress = shallowRef<Progress>();
  /** The devices that were read last, and when; nothing is shown as read that was not. */
  const read = shallowRef<{ readonly ids: readonly string[]; readonly at: string }>();
  const failed = shallowRef<readonly GatherEvent[]>([]);
  const making = ref<ReportFileFormat>();
  const kept = useProblem();
  const { problem, attempt } = kept;
  const { follow, stop } = useStream(kept);
  /** A hand-over document, as it was opened: one that is kept here, or a file. */
  const document = shallowRef<{
    readonly name: string;
    readonly of: { readonly document: string } | { readonly documentId: string };
    readonly opened: OpenedDocument;
  }>();
  const draft = reactive<ReportDraft>({ since: '', all: false });
  /** Kept documents, newest first. */
  const made = shallowRef<readonly MadeDocument[]>();
  const format = ref<ReportFileFormat | undefined>(readFormat());
  /** Kept readings, newest first. */
  const readings = shallowRef<readonly ReadingEntry[]>([]);
  let shown: ReturnType<ReturnType<typeof useActivities>['begin']> | undefined;

  async function loadReadings(): Promise<void> {
    readings.value = (await attempt(() => getApi().reports.readings({}))) ?? [];
  }

  async function loadMade(): Promise<void> {
    made.value = (await attempt(() => getApi().reports.documents())) ?? [];
  }

  /** Reads the devices, then calls `then`. */
  function gather(deviceIds: readonly string[], then?: () => void): void {
    cancel();
    read.value = undefined;
    failed.value = [];
    const since = Date.now();
    progress.value = { done: 0, total: deviceIds.length, since };
    const errors: GatherEvent[] = [];
    shown = useActivities().begin({
      title: 'reports.reading',
      to: '/documents',
      total: deviceIds.length,
      cancel,
    });
    follow(
      getApi().reports.gather,
      { deviceIds: [...deviceIds] },
      (event) => {
        progress.value = { done: event.done, total: event.total, since };
        shown?.progress(event.done, event.total);
        if (event.error !== undefined) errors.push(event);
      },
      (isWhole) => {
        ended();
        if (!isWhole) return;
        failed.value = errors;
        read.value = { ids: deviceIds, at: new Date().toISOString() };
        then?.();
      },
    );
  }

  function ended(): void {
    progress.value = undefined;
    shown?.end();
    shown = undefined;
  }

  /** Stops reading; readings received so far are kept. */
  function cancel(): void {
    stop();
    ended();
  }

  async function open(name: string, of: NonNullable<typeof document.value>['of']): Promise<void> {
    document.value = undefined;
    const opened = await attempt(() => getApi().reports.open(of));
    if (opened === undefined) return;
    document.value = { name, of, opened };
    // A file that is no such document names no devices, so the chosen ones stay.
    if (opened.deviceIds.length > 0) chosen.value = [...opened.deviceIds];
  }

  /** Makes a report, which is kept, and saves it as a file; `onMade` shows it instead. */
  async function make(request: ReportRequest, onMade?: (file: ReceivedFile) => void): Promise<void> {
    if (request.kind === 'handover') await useHandoverFacts().save();
    making.value = request.format;
    const file = await attempt(() => receiveFile(useClient().api.reports.make, request));
    making.value = undefined;
    if (file === undefined) return;
    if (onMade !== undefined) onMade(file);
    else saveFile({ name: file.name, text: file.bytes, type: TYPES[request.format] });
    if (request.kind !== 'receipt') await loadMade();
  }

  /** Saves a kept document as a file. */
  async function saveMade(
    id: string,
    as: DocumentFormat,
    language: ReportRequest['language'],
  ): Promise<void> {
    making.value = as;
    const file = await attempt(() =>
      receiveFile(useClient().api.reports.exportDocument, { id, format: as, language }),
    );
    making.value = undefined;
    if (file !== undefined) saveFile({ name: file.name, text: file.bytes, type: TYPES[as] });
  }

  async function removeMade(id: string): Promise<void> {
    await attempt(() => getApi().reports.removeDocument({ id }));
    await loadMade();
  }

  function chooseFormat(chosenFormat: ReportFileFormat): void {
    format.value = chosenFormat;
    remember(FORMAT, chosenFormat);
  }

  return {
    kind,
    chosen,
    listVisit,
    progress,
    read,
    failed,
    making,
    problem,
    document,
    draft,
    made,
    format,
    readings,
    loadReadings,
    loadMade,
    saveMade,
    removeMade,
    chooseFormat,
    gather,
    cancel,
    open,
    make,
  };
});

interface ReceivedFile {
  readonly name: string;
  /** The document as it is kept; absent for a table. */
  readonly id: string | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

function receiveFile<Input>(
  procedure: StreamProcedure<Input, FileEvent>,
  input: Input,
): Promise<ReceivedFile> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let name = 'report';
  let id: string | undefined;
  return new Promise((resolve, reject) => {
    useClient().subscribe(
      procedure,
      input,
      (event) => {
        if (event.type === 'part')
          parts.push(Uint8Array.from(atob(event.base64), (letter) => letter.charCodeAt(0)));
        else {
          name = event.fileName;
          id = event.id;
        }
      },
      { restart: false, onEnd: () => resolve({ name, id, bytes: joined(parts) }), onError: reject },
    );
  });
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
