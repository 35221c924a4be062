/** Reports for the faces: devices read for them, and the documents made of what was read. */
import type { reportsRoutes, ReportRequest } from '../../shared/contract/reports.ts';
import type { RouteFunctions } from '../../shared/contract/route.ts';
import { defined } from '../../shared/defined.ts';
import type { SealedDocument, Value } from '../../shared/report.ts';
import type { BareDetailId } from '../../shared/details.ts';
import type { SitesApi } from '../api.ts';
import { csvParts, renderedParts } from '../report/files.ts';
import { sealDocument } from '../report/seal.ts';
import { capabilityReport } from './capability/report.ts';
import { CAPABILITY_HEADS, capabilityRows } from './capability/rows.ts';
import type { DocumentContext } from './document.ts';
import { gather } from './gather.ts';
import type { GatherContext } from './gather.ts';
import { subjectsOf } from './subjects.ts';

export interface ReportsApi extends RouteFunctions<typeof reportsRoutes> {
  /** The same file for who writes it: its bytes as they are made. */
  file(request: ReportRequest): ReportFile;
}

export interface ReportFile {
  /** Without anything that a file system takes amiss. */
  readonly fileName: string;
  readonly parts: AsyncIterable<Uint8Array>;
  /** Of the document's content; absent for a table. */
  readonly sha256?: string;
}

export interface ReportsOptions extends GatherContext, DocumentContext {
  readonly sites: Pick<SitesApi, 'list'>;
  readonly resourcesDir: string;
}

/** Before they are made into files. */
interface Made {
  readonly name: string;
  readonly document: () => SealedDocument;
  readonly heads: readonly BareDetailId[];
  readonly rows: () => Iterable<readonly Value[]>;
}

/** Bytes of one part on its way to the page. */
const PART = 192 * 1024;

export function createReports(options: ReportsOptions): ReportsApi {
  const { readings } = options;

  function made(request: ReportRequest): Made {
    const subjects = subjectsOf(request.deviceIds, options);
    const [only, ...others] = subjects;
    return {
      name: ['capabilities', others.length === 0 ? only?.name : only?.site?.name].join(' '),
      document: () =>
        sealDocument(capabilityReport(subjects, { offline: request.offline === true }, options)),
      heads: CAPABILITY_HEADS,
      *rows() {
        for (const subject of subjects) yield* capabilityRows(subject);
      },
    };
  }

  function file(request: ReportRequest): ReportFile {
    const { format, language } = request;
    const report = made(request);
    const day = options.clock.now().toISOString().slice(0, 10);
    const fileName = `${safeName(report.name)} ${day}.${format}`;
    if (format === 'csv') return { fileName, parts: csvParts(report.heads, report.rows(), language) };
    const sealed = report.document();
    return {
      fileName,
      sha256: sealed.sha256,
      parts: renderedParts(sealed, format, language, options.resourcesDir),
    };
  }

  return {
    gather: ({ deviceIds }, signal) => gather(deviceIds, options, signal),
    readings: ({ deviceId }) => readings.list(deviceId),
    file,
    async *make(request, signal) {
      const { fileName, sha256, parts } = file(request);
      yield { type: 'file', fileName, ...defined({ sha256 }) };
      for await (const part of parts) {
        for (let at = 0; at < part.length; at += PART) {
          if (signal.aborted) return;
          yield { type: 'part', base64: Buffer.from(part.subarray(at, at + PART)).toString('base64') };
        }
      }
    },
  };
}

/** Names come from devices and people; a file system takes few of them as they are. */
function safeName(name: string): string {
  return name
    .replace(/[^\p{L}\p{N} ._-]+/gu, '_')
    .trim()
    .slice(0, 80);
}
