/** Builds the content of each kind of report. */
import type { ReportRequest } from '#shared/contract/reports.ts';
import { createDetail, say, type BareDetailId, type Detail } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { ChangeEntry } from '#shared/history.ts';
import { addJobSelection, getJobTitle } from '#shared/units.ts';
import type { DeletionReceipt } from '#shared/people/people.ts';
import type { Device, Job } from '#shared/model.ts';
import type { ReportDocument, SealedDocument, Value } from '#shared/report-document.ts';
import { formatOneOrCount } from '#shared/text/file-name.ts';
import type { JobsApi, OperationsApi, SitesApi } from '../api/routes.ts';
import type { DeviceSecrets } from '../inventory/access/device-secrets.ts';
import type { SavedSecrets } from '../inventory/access/saved-secrets.ts';
import type { Verdict } from '../report-files/verify.ts';
import type { Store } from '../store/index.ts';
import { buildCapabilityReport } from './capability/report.ts';
import { CAPABILITY_HEADS, listCapabilityRows } from './capability/rows.ts';
import {
  buildDateReport,
  listDateRows,
  DATE_HEADS,
  determineFate,
  matchEarlierDevices,
  type Then,
} from './comparison/dates.ts';
import { compareDevices, buildDeviceReport, SPREAD_HEADS, spreadRows } from './comparison/devices.ts';
import { getIdentity } from './comparison/identity.ts';
import { isSetting, indexReading } from './comparison/keyed.ts';
import { createConfigurationReader } from './configuration.ts';
import {
  DIAGNOSTIC_HEADS,
  listDiagnosticRows,
  buildDiagnosticsReport,
  collectRawAnswers,
} from './diagnostics.ts';
import { sortByName, makeTimeValue, type DocumentContext, type Subject } from './document.ts';
import type { GatherContext } from './gather.ts';
import type { HandoverDevice } from './handover/handed-over.ts';
import { PUNCH_HEADS, punchCells, punchList } from './handover/punch-list.ts';
import { buildHandoverReport } from './handover/report.ts';
import { buildReceipt, getReceiptHeads, listReceiptRows } from './receipt.ts';
import { getSubjects } from './subjects.ts';

type FileKind = Extract<BareDetailId, `reports.file.${string}`>;

/** Report before it is written to a file. */
export interface Made {
  /** Parts of the file name: the kind of the report, and its subject. */
  readonly name: readonly [kind: FileKind, about: string];
  readonly document: () => ReportDocument;
  /** The same as a table for spreadsheets. */
  readonly heads: readonly BareDetailId[];
  readonly rows: () => Iterable<readonly Value[]>;
}

type Of<Kind extends ReportRequest['kind']> = Extract<ReportRequest, { readonly kind: Kind }>;

/** Input of one reading or one report. */
export type Once = Pick<GatherContext, 'hide' | 'readings'>;

export interface ReportsOptions extends Omit<GatherContext, keyof Once>, DocumentContext {
  readonly store: Store;
  readonly saved: Pick<SavedSecrets, 'opener'>;
  readonly devices: GatherContext['devices'] & {
    list(): readonly Pick<Device, 'id' | 'name' | 'url' | 'kinds' | 'siteId'>[];
  };
  readonly sites: Pick<SitesApi, 'list'>;
  readonly jobs: Pick<JobsApi, 'search' | 'show' | 'changes'>;
  readonly findRemoval: (job: Job) => DeletionReceipt | undefined;
  /** Kept commissioning records. */
  readonly records: {
    list(): readonly { readonly id: string; readonly deviceId: string }[];
    get(id: string): SealedDocument;
  };
  readonly secrets: Pick<DeviceSecrets, 'list' | 'values'>;
  readonly verify: (bytes: Uint8Array) => Promise<Verdict>;
  readonly operations: Pick<OperationsApi, 'call'>;
  readonly resourcesDir: string;
  readonly dataDir: string;
  readonly face: string;
}

interface MakersOptions extends ReportsOptions, Once {
  /** The document of a file of ours, once it is proven to be as it was made. */
  readonly proved: (document: {
    readonly document?: string;
    readonly documentId?: string;
  }) => Promise<SealedDocument>;
}
/** Whom a report is about, and what it is made with. */
interface About {
  readonly subjects: readonly Subject[];
  readonly options: MakersOptions;
}

/** Throws `usage`, `not-found` or `unreadable-file` where the request has nothing to be made of. */
export async function makeReport(
  request: ReportRequest,
  options: MakersOptions,
  signal: AbortSignal,
): Promise<Made> {
  if (request.kind === 'receipt') return receipt(request, options);
  const named = getSubjects(request.deviceIds, options);
  // The first device of a comparison is the reference, so the order is kept.
  const about = { subjects: request.kind === 'comparison' ? named : sortByName(named), options };
  switch (request.kind) {
    case 'capabilities':
      return capabilities(request, about);
    case 'comparison':
      return comparison(request, about);
    case 'diagnostics':
      return diagnostics(request, about, signal);
    case 'handover':
      return handover(request, about);
  }
}

async function receipt(
  { jobId, language }: Of<'receipt'>,
  { jobs, findRemoval, ...options }: MakersOptions,
): Promise<Made> {
  const job = jobs.show({ id: jobId });
  const found = { job, removal: findRemoval(job), changes: [...listJobChanges(jobs, job.id)] };
  const { getReader } = await import('../report-files/reader.ts');
  const reader = getReader(language);
  const words = (detail: Detail): string => reader.words(detail);
  const title = addJobSelection(getJobTitle(job.about, words) ?? (job.title || job.id), job.about, words);
  return {
    name: ['reports.file.receipt', title],
    document: () => buildReceipt(found, title, options),
    heads: getReceiptHeads(found),
    rows: () => listReceiptRows(found),
  };
}

/** Lists all changes of a job, page by page. */
function* listJobChanges(jobs: Pick<JobsApi, 'changes'>, jobId: string): Generator<ChangeEntry> {
  for (let after: string | undefined; ;) {
    const page = jobs.changes({ jobId, limit: 200, after });
    yield* page.changes;
    after = page.next;
    if (after === undefined) return;
  }
}

function capabilities({ offline }: Of<'capabilities'>, { subjects, options }: About): Made {
  return {
    name: nameOf('reports.file.capabilities', subjects),
    document: () => buildCapabilityReport(subjects, { offline: offline === true }, options),
    heads: CAPABILITY_HEADS,
    *rows() {
      for (const subject of subjects) yield* listCapabilityRows(subject);
    },
  };
}

function withEachOther({ all = false }: Of<'comparison'>, { subjects, options }: About): Made {
  if (subjects.length < 2) throw userError('usage', say('reports.two-devices'), { path: 'deviceIds' });
  const compared = compareDevices(subjects, all);
  return {
    name: nameOf('reports.file.comparison', subjects),
    document: () => buildDeviceReport(subjects, compared, options),
    heads: SPREAD_HEADS,
    rows: () => spreadRows(compared),
  };
}

function withThen(
  thens: readonly Then[],
  { all = false }: Of<'comparison'>,
  report: Parameters<typeof buildDateReport>[1],
  { subjects, options }: About,
): Made {
  const { readings, jobs } = options;
  const between = function* (deviceId: string, from: string | undefined) {
    for (const { id, at } of readings.list(deviceId).toReversed())
      if (from === undefined || at >= from) yield readings.read(id);
  };
  const configuration = createConfigurationReader(jobs);
  const fates = thens.map((then) => determineFate(then, { ...options, configuration, between, all }));
  return {
    name: nameOf(
      report.kind === 'warranty-check' ? 'reports.file.warranty' : 'reports.file.comparison',
      subjects,
    ),
    document: () => buildDateReport(fates, report, options),
    heads: DATE_HEADS,
    rows: () => listDateRows(fates),
  };
}

/** The last reading that was made by then; a device without one has nothing to compare. */
function readingAt(readings: MakersOptions['readings'], deviceId: string, since: string) {
  const entry = readings.list(deviceId).find(({ at }) => Date.parse(at) <= Date.parse(since));
  return entry === undefined ? undefined : readings.read(entry.id);
}

async function comparison(request: Of<'comparison'>, about: About): Promise<Made> {
  const { subjects, options } = about;
  const { since, document, documentId } = request;
  if (document !== undefined || documentId !== undefined) {
    const sealed = await options.proved({ document, documentId });
    const thens = matchEarlierDevices(sealed, subjects);
    if (thens.every(({ before }) => before === undefined || before.size === 0))
      throw userError('unreadable-file', say('reports.no-configuration'), { path: 'document' });
    return withThen(
      thens,
      request,
      {
        kind: 'warranty-check',
        title: { id: 'reports.warranty-title' },
        about: [
          { block: 'paragraph', text: { id: 'reports.warranty-about' } },
          {
            block: 'facts',
            facts: [
              { label: { id: 'report.document' }, value: sealed.document.title },
              { label: { id: 'reports.number' }, value: sealed.document.id },
              { label: { id: 'report.made' }, value: { time: sealed.document.at } },
              { label: { id: 'report.hash' }, value: sealed.sha256 },
            ],
          },
        ],
      },
      about,
    );
  }
  if (since === undefined) return withEachOther(request, about);
  const thens = subjects.map((subject): Then => {
    const reading = readingAt(options.readings, subject.id, since);
    return {
      name: subject.name,
      address: subject.url,
      subject,
      ...(reading !== undefined && {
        before: indexReading(reading, isSetting),
        beforeAt: reading.at,
        identity: getIdentity(reading),
      }),
    };
  });
  if (thens.every(({ before }) => before === undefined))
    throw userError('not-found', say('reports.nothing-then', { since }), { path: 'since' });
  return withThen(
    thens,
    request,
    {
      kind: 'comparison',
      title: createDetail('reports.changes-of', { count: subjects.length }),
      about: [{ block: 'facts', facts: [{ label: { id: 'reports.since' }, value: makeTimeValue(since) }] }],
    },
    about,
  );
}

function handover({ details = {} }: Of<'handover'>, { subjects, options }: About): Made {
  const { records, secrets, jobs } = options;
  const kept = records.list();
  const vault = secrets.list();
  const configuration = createConfigurationReader(jobs);
  const devices = subjects.map((subject): HandoverDevice => ({
    subject,
    configuration: configuration(subject.id),
    records: kept.filter(({ deviceId }) => deviceId === subject.id).map(({ id }) => records.get(id)),
    secrets: vault.filter(
      ({ deviceId, state, sent }) => deviceId === subject.id && (state !== 'pending' || sent === true),
    ),
  }));
  return {
    name: nameOf('reports.file.handover', subjects),
    document: () => buildHandoverReport(devices, { ...options, details }),
    heads: PUNCH_HEADS,
    *rows() {
      for (const point of punchList(devices, details)) yield punchCells(point);
    },
  };
}

async function diagnostics(
  { operations = [] }: Of<'diagnostics'>,
  { subjects, options }: About,
  signal: AbortSignal,
): Promise<Made> {
  const answers = await collectRawAnswers(subjects, operations, options.operations, options.hide, signal);
  const found = {
    ...options,
    answers,
    devices: subjects.map(({ id }) => options.devices.find(id)),
    jobs: options.jobs.search({ limit: 200 }).jobs,
  };
  return {
    name: nameOf('reports.file.diagnostics', subjects),
    document: () => buildDiagnosticsReport(subjects, found),
    heads: DIAGNOSTIC_HEADS,
    rows: () => listDiagnosticRows(answers),
  };
}

/** Parts of a file's name: the kind, then of one device its name, of many that of the site of all of them, else how many. */
function nameOf(kind: FileKind, subjects: readonly Subject[]): Made['name'] {
  const sites = [...new Set(subjects.map(({ site }) => site?.name))];
  const [site] = sites;
  return subjects.length > 1 && sites.length === 1 && site !== undefined
    ? [kind, site]
    : [
        kind,
        formatOneOrCount(
          subjects.map(({ name }) => name),
          'devices',
        ),
      ];
}
