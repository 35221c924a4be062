/** The pieces of a document drawn on the pages of a PDF. */
import type { Figure, Mark } from '#report-layout/figure.ts';
import type { Grid, Piece } from '#report-layout/pieces.ts';
import type { Tone } from '#shared/report-document.ts';
import { COLOURS } from './html.ts';
import { BOTTOM, LINE, MARGIN, SIZES, WIDTH, type Sheet } from './pdf-sheet.ts';
import { drawContents } from './pdf-contents.ts';
import { measureTableStart, Tables } from './pdf-table.ts';

type Heading = Extract<Piece, { piece: 'heading' }>;
type Text = Extract<Piece, { piece: 'text' }>;

const TONES = { plain: 'plain', notice: 'one', good: 'good', warning: 'warning', danger: 'bad' } as const;
const GAP = 8;
/** Lines of a text below a heading that stay with what it introduces. */
const SHORT_TEXT = 4;

export class Pieces {
  readonly #sheet: Sheet;
  readonly #tables: Tables;
  readonly #outlines: PDFKit.PDFOutline[];
  /**
   * Headings that are drawn with what follows, also with a sentence below them: none remains alone at the
   * foot of a page.
   */
  #headings: (Heading | Text)[] = [];

  constructor(sheet: Sheet) {
    this.#sheet = sheet;
    this.#tables = new Tables(sheet);
    this.#outlines = [sheet.pdf.outline as unknown as PDFKit.PDFOutline];
  }

  /** Steps between which what was drawn may be handed on. */
  *add(piece: Piece): Generator<undefined> {
    if (piece.piece === 'heading') {
      if (piece.isPage === true) {
        this.#drawHeadings(0);
        if (this.#sheet.y > MARGIN) this.#sheet.newPage();
      }
      this.#headings.push(piece);
      return;
    }
    const above = this.#headings.at(-1);
    if (piece.piece === 'text' && above?.piece === 'heading' && this.#linesOf(piece).length <= SHORT_TEXT) {
      this.#headings.push(piece);
      return;
    }
    this.#drawHeadings(this.#leastOf(piece));
    switch (piece.piece) {
      case 'picture':
        this.#picture(piece);
        break;
      case 'contents':
        drawContents(this.#sheet, piece, () => {
          if (piece.title !== undefined) this.#caption(piece.title, 3 * SIZES.text * LINE);
        });
        break;
      case 'text':
        this.#text(piece);
        break;
      case 'figure':
        this.#figure(piece);
        break;
      case 'table':
        yield* this.#table(piece);
    }
    yield;
  }

  /** Headings with nothing below them. */
  end(): void {
    this.#drawHeadings(0);
  }

  /** Points that the first of it needs. */
  #leastOf(piece: Exclude<Piece, Heading>): number {
    const line = SIZES.text * LINE;
    switch (piece.piece) {
      case 'picture':
        return pictureScale(piece) * piece.height;
      case 'figure':
        return (
          (piece.isPlain === true ? GAP : this.#captionHeight(piece.title)) +
          figureScale(piece.figure) * piece.figure.height
        );
      case 'table':
        return (
          (piece.title === undefined ? GAP : this.#captionHeight(piece.title)) + measureTableStart(piece)
        );
      default:
        return 3 * line;
    }
  }

  #drawHeadings(least: number): void {
    const headings = this.#headings;
    if (headings.length === 0) return;
    this.#headings = [];
    const height = headings.reduce((sum, each) => sum + this.#heightOf(each), 0);
    this.#sheet.room(Math.min(height + least, BOTTOM - MARGIN));
    for (const each of headings) {
      if (each.piece === 'text') this.#text(each);
      else this.#heading(each.level, each.text, each.id);
    }
  }

  #heightOf(piece: Heading | Text): number {
    return piece.piece === 'heading'
      ? this.#headingHeight(piece.level, piece.text)
      : this.#linesOf(piece).length * SIZES.text * LINE + GAP;
  }

  #headingHeight(level: Heading['level'], text: string): number {
    const size = SIZES[level];
    return this.#sheet.type.lines(text, size, WIDTH).length * size * LINE + 1.4 * size;
  }

  #heading(level: Heading['level'], text: string, id: string | undefined): void {
    const sheet = this.#sheet;
    const size = SIZES[level];
    const lines = sheet.type.lines(text, size, WIDTH);
    sheet.y += sheet.y > MARGIN ? size : 0;
    // The room is checked because very many may follow in a row.
    sheet.room(lines.length * size * LINE);
    if (id !== undefined) {
      sheet.pdf.addNamedDestination(id, 'XYZ', 0, sheet.y, 0);
      sheet.mark(id);
    }
    const item = this.#outlines[level - 1]?.addItem(lines.join(' '), { expanded: level === 1 });
    this.#outlines.length = level;
    if (item !== undefined) this.#outlines[level] = item;
    const element = sheet.element(`H${level}`);
    sheet.tagged(element, `H${level}`, () => {
      sheet.pdf
        .fillColor(COLOURS.plain[0])
        .strokeColor(COLOURS.plain[0])
        .lineWidth(size / 40);
      for (const line of lines) sheet.line(line, MARGIN, (sheet.y += size * LINE) - size * 0.3, size, true);
    });
    element.end();
    sheet.y += size * 0.4;
  }

  #linesOf({ text, tone }: Text): readonly string[] {
    return this.#sheet.type.lines(text, SIZES.text, WIDTH - indentOf(tone));
  }

  #text(piece: Text): void {
    const sheet = this.#sheet;
    const { tone } = piece;
    const size = SIZES.text;
    const indent = indentOf(tone);
    const colour = COLOURS[TONES[tone]][0];
    const element = sheet.element('P');
    sheet.y += 4;
    for (const line of this.#linesOf(piece)) {
      sheet.room(size * LINE);
      if (indent > 0) sheet.artifact(() => sheet.pdf.rect(MARGIN, sheet.y, 3, size * LINE).fill(colour));
      sheet.tagged(element, 'P', () => {
        sheet.pdf.fillColor(COLOURS.plain[0]);
        sheet.line(line, MARGIN + indent, sheet.y + size, size);
      });
      sheet.y += size * LINE;
    }
    element.end();
    sheet.y += 4;
  }

  #captionHeight(text: string): number {
    return GAP + this.#sheet.type.lines(text, SIZES.text, WIDTH).length * SIZES.text * LINE + 2;
  }

  /** Draws a caption on the page of what it names, which needs `least` points more. */
  #caption(text: string, least: number): void {
    const sheet = this.#sheet;
    const size = SIZES.text;
    const element = sheet.element('Caption');
    sheet.room(Math.min(this.#captionHeight(text) + least, BOTTOM - MARGIN));
    sheet.y += GAP;
    for (const line of sheet.type.lines(text, size, WIDTH)) {
      sheet.room(size * LINE);
      sheet.tagged(element, 'Caption', () => {
        sheet.pdf
          .fillColor(COLOURS.plain[0])
          .strokeColor(COLOURS.plain[0])
          .lineWidth(size / 40);
        sheet.line(line, MARGIN, sheet.y + size, size, true);
      });
      sheet.y += size * LINE;
    }
    element.end();
    sheet.y += 2;
  }

  *#table({ title, ...grid }: Grid): Generator<undefined> {
    if (title === undefined) this.#sheet.y += 6;
    else this.#caption(title, measureTableStart(grid));
    yield* this.#tables.draw(grid);
  }

  #picture(picture: Extract<Piece, { piece: 'picture' }>): void {
    const sheet = this.#sheet;
    const scale = pictureScale(picture);
    const [width, height] = [picture.width * scale, picture.height * scale];
    const element = sheet.element('Figure', sheet.root, { alt: picture.text });
    sheet.tagged(element, 'Figure', () => {
      sheet.pdf.image(Buffer.from(picture.base64, 'base64'), MARGIN, sheet.y, { width, height });
    });
    element.end();
    sheet.y += height + GAP;
  }

  #figure({ title, figure, isPlain }: Extract<Piece, { piece: 'figure' }>): void {
    const sheet = this.#sheet;
    const scale = figureScale(figure);
    const height = figure.height * scale;
    if (isPlain === true) sheet.room(height);
    else this.#caption(title, height);
    const element = sheet.element('Figure', sheet.root, { alt: title });
    sheet.tagged(element, 'Figure', () => {
      sheet.pdf.save().translate(MARGIN, sheet.y).scale(scale);
      for (const mark of figure.marks) drawMark(sheet, mark);
      sheet.pdf.restore();
    });
    element.end();
    sheet.y += height + GAP;
  }
}

function indentOf(tone: Tone): number {
  return tone === 'plain' ? 0 : 10;
}

function pictureScale({ width, height }: { readonly width: number; readonly height: number }): number {
  return Math.min(WIDTH / 2 / width, 90 / height, 1);
}

function figureScale({ width, height }: Figure): number {
  return Math.min(WIDTH / width, 330 / height, 1);
}

/** One mark of a drawing or plot. */
function drawMark(sheet: Sheet, mark: Mark): void {
  const { pdf } = sheet;
  if (mark.mark === 'code') {
    pdf.rect(mark.x, mark.y, mark.size, mark.size).fill('#ffffff');
    pdf.path(mark.path).fill('#000000');
    return;
  }
  const colour = COLOURS[mark.ink][0];
  if (mark.mark === 'text') {
    const text = sheet.type.printable(mark.text.replaceAll('\n', ' '));
    const width = sheet.type.widthOf(text, mark.size);
    pdf.fillColor(colour);
    sheet.line(
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
  if (mark.filled === true) pdf.fillOpacity(0.3).fillAndStroke(colour, colour);
  else pdf.stroke();
  pdf.restore();
}
