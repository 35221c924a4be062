/** The pages of a PDF while they are drawn: where the next of it goes, furniture, tags, and lines of text. */
import { COLOURS } from './html.ts';
import { Typesetter, type EmbeddedFont } from './typesetter.ts';

const PAGE = { width: 595.28, height: 841.89 };
export const PAGE_SIZE = [PAGE.width, PAGE.height] as const;
export const MARGIN = 48;
export const WIDTH = PAGE.width - 2 * MARGIN;
export const BOTTOM = PAGE.height - MARGIN - 14;
export const LINE = 1.4;
export const SIZES = { 1: 20, 2: 14, 3: 11.5, text: 9.5, cell: 8.5, foot: 8 } as const;

/** Width of a number that is drawn at the end. */
const FORM = 60;

export class Sheet {
  readonly pdf: PDFKit.PDFDocument;
  readonly type: Typesetter;
  readonly root: PDFKit.PDFStructureElement;
  /** Position of the next content, in points from the top of the page. */
  y = 0;
  readonly #fonts: readonly [EmbeddedFont, ...EmbeddedFont[]];
  readonly #title: string;
  /** Drawn on every page, known at the end. */
  readonly #total: PDFKit.PDFKitReference;
  #count = 0;
  /** Numbers of pages that are not drawn yet, by the id that they point to. */
  readonly #ahead = new Map<string, PDFKit.PDFKitReference[]>();
  readonly #places = new Map<string, number>();

  constructor(pdf: PDFKit.PDFDocument, title: string, fonts: readonly [EmbeddedFont, ...EmbeddedFont[]]) {
    this.pdf = pdf;
    this.#fonts = fonts;
    this.type = new Typesetter(fonts);
    [this.#title = ''] = this.type.lines(title, SIZES.foot, WIDTH - 80);
    this.root = pdf.struct('Document');
    pdf.addStructure(this.root);
    this.#total = this.#form();
    this.newPage();
  }

  end(): void {
    this.#total.end(this.#number(this.#count, SIZES.foot, 0));
    for (const [id, forms] of this.#ahead) {
      const place = this.#places.get(id);
      for (const form of forms)
        form.end(place === undefined ? Buffer.alloc(0) : this.#number(place, SIZES.cell, FORM));
    }
    this.root.end();
  }

  /** Records that the target with this id begins on the present page. */
  mark(id: string): void {
    this.#places.set(id, this.#count);
  }

  /** Draws the number of the page that `mark` says for `id`, also later; it ends at `right`. */
  pageNumber(id: string, right: number, baseline: number): void {
    const form = this.#form();
    const forms = this.#ahead.get(id) ?? [];
    this.#ahead.set(id, [...forms, form]);
    const page = this.pdf.page as unknown as Readonly<Record<'xobjects', Record<string, unknown>>>;
    const name = `${id}-${forms.length}`;
    page.xobjects[name] = form;
    this.artifact(() => {
      this.pdf.fillColor(COLOURS.off[0]);
      this.#draw(name, right - FORM, baseline);
    });
  }

  #draw(name: string, x: number, baseline: number): void {
    this.pdf.save();
    this.pdf.transform(1, 0, 0, -1, x, baseline);
    this.pdf.addContent(`/${name} Do`);
    this.pdf.restore();
  }

  #form(): PDFKit.PDFKitReference {
    return this.pdf.ref({
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, -4, FORM, 12],
      Resources: { Font: this.#references() },
    });
  }

  /** Draws a number. `right`: where it ends; 0: it begins at the left edge. */
  #number(count: number, size: number, right: number): Buffer {
    const text = String(count);
    const x = right === 0 ? 0 : rounded(right - this.type.widthOf(text, size));
    return Buffer.from(`BT ${x} 0 Td ${this.#shown(text, size)} ET`);
  }

  #references(): Record<string, unknown> {
    return Object.fromEntries(this.#fonts.map((font) => [font.id, font.ref()]));
  }

  #shown(text: string, size: number): string {
    return this.type
      .runsOf(text)
      .map(({ font, hex }) => `/${font.id} ${size} Tf <${hex}> Tj`)
      .join(' ');
  }

  newPage(): void {
    const pdf = this.pdf;
    pdf.addPage();
    const page = pdf.page as unknown as Readonly<Record<'fonts' | 'xobjects', Record<string, unknown>>>;
    Object.assign(page.fonts, this.#references());
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
      this.#draw('Total', right + this.type.widthOf(number, SIZES.foot), baseline);
    });
  }

  /** Begins a new page if less than `height` points remain. */
  room(height: number): void {
    if (this.y + height > BOTTOM) this.newPage();
  }

  /** Draws decoration, which a screen reader passes over. */
  artifact(draw: () => void): void {
    this.pdf.markContent('Artifact');
    draw();
    this.pdf.endMarkedContent();
  }

  /** Draws one part of an element on this page. */
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

  /** Draws one line on its baseline, in the colour that fills. */
  line(text: string, x: number, baseline: number, size: number, isBold = false): void {
    // The font has one weight: a bold sign is drawn with its outline.
    const mode = isBold ? `${rounded(size / 40)} w 2 Tr` : '0 Tr';
    const place = `1 0 0 -1 ${rounded(x)} ${rounded(baseline)} Tm`;
    this.pdf.addContent(`BT ${mode} ${place} ${this.#shown(text, size)} ET`);
  }
}

function rounded(points: number): number {
  return Math.round(points * 100) / 100;
}
