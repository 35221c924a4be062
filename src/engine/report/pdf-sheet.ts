/** The pages of a PDF while they are drawn: where the next of it goes, furniture, tags, and lines of text. */
import { COLOURS } from './html.ts';
import { Typesetter } from './typesetter.ts';
import type { EmbeddedFont } from './typesetter.ts';

const PAGE = { width: 595.28, height: 841.89 };
export const PAGE_SIZE = [PAGE.width, PAGE.height] as const;
export const MARGIN = 48;
export const WIDTH = PAGE.width - 2 * MARGIN;
export const BOTTOM = PAGE.height - MARGIN - 14;
export const LINE = 1.4;
export const SIZES = { 1: 20, 2: 14, 3: 11.5, text: 9.5, cell: 8.5, foot: 8 } as const;

export class Sheet {
  readonly pdf: PDFKit.PDFDocument;
  readonly type: Typesetter;
  readonly root: PDFKit.PDFStructureElement;
  /** Where the next of it goes, in points from the top of the page. */
  y = 0;
  readonly #font: EmbeddedFont;
  readonly #title: string;
  /** Drawn on every page, known at the end. */
  readonly #total: PDFKit.PDFKitReference;
  #count = 0;

  constructor(pdf: PDFKit.PDFDocument, title: string) {
    this.pdf = pdf;
    this.#font = (pdf as unknown as { readonly _font: EmbeddedFont })._font;
    this.type = new Typesetter(this.#font);
    [this.#title = ''] = this.type.lines(title, SIZES.foot, WIDTH - 80);
    this.root = pdf.struct('Document');
    pdf.addStructure(this.root);
    this.#total = pdf.ref({
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, -4, 60, 12],
      Resources: { Font: { [this.#font.id]: this.#font.ref() } },
    });
    this.newPage();
  }

  end(): void {
    const hex = this.type.hexOf(String(this.#count));
    this.#total.end(Buffer.from(`BT /${this.#font.id} ${SIZES.foot} Tf 0 0 Td <${hex}> Tj ET`));
    this.root.end();
  }

  newPage(): void {
    const pdf = this.pdf;
    pdf.addPage();
    const page = pdf.page as unknown as Readonly<Record<'fonts' | 'xobjects', Record<string, unknown>>>;
    page.fonts[this.#font.id] = this.#font.ref();
    page.xobjects['Total'] = this.#total;
    this.#count += 1;
    this.y = MARGIN;
    this.artifact(() => {
      const baseline = PAGE.height - MARGIN / 2;
      const number = `${this.#count} / `;
      const right = PAGE.width - MARGIN - 40;
      pdf.fillColor(COLOURS.off[0]);
      this.line(this.#title, MARGIN, baseline, SIZES.foot);
      this.line(number, right, baseline, SIZES.foot);
      pdf.save();
      pdf.transform(1, 0, 0, -1, right + this.type.widthOf(number, SIZES.foot), baseline);
      pdf.addContent('/Total Do');
      pdf.restore();
    });
  }

  /** A new page where less than `height` points are left. */
  room(height: number): void {
    if (this.y + height > BOTTOM) this.newPage();
  }

  /** Furniture, which a screen reader passes over. */
  artifact(draw: () => void): void {
    this.pdf.markContent('Artifact');
    draw();
    this.pdf.endMarkedContent();
  }

  /** One part of an element on this page. */
  tagged(element: PDFKit.PDFStructureElement, tag: string, draw: () => void): void {
    element.add(this.pdf.markStructureContent(tag));
    draw();
    this.pdf.endMarkedContent();
  }

  element(tag: string, parent = this.root, options: object = {}): PDFKit.PDFStructureElement {
    const element = this.pdf.struct(tag, options as PDFKit.Mixins.StructureElementOptions);
    parent.add(element);
    return element;
  }

  /** One line on its baseline, in the colour that fills. */
  line(text: string, x: number, baseline: number, size: number, isBold = false): void {
    // The font has one weight: a bold sign is drawn with its outline.
    const mode = isBold ? `${rounded(size / 40)} w 2 Tr` : '0 Tr';
    const place = `1 0 0 -1 ${rounded(x)} ${rounded(baseline)} Tm`;
    this.pdf.addContent(`BT ${mode} /${this.#font.id} ${size} Tf ${place} <${this.type.hexOf(text)}> Tj ET`);
  }
}

function rounded(points: number): number {
  return Math.round(points * 100) / 100;
}
