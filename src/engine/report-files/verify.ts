/**
 * Checks whether an exported document still equals what was exported. A file is untrusted: it is read within
 * bounds, and never shown.
 */
import { hash } from 'node:crypto';
import { createDetail, type Detail } from '#shared/details.ts';
import { DEFAULT_LIMITS } from '#protocol/index.ts';
import { isPlain } from '#protocol/value.ts';
import { endMark, splitAtMark } from './end-mark.ts';
import { DATA_CLOSES, DATA_OPENS, renderHtml } from './html.ts';
import { BASE, LANGUAGES } from '#shared/details/languages.ts';
import { REPORT_FORMAT, REPORT_LIMITS, reportSchemas, type SealedDocument } from '#shared/report-document.ts';
import { renderPdf, type ReportFont } from './pdf.ts';
import { findAttachment, isSamePdf, readPdf } from './read-pdf.ts';
import { findInvalidPath, hashOf, toCanonicalJson } from './seal.ts';
import { readJson } from '#shared/read-json.ts';

interface VerifyOptions {
  /**
   * Version of this app: a file made by the same version must equal, byte for byte, what it would make now.
   */
  readonly version?: string;
  /** The font of PDFs (`readReportFont`); without it their pages are not made anew to compare. */
  readonly font?: ReportFont;
  /** Hashes of the records that are kept here, by id. */
  readonly kept?: ReadonlyMap<string, string>;
}

export interface Verdict {
  /**
   * `content-intact`: only the data inside is proved; it was not compared with what the file shows.
   * `foreign`: no document of ours, or nothing marks it as one any more.
   */
  readonly state: 'intact' | 'content-intact' | 'changed' | 'chain-broken' | 'foreign';
  readonly form?: 'json' | 'html' | 'pdf';
  /**
   * Contents of the file, if they could be read and fit their hash; only this is proved, whatever the file
   * shows.
   */
  readonly sealed?: SealedDocument;
  /** Findings and what they mean: to be shown whole. */
  readonly findings: readonly Detail[];
}

/** Looks into an exported JSON, HTML or PDF. Never throws for what the file holds. */
export async function verifyFile(bytes: Uint8Array, options: VerifyOptions = {}): Promise<Verdict> {
  if (bytes.length > REPORT_LIMITS.fileBytes) return foreign(createDetail('report.verify.too-large'));
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  if (start.startsWith('%PDF-')) return verifyPdf(bytes, options);
  const text = textOf(bytes);
  if (text === undefined) return foreign();
  return start.startsWith('<') ? verifyHtml(bytes, text, options) : verifyJson(text, options);
}

function verifyJson(text: string, options: VerifyOptions): Verdict {
  const sealed = readSealed(text, 'json');
  if ('state' in sealed) return sealed;
  const isWhole = text.replace(/\n$/, '') === toCanonicalJson(sealed);
  return isWhole
    ? proved(sealed, 'json', createDetail('report.verify.visible'), options)
    : changed('json', createDetail('report.verify.bytes-changed'), sealed);
}

function verifyHtml(bytes: Uint8Array, text: string, options: VerifyOptions): Verdict {
  const from = text.indexOf(DATA_OPENS);
  const until = text.indexOf(DATA_CLOSES, from);
  if (from < 0 || until < 0) return foreign();
  const sealed = readSealed(text.slice(from + DATA_OPENS.length, until), 'html');
  if ('state' in sealed) return sealed;
  const language = LANGUAGES.find((one) => text.startsWith(`<!doctype html>\n<html lang="${one}">`));
  const made = renderHtml(sealed, language ?? 'en');
  if (made === text) return proved(sealed, 'html', createDetail('report.verify.visible'), options);
  if (isMarked('html', bytes) && isOtherVersion(sealed, options))
    return proved(sealed, 'html', otherVersion(sealed), options);
  return changed(
    'html',
    createDetail('report.verify.visible-changed', { line: firstOtherLine(text, made) }),
    sealed,
  );
}

async function verifyPdf(bytes: Uint8Array, options: VerifyOptions): Promise<Verdict> {
  const [before, mark] = splitAtMark('pdf', bytes);
  const parts = readPdf(before);
  const json = textOf((parts && findAttachment(parts)) ?? new Uint8Array());
  if (parts === undefined || json === undefined || json === '')
    return mark.includes(endMark('pdf', '').trim())
      ? changed('pdf', createDetail('report.verify.content-invalid', { path: 'PDF' }))
      : foreign();
  const sealed = readSealed(json, 'pdf');
  if ('state' in sealed) return sealed;
  if (!isMarked('pdf', bytes)) return changed('pdf', createDetail('report.verify.bytes-changed'), sealed);
  if (options.font === undefined) return proved(sealed, 'pdf', createDetail('report.verify.bytes'), options);
  if (await isAsMade(parts, sealed, options.font))
    return proved(sealed, 'pdf', createDetail('report.verify.visible'), options);
  if (isOtherVersion(sealed, options)) return proved(sealed, 'pdf', otherVersion(sealed), options);
  return changed('pdf', createDetail('report.verify.pages-changed'), sealed);
}

async function isAsMade(
  parts: NonNullable<ReturnType<typeof readPdf>>,
  sealed: SealedDocument,
  font: ReportFont,
): Promise<boolean> {
  const language = parts.objects
    .map(({ head }) => /\/Lang \(([\w-]{2,8})\)/.exec(head)?.[1])
    .find((one) => one !== undefined);
  const known = LANGUAGES.find((one) => one === language) ?? BASE;
  const chunks: Uint8Array[] = [];
  for await (const chunk of renderPdf(sealed, known, font)) chunks.push(chunk);
  const made = readPdf(splitAtMark('pdf', Buffer.concat(chunks))[0]);
  return made !== undefined && isSamePdf(parts, made);
}

/** Far more than the largest document has: lists in lists, or millions of nothing, would take gigabytes. */
const LIMITS = { ...DEFAULT_LIMITS, bytes: REPORT_LIMITS.fileBytes, nodes: 4_000_000 };

function readSealed(json: string, form: NonNullable<Verdict['form']>): Verdict | SealedDocument {
  let content: unknown;
  try {
    content = readJson(json, LIMITS);
  } catch {
    return form === 'json' && !json.includes(`"format":"${REPORT_FORMAT}"`)
      ? foreign()
      : changed(form, createDetail('report.verify.content-invalid', { path: 'JSON' }));
  }
  const document = isPlain(content) ? content['document'] : undefined;
  const format = isPlain(document) ? document['format'] : undefined;
  if (typeof format !== 'string' || !/^fieldwright-report\/\d{1,9}$/.test(format)) return foreign();
  if (format !== REPORT_FORMAT)
    return foreign(createDetail('report.verify.newer', { format, known: REPORT_FORMAT }));
  const read = reportSchemas().sealedDocument.safeParse(content);
  if (!read.success)
    return changed(
      form,
      createDetail('report.verify.content-invalid', { path: findInvalidPath(read.error) }),
    );
  const computed = hashOf(read.data);
  return computed === read.data.sha256
    ? read.data
    : changed(form, createDetail('report.verify.content-changed', { stated: read.data.sha256, computed }));
}

/**
 * Compares contents that fit their hash with the records kept here. `shows`: what is known of what the file
 * shows.
 */
function proved(
  sealed: SealedDocument,
  form: NonNullable<Verdict['form']>,
  shows: Detail,
  { kept }: VerifyOptions,
): Verdict {
  const { document, previous, sha256 } = sealed;
  const own = kept?.get(document.id);
  if (own !== undefined && own !== sha256)
    return changed(form, createDetail('report.verify.kept-differs', { id: document.id, hash: own }), sealed);
  const before = previous && kept?.get(previous.id);
  if (previous !== undefined && before !== undefined && before !== previous.sha256) {
    const broken = createDetail('report.verify.chain-broken', { id: previous.id });
    return { state: 'chain-broken', form, sealed, findings: [broken, shows] };
  }
  return {
    state: shows.id === 'report.verify.visible' ? 'intact' : 'content-intact',
    form,
    sealed,
    findings: [
      createDetail('report.verify.intact', { hash: sha256 }),
      shows,
      ...(previous !== undefined && before === undefined
        ? [createDetail('report.verify.chain-unchecked', { id: previous.id })]
        : []),
      createDetail(own === undefined ? 'report.verify.no-signature' : 'report.verify.known'),
    ],
  };
}

function changed(form: NonNullable<Verdict['form']>, why: Detail, sealed?: SealedDocument): Verdict {
  return { state: 'changed', form, findings: [why], ...(sealed && { sealed }) };
}

function foreign(why: Detail = createDetail('report.verify.foreign')): Verdict {
  return { state: 'foreign', findings: [why] };
}

function isMarked(form: 'html' | 'pdf', bytes: Uint8Array): boolean {
  const [before, mark] = splitAtMark(form, bytes);
  return mark === endMark(form, hash('sha256', before, 'hex'));
}

function isOtherVersion({ document }: SealedDocument, { version }: VerifyOptions): boolean {
  return version !== undefined && version !== document.preparedWith.version;
}

function otherVersion({ document }: SealedDocument): Detail {
  return createDetail('report.verify.other-version', { version: document.preparedWith.version });
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function firstOtherLine(text: string, made: string): number {
  const lines = made.split('\n');
  return text.split('\n').findIndex((line, at) => line !== lines[at]) + 1 || lines.length;
}
