/** Reports for the faces: devices read for them, and the documents made of what was read. */
import type { reportsRoutes, ReportRequest } from '#shared/contract/reports.ts';
import type { RouteFunctions } from '#shared/contract/route.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { buildFileName } from '#shared/text/file-name.ts';
import { formatDetail, formatSomeNames } from '#shared/details.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { FileEvent } from '#shared/reports.ts';
import type { ReportDocument, SealedDocument, Cover } from '#shared/report-document.ts';
import { formatLocalTime } from '../host/local-time.ts';
import { renderCsv, renderDocument } from '../report-files/files.ts';
import { sealDocument, toCanonicalJson } from '../report-files/seal.ts';
import type { Verdict } from '../report-files/verify.ts';
import { matchEarlierDevices } from './comparison/dates.ts';
import { buildPutBack } from './comparison/put-back.ts';
import { gather } from './gather.ts';
import { buildExampleDetails, readDetails } from './handover/details-file.ts';
import { hideOnce } from './hiding.ts';
import { makeReport, type Once, type ReportsOptions } from './makers.ts';
import { KeptDocuments } from './kept-documents.ts';
import { Readings } from './readings.ts';
import { getSubjects } from './subjects.ts';
import { setImmediate } from 'node:timers/promises';
import type { Device, KnownTemplateCheck } from '#shared/model.ts';
import { checkTemplate } from '../template/check/check-template.ts';
import { indexLimits } from '../template/saved-capabilities.ts';
import type { DeviceReading } from './reading.ts';
import { readLogo } from '../files/logo.ts';

export interface ReportsApi extends RouteFunctions<typeof reportsRoutes> {
  /** The same file for who writes it: its bytes as they are made. */
  file(request: ReportRequest, signal?: AbortSignal): Promise<ReportFile>;
}

interface ReportFile {
  /** File name without characters that a file system rejects. */
  readonly fileName: string;
  readonly parts: AsyncIterable<Uint8Array>;
  /** Hash of the document's content, and its id; absent for a table. */
  readonly sha256?: string;
  readonly id?: string;
}

/** A call whose caller cannot go away. */
const NEVER = new AbortController().signal;

/** Bytes of one part on its way to the page. */
const PART = 192 * 1024;

export function createReports(options: ReportsOptions): ReportsApi {
  const { devices, verify } = options;
  const documents = new KeptDocuments(options.store);

  /** Returns the site of devices that are all of one. */
  function siteOf(deviceIds: readonly string[]): string | undefined {
    const wanted = new Set(deviceIds);
    const sites = new Set(
      devices
        .list()
        .filter(({ id }) => wanted.has(id))
        .map(({ siteId }) => siteId),
    );
    return sites.size === 1 ? [...sites][0] : undefined;
  }

  function once(): Once {
    const hide = hideOnce(options.secrets, options.saved);
    return { hide, readings: new Readings(options.store, hide) };
  }

  /** Returns the bytes of a document: those of a file, or of the one that is kept under the id. */
  function fileOf({
    document,
    documentId,
  }: {
    readonly document?: string;
    readonly documentId?: string;
  }): Uint8Array {
    return documentId === undefined
      ? Buffer.from(document ?? '', 'base64')
      : Buffer.from(`${toCanonicalJson(documents.get(documentId).sealed)}\n`);
  }

  /** Throws `unreadable-file` where it is no document of ours, or was changed. */
  async function proved(document: Parameters<typeof fileOf>[0]): Promise<SealedDocument> {
    const verdict = await verify(fileOf(document));
    if (isProved(verdict) && verdict.sealed !== undefined) return verdict.sealed;
    const [why] = verdict.findings;
    throw new FieldwrightError({
      code: 'unreadable-file',
      source: 'user',
      path: 'document',
      message: why === undefined ? verdict.state : formatDetail(why),
      ...removeUndefined({ detail: why }),
    });
  }

  async function file(request: ReportRequest, signal: AbortSignal = NEVER): Promise<ReportFile> {
    const { format, language } = request;
    const kept = request.kind === 'handover' ? documents.siteDetails(siteOf(request.deviceIds)) : undefined;
    const branding = request.branding ?? kept?.branding;
    const whole = kept === undefined ? request : { details: kept.details, ...request };
    const made = await makeReport(whole as ReportRequest, { ...options, ...once(), proved }, signal);
    const day = formatLocalTime(options.clock.now()).slice(0, 10);
    const [kind, about] = made.name;
    const { getReader } = await import('../report-files/reader.ts');
    const parts = [getReader(language).phrase(kind), about, day];
    const fileName = buildFileName(parts, format);
    if (format === 'csv') return { fileName, parts: renderCsv(made.heads, made.rows(), language) };
    const cover = branding === undefined ? undefined : coverOf(branding);
    const document: ReportDocument = { ...made.document(), ...removeUndefined({ cover }) };
    const sealed = sealDocument(document);
    // A diagnostics bundle is for support, and a receipt may name people: neither is kept with the site's documents.
    if (request.kind !== 'diagnostics' && request.kind !== 'receipt')
      documents.keep(sealed, buildFileName(parts, 'json').replace(/\.json$/, ''));
    return {
      fileName,
      id: document.id,
      sha256: sealed.sha256,
      parts: renderDocument(sealed, format, language, options.resourcesDir),
    };
  }

  return {
    gather: ({ deviceIds }, signal) => gather(deviceIds, { ...options, ...once() }, signal),
    checkTemplate: (template) => checkAgainstReadings(template, { devices, readings: once().readings }),
    readings: ({ deviceId }) => Promise.resolve(once().readings.list(deviceId)),
    file,
    details: async ({ text }) => readDetails(text),
    async exampleDetails({ language }) {
      const { getReader } = await import('../report-files/reader.ts');
      const today = formatLocalTime(options.clock.now()).slice(0, 10);
      return { fileName: 'handover-details.yaml', text: buildExampleDetails(getReader(language), today) };
    },
    async open({ document, documentId }) {
      const verdict = await verify(fileOf({ document, documentId }));
      const { sealed } = verdict;
      const named = sealed?.document.devices ?? [];
      const siteId = sealed?.document.site?.id;
      const here = devices
        .list()
        .filter(
          ({ id, url, siteId: site }) =>
            named.some((device) => device.id === id || device.address === url) ||
            (siteId !== undefined && site === siteId),
        );
      return {
        intact: isProved(verdict),
        findings: verdict.findings,
        deviceIds: here.map(({ id }) => id),
        devices: named.length,
        title: sealed?.document.title,
        at: sealed?.document.at,
      };
    },
    siteDetails: async ({ siteId }) => documents.siteDetails(siteId),
    async saveSiteDetails({ siteId, details, branding }) {
      // A cover that no document takes is refused while its form is open.
      if (branding !== undefined) coverOf(branding);
      documents.saveSiteDetails(siteId, { details, branding });
      return documents.siteDetails(siteId);
    },
    documents: async () => documents.list(),
    document: async ({ id }) => documents.get(id).sealed,
    async putBack({ documentId, deviceId }) {
      const { sealed } = documents.get(documentId);
      const subjects = getSubjects([deviceId], { ...options, ...once() });
      const then = matchEarlierDevices(sealed, subjects).find(({ subject }) => subject !== undefined);
      return then === undefined ? { left: 0 } : buildPutBack(then);
    },
    async removeDocument({ id }) {
      documents.remove(id);
      return { removed: true };
    },
    async *exportDocument({ id, format, language }, signal) {
      const { sealed, name } = documents.get(id);
      yield { type: 'file', fileName: `${name}.${format}`, sha256: sealed.sha256, id };
      yield* sendParts(renderDocument(sealed, format, language, options.resourcesDir), signal);
    },
    async *make(request, signal) {
      const { fileName, sha256, id, parts } = await file(request, signal);
      yield { type: 'file', fileName, sha256, id };
      yield* sendParts(parts, signal);
    },
  };
}

/** Sends a file in pieces that are small enough for the way to the page. */
async function* sendParts(parts: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<FileEvent> {
  for await (const part of parts)
    for (let at = 0; at < part.length; at += PART) {
      if (signal.aborted) return;
      yield { type: 'part', base64: Buffer.from(part.subarray(at, at + PART)).toString('base64') };
    }
}

/** Returns whether the content matches its hash; other parts of the file are not compared. */
function isProved({ state }: Verdict): boolean {
  return state === 'intact' || state === 'content-intact';
}

interface CheckContext {
  readonly devices: { list(): readonly Pick<Device, 'id' | 'name' | 'url' | 'kinds'>[] };
  readonly readings: Pick<Readings, 'known'>;
}

/** Devices of the template's kinds; those that reported the same are checked, and named, together. */
async function checkAgainstReadings(
  { text, file }: { readonly text: string; readonly file?: string | undefined },
  { devices, readings }: CheckContext,
): Promise<KnownTemplateCheck> {
  const wanted = checkTemplate(text).summary?.kinds ?? [];
  const alike = new Map<string, { readonly names: string[]; readonly limits: DeviceReading['limits'] }>();
  for (const { id, name, url, kinds } of devices.list()) {
    if (wanted.length > 0 && !kinds.some((kind) => wanted.includes(kind))) continue;
    const { limits } = readings.known(id).reading ?? {};
    // Thousands of readings are unpacked; other work goes on between them.
    await setImmediate();
    if (limits === undefined) continue;
    const key = JSON.stringify(limits);
    const group = alike.get(key) ?? { names: [], limits };
    alike.set(key, group);
    group.names.push(name || url);
  }
  const reported = [...alike.values()].map(({ names, limits }) => ({
    device: formatSomeNames(names),
    limits: indexLimits(limits),
  }));
  const count = [...alike.values()].reduce((sum, { names }) => sum + names.length, 0);
  return { ...checkTemplate(text, { reported, file }), devices: count };
}

interface Branding {
  readonly company?: string;
  readonly lines?: readonly string[];
  /** PNG or JPEG in base64. */
  readonly logo?: string;
}

/** Throws `unreadable-file` for a picture that is none, `input-too-large` for one that is too large. */
export function coverOf({ company, lines, logo }: Branding): Cover {
  return removeUndefined({
    company,
    lines: lines === undefined ? undefined : [...lines],
    logo: logo === undefined ? undefined : readLogo(Buffer.from(logo, 'base64')),
  });
}
