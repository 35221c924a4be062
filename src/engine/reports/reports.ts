/** Reports for the faces: devices read for them, and the documents made of what was read. */
import type { reportsRoutes, ReportRequest } from '#shared/contract/reports.ts';
import type { RouteFunctions } from '#shared/contract/route.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { buildFileName } from '#shared/text/file-name.ts';
import { formatDetail } from '#shared/details.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { ReportDocument, SealedDocument } from '#shared/report-document.ts';
import { formatLocalTime } from '../host/local-time.ts';
import { renderCsv, renderDocument } from '../report-files/files.ts';
import { sealDocument } from '../report-files/seal.ts';
import type { Verdict } from '../report-files/verify.ts';
import { coverOf } from './branding.ts';
import { gather } from './gather.ts';
import { buildExampleDetails, readDetails } from './handover/details-file.ts';
import { hideOnce } from './hiding.ts';
import { makeReport, type Once, type ReportsOptions } from './makers.ts';
import { Readings } from './readings.ts';

export interface ReportsApi extends RouteFunctions<typeof reportsRoutes> {
  /** The same file for who writes it: its bytes as they are made. */
  file(request: ReportRequest, signal?: AbortSignal): Promise<ReportFile>;
}

interface ReportFile {
  /** File name without characters that a file system rejects. */
  readonly fileName: string;
  readonly parts: AsyncIterable<Uint8Array>;
  /** Hash of the document's content; absent for a table. */
  readonly sha256?: string;
}

/** A call whose caller cannot go away. */
const NEVER = new AbortController().signal;

/** Bytes of one part on its way to the page. */
const PART = 192 * 1024;

export function createReports(options: ReportsOptions): ReportsApi {
  const { devices, verify } = options;

  function once(): Once {
    const hide = hideOnce(options.secrets, options.saved);
    return { hide, readings: new Readings(options.store, hide) };
  }

  /** Throws `unreadable-file` where it is no document of ours, or was changed. */
  async function proved(document: string): Promise<SealedDocument> {
    const verdict = await verify(Buffer.from(document, 'base64'));
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
    const { format, language, branding } = request;
    const made = await makeReport(request, { ...options, ...once(), proved }, signal);
    const day = formatLocalTime(options.clock.now()).slice(0, 10);
    const [kind, about] = made.name;
    const { getReader } = await import('../report-files/reader.ts');
    const fileName = buildFileName([getReader(language).phrase(kind), about, day], format);
    if (format === 'csv') return { fileName, parts: renderCsv(made.heads, made.rows(), language) };
    const cover = branding === undefined ? undefined : coverOf(branding);
    const document: ReportDocument = { ...made.document(), ...removeUndefined({ cover }) };
    const sealed = sealDocument(document);
    return {
      fileName,
      sha256: sealed.sha256,
      parts: renderDocument(sealed, format, language, options.resourcesDir),
    };
  }

  return {
    gather: ({ deviceIds }, signal) => gather(deviceIds, { ...options, ...once() }, signal),
    readings: ({ deviceId }) => Promise.resolve(once().readings.list(deviceId)),
    file,
    details: async ({ text }) => readDetails(text),
    async exampleDetails({ language }) {
      const { getReader } = await import('../report-files/reader.ts');
      const today = formatLocalTime(options.clock.now()).slice(0, 10);
      return { fileName: 'handover-details.yaml', text: buildExampleDetails(getReader(language), today) };
    },
    async open({ document }) {
      const verdict = await verify(Buffer.from(document, 'base64'));
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
        ...removeUndefined({ title: sealed?.document.title, at: sealed?.document.at }),
      };
    },
    async *make(request, signal) {
      const { fileName, sha256, parts } = await file(request, signal);
      yield { type: 'file', fileName, ...removeUndefined({ sha256 }) };
      for await (const part of parts) {
        for (let at = 0; at < part.length; at += PART) {
          if (signal.aborted) return;
          yield { type: 'part', base64: Buffer.from(part.subarray(at, at + PART)).toString('base64') };
        }
      }
    },
  };
}

/** Returns whether the content matches its hash; other parts of the file are not compared. */
function isProved({ state }: Verdict): boolean {
  return state === 'intact' || state === 'content-intact';
}
