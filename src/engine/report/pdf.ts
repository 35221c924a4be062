/**
 * A document as PDF: outline, links, page numbers, tags for screen readers, an embedded font that has Chinese, and the
 * content inside as an attached file. Pages are handed on as they are finished; the library is loaded when it is needed.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { endMark } from './end-mark.ts';
import { COLOURS } from './html.ts';
import type { Figure, Mark } from '../../documents/figure.ts';
import { readerFor } from './reader.ts';
import type { ReportLanguage, Shown } from '../../documents/reader.ts';
import { layOut } from '../../documents/lay-out.ts';
import type { Grid, Piece } from '../../documents/lay-out.ts';
import type { SealedDocument, Tone } from '../../shared/report.ts';
import { toCanonicalJson } from './seal.ts';
import { Typesetter } from './typesetter.ts';
import type { EmbeddedFont } from './typesetter.ts';

/** The content as it is attached. */
export const DATA_FILE = 'fieldwright-report.json';
const FONT = 'NotoSansSC_400Regular.ttf';

const PAGE = { width: 595.28, height: 841.89 };
const MARGIN = 48;
const WIDTH = PAGE.width - 2 * MARGIN;
const BOTTOM = PAGE.height - MARGIN - 14;
const LINE = 1.4;
const SIZES = { 1: 20, 2: 14, 3: 11.5, text: 9.5, cell: 8.5, foot: 8 } as const;
const PAD = 3;
/** Height of a cell that is filled in by hand. */
const TALL = 40;
/** Points at the foot of a page that stay empty rather than tear a row apart. */
const MOST_EMPTY = 200;
/** Cells beyond these are tagged by the row: every tag is kept until the end of the file. */
const MOST_TAGGED_CELLS = 20_000;
/** Bytes that wait before they are handed on. */
const ENOUGH = 64 * 1024;

/** The fonts of PDFs as they ship with the app, or as they lie in the checkout. */
export async function readReportFont(resourcesDir: string): Promise<Uint8Array> {
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
  return readFile(installed).catch(() => readFile(inCheckout));
}

/** `font`: a TrueType font (`readReportFont`). The same bytes for the same document, language, font and version. */
export async function* renderPdf(
  sealed: SealedDocument,
  language: ReportLanguage,
  font: Uint8Array,
): AsyncGenerator<Uint8Array> {
  const { default: Document } = await import('pdfkit');
  const { document } = sealed;
  const reader = readerFor(language);
  const title = reader.words(document.title);
  const pdf = new Document({
    autoFirstPage: false,
    size: [PAGE.width, PAGE.height],
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
  pdf.font(Buffer.from(font.buffer, font.byteOffset, font.byteLength) as unknown as string);
  const hasPicture = document.cover?.logo !== undefined;
  const digest = createHash('sha256');
  const taken = (): Uint8Array | undefined => {
    const bytes = pdf.read() as Uint8Array | null;
    if (bytes !== null) digest.update(bytes);
    return bytes ?? undefined;
  };
  const pages = new Pages(pdf, title);
  for (const piece of layOut(sealed, reader)) {
    for (const _step of pages.add(piece)) {
      if (pdf.readableLength < ENOUGH) continue;
      const bytes = taken();
      if (bytes !== undefined) yield bytes;
      // Other work gets its turn.
      await setImmediate();
    }
  }
  pages.end();
  pdf.file(Buffer.from(toCanonicalJson(sealed)), {
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

/** What is drawn, and where on the page the next of it goes. */
class Pages {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #font: EmbeddedFont;
  readonly #type: Typesetter;
  readonly #title: string;
  readonly #root: PDFKit.PDFStructureElement;
  /** Drawn on every page, known at the end. */
  readonly #total: PDFKit.PDFKitReference;
  readonly #outlines: PDFKit.PDFOutline[];
  #count = 0;
  #cells = 0;
  #y = 0;

  constructor(pdf: PDFKit.PDFDocument, title: string) {
    this.#pdf = pdf;
    this.#font = (pdf as unknown as { readonly _font: EmbeddedFont })._font;
    this.#type = new Typesetter(this.#font);
    [this.#title = ''] = this.#type.lines(title, SIZES.foot, WIDTH - 80);
    this.#root = pdf.struct('Document');
    pdf.addStructure(this.#root);
    this.#outlines = [pdf.outline as unknown as PDFKit.PDFOutline];
    this.#total = pdf.ref({
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, -4, 60, 12],
      Resources: { Font: { [this.#font.id]: this.#font.ref() } },
    });
    this.#newPage();
  }

  /** Steps between which what was drawn may be handed on. */
  *add(piece: Piece): Generator<undefined> {
    switch (piece.piece) {
      case 'heading':
        if (piece.isPage === true && this.#y > MARGIN) this.#newPage();
        this.#heading(piece.level, piece.text, piece.id);
        break;
      case 'picture':
        this.#picture(piece);
        break;
      case 'contents':
        this.#contents(piece.entries);
        break;
      case 'text':
        this.#text(piece.text, piece.tone);
        break;
      case 'figure':
        this.#figure(piece.title, piece.figure);
        break;
      case 'table':
        yield* this.#table(piece);
    }
    yield;
  }

  end(): void {
    const hex = this.#type.hexOf(String(this.#count));
    this.#total.end(Buffer.from(`BT /${this.#font.id} ${SIZES.foot} Tf 0 0 Td <${hex}> Tj ET`));
    this.#root.end();
  }

  #newPage(): void {
    const pdf = this.#pdf;
    pdf.addPage();
    const page = pdf.page as unknown as Readonly<Record<'fonts' | 'xobjects', Record<string, unknown>>>;
    page.fonts[this.#font.id] = this.#font.ref();
    page.xobjects['Total'] = this.#total;
    this.#count += 1;
    this.#y = MARGIN;
    this.#artifact(() => {
      const baseline = PAGE.height - MARGIN / 2;
      const number = `${this.#count} / `;
      const right = PAGE.width - MARGIN - 40;
      pdf.fillColor(COLOURS.off[0]);
      this.#line(this.#title, MARGIN, baseline, SIZES.foot);
      this.#line(number, right, baseline, SIZES.foot);
      pdf.save();
      pdf.transform(1, 0, 0, -1, right + this.#type.widthOf(number, SIZES.foot), baseline);
      pdf.addContent('/Total Do');
      pdf.restore();
    });
  }

  /** A new page where less than `height` points are left. */
  #room(height: number): void {
    if (this.#y + height > BOTTOM) this.#newPage();
  }

  /** Furniture, which a screen reader passes over. */
  #artifact(draw: () => void): void {
    this.#pdf.markContent('Artifact');
    draw();
    this.#pdf.endMarkedContent();
  }

  /** One part of an element on this page. */
  #tagged(element: PDFKit.PDFStructureElement, tag: string, draw: () => void): void {
    element.add(this.#pdf.markStructureContent(tag));
    draw();
    this.#pdf.endMarkedContent();
  }

  #element(tag: string, parent = this.#root, options: object = {}): PDFKit.PDFStructureElement {
    const element = this.#pdf.struct(tag, options as PDFKit.Mixins.StructureElementOptions);
    parent.add(element);
    return element;
  }

  /** One line on its baseline, in the colour that fills. */
  #line(text: string, x: number, baseline: number, size: number, isBold = false): void {
    // The font has one weight: a bold sign is drawn with its outline.
    const mode = isBold ? `${rounded(size / 40)} w 2 Tr` : '0 Tr';
    const place = `1 0 0 -1 ${rounded(x)} ${rounded(baseline)} Tm`;
    this.#pdf.addContent(
      `BT ${mode} /${this.#font.id} ${size} Tf ${place} <${this.#type.hexOf(text)}> Tj ET`,
    );
  }

  #heading(level: 1 | 2 | 3, text: string, id: string | undefined): void {
    const size = SIZES[level];
    const lines = this.#type.lines(text, size, WIDTH);
    this.#y += this.#y > MARGIN ? size : 0;
    // Not alone at the foot of a page.
    this.#room(lines.length * size * LINE + 60);
    if (id !== undefined) this.#pdf.addNamedDestination(id, 'XYZ', 0, this.#y, 0);
    const item = this.#outlines[level - 1]?.addItem(lines.join(' '), { expanded: level === 1 });
    this.#outlines.length = level;
    if (item !== undefined) this.#outlines[level] = item;
    const element = this.#element(`H${level}`);
    this.#tagged(element, `H${level}`, () => {
      this.#pdf
        .fillColor(COLOURS.plain[0])
        .strokeColor(COLOURS.plain[0])
        .lineWidth(size / 40);
      for (const line of lines) this.#line(line, MARGIN, (this.#y += size * LINE) - size * 0.3, size, true);
    });
    element.end();
    this.#y += size * 0.4;
  }

  #contents(entries: Extract<Piece, { piece: 'contents' }>['entries']): void {
    const size = SIZES.text;
    const list = this.#element('TOC');
    for (const { id, text } of entries) {
      const item = this.#element('TOCI', list);
      for (const line of this.#type.lines(text, size, WIDTH)) {
        this.#room(size * LINE);
        this.#tagged(item, 'TOCI', () => {
          this.#pdf.fillColor(COLOURS.one[0]);
          this.#line(line, MARGIN, this.#y + size, size);
        });
        this.#pdf.goTo(MARGIN, this.#y, this.#type.widthOf(line, size), size * LINE, id);
        this.#y += size * LINE;
      }
      item.end();
    }
    list.end();
  }

  #text(text: string, tone: Tone): void {
    const size = SIZES.text;
    const indent = tone === 'plain' ? 0 : 10;
    const colour = COLOURS[TONES[tone]][0];
    const element = this.#element('P');
    this.#y += 4;
    for (const line of this.#type.lines(text, size, WIDTH - indent)) {
      this.#room(size * LINE);
      if (indent > 0) this.#artifact(() => this.#pdf.rect(MARGIN, this.#y, 3, size * LINE).fill(colour));
      this.#tagged(element, 'P', () => {
        this.#pdf.fillColor(COLOURS.plain[0]);
        this.#line(line, MARGIN + indent, this.#y + size, size);
      });
      this.#y += size * LINE;
    }
    element.end();
    this.#y += 4;
  }

  #caption(text: string): void {
    const size = SIZES.text;
    const element = this.#element('Caption');
    this.#y += 8;
    for (const line of this.#type.lines(text, size, WIDTH)) {
      this.#room(size * LINE + 40);
      this.#tagged(element, 'Caption', () => {
        this.#pdf.fillColor(COLOURS.plain[0]).strokeColor(COLOURS.plain[0]);
        this.#line(line, MARGIN, this.#y + size, size, true);
      });
      this.#y += size * LINE;
    }
    element.end();
    this.#y += 2;
  }

  *#table({ title, columns, rows, isTall }: Grid): Generator<undefined> {
    if (title !== undefined) this.#caption(title);
    else this.#y += 6;
    const whole = columns.reduce((sum, { weight }) => sum + weight, 0);
    let x = MARGIN;
    const cells = columns.map(({ weight, align }): CellPlace => {
      const place = { x, width: (WIDTH * weight) / whole, align };
      x += place.width;
      return place;
    });
    const table = this.#element('Table');
    const head = columns.map(({ label }) => ({ text: label }));
    const again = (): void => this.#row(head, cells, { isHead: true });
    this.#row(head, cells, { isHead: true, table });
    for (const row of rows) {
      this.#row(row, cells, { table, again, least: isTall === true ? TALL : 0 });
      yield;
    }
    table.end();
    this.#y += 6;
  }

  /** A row, in as many pieces as pages need; the head stands again at the top of each. */
  #row(
    row: readonly Shown[],
    cells: readonly CellPlace[],
    { table, isHead = false, again, least = 0 }: RowOptions,
  ): void {
    const size = SIZES.cell;
    const step = size * LINE;
    const lines = cells.map(({ width }, at) => this.#type.lines(row[at]?.text ?? '', size, width - 2 * PAD));
    const count = Math.max(1, ...lines.map(({ length }) => length));
    // A row is torn apart only where much of a page would stay empty, and a head does not stand alone.
    const whole = Math.max(least, count * step + 2 * PAD) + (isHead ? 2 * step : 0);
    if (table !== undefined && this.#y + Math.min(whole, MOST_EMPTY) > BOTTOM) {
      this.#newPage();
      again?.();
    }
    const tag = isHead ? 'TH' : 'TD';
    const line = table === undefined ? undefined : this.#element('TR', table);
    this.#cells += line === undefined ? 0 : cells.length;
    const isFine = this.#cells <= MOST_TAGGED_CELLS;
    const elements =
      line === undefined
        ? []
        : (isFine ? cells : cells.slice(0, 1)).map(() =>
            this.#element(tag, line, isHead ? { scope: 'Column' } : {}),
          );
    for (let from = 0; from < count;) {
      const fitting = Math.max(1, Math.floor((BOTTOM - this.#y - 2 * PAD) / step));
      const until = Math.min(count, from + fitting);
      const height = Math.max(least, (until - from) * step + 2 * PAD);
      this.#artifact(() => {
        if (isHead) this.#pdf.rect(MARGIN, this.#y, WIDTH, height).fill('#f3f5f8');
        this.#pdf.lineWidth(0.5).strokeColor(COLOURS.grid[0]);
        for (const { x, width } of cells) this.#pdf.rect(x, this.#y, width, height);
        this.#pdf.stroke().fillColor(COLOURS.plain[0]);
      });
      const draw = (at: number): void => {
        const { x, width, align } = cells[at] as CellPlace;
        lines[at]?.slice(from, until).forEach((text, nth) => {
          const left = align === 'end' ? x + width - PAD - this.#type.widthOf(text, size) : x + PAD;
          if (text !== '') this.#line(text, left, this.#y + PAD + size + nth * step, size);
        });
      };
      if (line === undefined) this.#artifact(() => cells.forEach((_cell, at) => draw(at)));
      else if (isFine) elements.forEach((element, at) => this.#tagged(element, tag, () => draw(at)));
      else
        this.#tagged(elements[0] as PDFKit.PDFStructureElement, tag, () =>
          cells.forEach((_cell, at) => draw(at)),
        );
      this.#y += height;
      from = until;
      if (from < count) {
        this.#newPage();
        again?.();
      }
    }
    for (const element of elements) element.end();
    line?.end();
  }

  #picture({ base64, width, height, text }: Extract<Piece, { piece: 'picture' }>): void {
    const scale = Math.min(WIDTH / 2 / width, 90 / height, 1);
    const element = this.#element('Figure', this.#root, { alt: text });
    this.#tagged(element, 'Figure', () => {
      this.#pdf.image(Buffer.from(base64, 'base64'), MARGIN, this.#y, {
        width: width * scale,
        height: height * scale,
      });
    });
    element.end();
    this.#y += height * scale + 8;
  }

  #figure(title: string, { width, height, marks }: Figure): void {
    const scale = Math.min(WIDTH / width, 330 / height, 1);
    this.#room(height * scale + 60);
    this.#caption(title);
    const element = this.#element('Figure', this.#root, { alt: title });
    this.#tagged(element, 'Figure', () => {
      this.#pdf.save().translate(MARGIN, this.#y).scale(scale);
      for (const mark of marks) this.#mark(mark);
      this.#pdf.restore();
    });
    element.end();
    this.#y += height * scale + 8;
  }

  #mark(mark: Mark): void {
    const pdf = this.#pdf;
    const colour = COLOURS[mark.ink][0];
    if (mark.mark === 'text') {
      const text = this.#type.printable(mark.text.replaceAll('\n', ' '));
      const width = this.#type.widthOf(text, mark.size);
      pdf.fillColor(colour);
      this.#line(
        text,
        mark.x - (mark.anchor === 'end' ? width : mark.anchor === 'middle' ? width / 2 : 0),
        mark.y,
        mark.size,
      );
      return;
    }
    pdf.save().lineWidth(1.2).strokeColor(colour);
    if (mark.dash !== undefined) pdf.dash(mark.dash[0], { space: mark.dash[1] });
    if (mark.mark === 'rect') pdf.rect(mark.x, mark.y, mark.width, mark.height);
    else if (mark.mark === 'circle') pdf.circle(mark.x, mark.y, mark.r);
    else {
      const [[x, y] = [0, 0], ...rest] = mark.points;
      pdf.moveTo(x, y);
      for (const [nextX, nextY] of rest) pdf.lineTo(nextX, nextY);
      if (mark.closed === true) pdf.closePath();
    }
    if (mark.solid === true) pdf.fill('#000000');
    else if (mark.paper === true) pdf.fill('#ffffff');
    else if (mark.filled === true) pdf.fillOpacity(0.3).fillAndStroke(colour, colour);
    else pdf.stroke();
    pdf.restore();
  }
}

function rounded(points: number): number {
  return Math.round(points * 100) / 100;
}

interface CellPlace {
  readonly x: number;
  readonly width: number;
  readonly align: 'start' | 'end';
}
interface RowOptions {
  /** Absent for a head that stands again: furniture. */
  readonly table?: PDFKit.PDFStructureElement;
  readonly isHead?: boolean;
  readonly again?: () => void;
  /** Least height. */
  readonly least?: number;
}

const TONES = { plain: 'plain', notice: 'one', good: 'good', warning: 'warning', danger: 'bad' } as const;
