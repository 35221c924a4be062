/**
 * A document as PDF: outline, links, page numbers, tags for screen readers, an embedded font that has Chinese, and the
 * content inside as an attached file. Pages are handed on as they are finished; the library is loaded when it is needed.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { getSystemCode } from '../files/folders.ts';
import { endMark } from './end-mark.ts';
import { getReader } from './reader.ts';
import type { Language } from '#shared/details/languages.ts';
import { createDetail } from '#shared/details.ts';
import { layOut } from '#report-layout/lay-out.ts';
import type { Piece } from '#report-layout/pieces.ts';
import { Pieces } from './pdf-pieces.ts';
import { PAGE_SIZE, Sheet } from './pdf-sheet.ts';
import type { SealedDocument } from '#shared/report-document.ts';
import { toCanonicalJson } from './seal.ts';
import { hasMissingGlyphs, type EmbeddedFont } from './typesetter.ts';

/** The content as it is attached. */
const DATA_FILE = 'fieldwright-report.json';
const FONT = 'NotoSansSC_400Regular.ttf';
/** Latin, Greek and Cyrillic letters that the other one lacks. */
const LETTERS = 'NotoSans_400Regular.ttf';

/** Bytes that wait before they are handed on. */
const ENOUGH = 64 * 1024;

/** TrueType files: what everything is set in, and where letters come from that it lacks. */
export interface ReportFont {
  readonly main: Uint8Array;
  readonly letters: Uint8Array;
}

/** The fonts of PDFs as they ship with the app, or as they lie in the checkout. */
export async function readReportFont(resourcesDir: string): Promise<ReportFont> {
  const installed = join(resourcesDir, 'fonts', FONT);
  const inCheckout = join(
    resourcesDir,
    '..',
    'node_modules',
    '@expo-google-fonts',
    'noto-sans-sc',
    '400Regular',
    FONT,
  );
  const [main, letters] = await Promise.all([
    readFile(installed).catch((thrown: unknown) => {
      if (getSystemCode(thrown) !== 'ENOENT') throw thrown;
      return readFile(inCheckout);
    }),
    readFile(join(resourcesDir, 'fonts', LETTERS)),
  ]);
  return { main, letters };
}

/** The same bytes for the same document, language, fonts and version. */
export async function* renderPdf(
  sealed: SealedDocument,
  language: Language,
  font: ReportFont,
): AsyncGenerator<Uint8Array> {
  const { default: Document } = await import('pdfkit');
  const { document } = sealed;
  const reader = getReader(language);
  const title = reader.words(document.title);
  const pdf = new Document({
    autoFirstPage: false,
    size: [...PAGE_SIZE],
    margin: 0,
    font: '',
    pdfVersion: '1.7',
    lang: language,
    tagged: true,
    displayTitle: true,
    info: {
      Title: title,
      Author: document.by.map(({ name }) => reader.words(name)).join(', '),
      Creator: `${document.preparedWith.name} ${document.preparedWith.version}`,
      CreationDate: new Date(document.at),
    },
  });
  const json = toCanonicalJson(sealed);
  const fonts: [EmbeddedFont, ...EmbeddedFont[]] = [fontOf(pdf, font.main)];
  // Another one only where it is needed: each is some part of every file.
  if (hasMissingGlyphs(fonts, json)) fonts.push(fontOf(pdf, font.letters));
  const hasPicture = document.cover?.logo !== undefined;
  const digest = createHash('sha256');
  const taken = (): Uint8Array | undefined => {
    const bytes = pdf.read() as Uint8Array | null;
    if (bytes !== null) digest.update(bytes);
    return bytes ?? undefined;
  };
  const sheet = new Sheet(pdf, title, fonts);
  const pieces = new Pieces(sheet);
  const lacking = hasMissingGlyphs(fonts, json)
    ? reader.words(createDetail('report.letters-lacking', { escape: '\\u{…}' }))
    : undefined;
  for (const piece of withNotice(layOut(sealed, reader), lacking)) {
    for (const _step of pieces.add(piece)) {
      if (pdf.readableLength < ENOUGH) continue;
      const bytes = taken();
      if (bytes !== undefined) yield bytes;
      // Other work gets its turn.
      await setImmediate();
    }
  }
  pieces.end();
  sheet.end();
  pdf.file(Buffer.from(json), {
    name: DATA_FILE,
    type: 'application/json',
    description: reader.phrase('report.hash-meaning'),
    relationship: 'Source',
  } as PDFKit.Mixins.PDFAttachmentOptions);
  pdf.end();
  // A picture with transparent parts is taken apart in the background.
  for (;;) {
    for (let bytes = taken(); bytes !== undefined; bytes = taken()) yield bytes;
    if (pdf.readableEnded || !hasPicture) break;
    await new Promise<void>((resolve) => {
      pdf.once('readable', () => resolve());
      pdf.once('end', () => resolve());
    });
  }
  yield Buffer.from(endMark('pdf', digest.digest('hex')));
}

function fontOf(pdf: PDFKit.PDFDocument, file: Uint8Array): EmbeddedFont {
  pdf.font(Buffer.from(file.buffer, file.byteOffset, file.byteLength) as unknown as string);
  return (pdf as unknown as { readonly _font: EmbeddedFont })._font;
}

/** The notice stands below the head of the document, before what it is about. */
function* withNotice(pieces: Iterable<Piece>, text: string | undefined): Generator<Piece> {
  let waiting = text;
  for (const piece of pieces) {
    yield piece;
    if (waiting === undefined || piece.piece !== 'table') continue;
    yield { piece: 'text', tone: 'notice', text: waiting };
    waiting = undefined;
  }
}
