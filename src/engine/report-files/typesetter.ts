/** Text on pages of a PDF: what the font can show, how wide it is, where lines break. */
import { replaceUnseen } from '#shared/text/unseen.ts';

/** PDFKit's embedded font, beyond its public types. */
export interface EmbeddedFont {
  readonly id: string;
  /** Thousandths of the size for a unit of the font. */
  readonly scale: number;
  readonly font: {
    hasGlyphForCodePoint: (point: number) => boolean;
    glyphForCodePoint: (point: number) => { readonly advanceWidth: number };
  };
  /** Takes the signs into the subset that is embedded. */
  encode: (text: string) => readonly [hex: readonly string[], positions: unknown];
  ref: () => unknown;
}

/** A sign of the font: its width in thousandths of the size, and how it is written on a page. */
interface Known {
  readonly font: EmbeddedFont;
  readonly width: number;
  hex?: string;
}

/** Letters beside each other in one font, as content of a page. */
interface Run {
  readonly font: EmbeddedFont;
  readonly hex: string;
}

/** Scripts that are written letter by letter: others need shaping and reordering, which is not done here. */
const PLAIN_SCRIPT = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]/u;

/** Returns the font for a sign: the first one, or another that has the letter. */
function fontFor(fonts: readonly EmbeddedFont[], sign: string): EmbeddedFont | undefined {
  const point = sign.codePointAt(0) ?? 0;
  return fonts.find(
    ({ font }, nth) => font.hasGlyphForCodePoint(point) && (nth === 0 || PLAIN_SCRIPT.test(sign)),
  );
}

/** Returns true if there are visible signs that none of the fonts has. */
export function hasMissingGlyphs(fonts: readonly EmbeddedFont[], text: string): boolean {
  const signs = replaceUnseen([...new Set(text.normalize('NFC'))].join(''), () => '');
  return [...signs].some((sign) => fontFor(fonts, sign) === undefined);
}

/** Chinese, Japanese and Korean writing breaks anywhere but before what closes and after what opens. */
const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60\u{20000}-\u{3ffff}]/u;
const NEVER_FIRST = /[，。、；：？！）】》〉」』”’…％)\]},.;:!?%]/;
const NEVER_LAST = /[（【《〈「『“‘([{]/;
const BREAKS_AFTER = /[\s\-/\\_,;?&=|@]/;

export class Typesetter {
  readonly #fonts: readonly [EmbeddedFont, ...EmbeddedFont[]];
  readonly #known = new Map<string, Known>();

  constructor(fonts: readonly [EmbeddedFont, ...EmbeddedFont[]]) {
    this.#fonts = fonts;
  }

  /** Replaces signs that no font has by an escape, instead of an empty box. */
  printable(text: string): string {
    let shown = '';
    // Letters and their marks as one sign, which the font has.
    for (const sign of text.normalize('NFC')) {
      const point = sign.codePointAt(0) ?? 0;
      const has = sign === '\n' || this.#known.has(sign) || fontFor(this.#fonts, sign) !== undefined;
      shown += has ? sign : `\\u{${point.toString(16)}}`;
    }
    return shown;
  }

  /** Returns the width in points. */
  widthOf(text: string, size: number): number {
    let width = 0;
    for (const sign of text) width += this.#knownOf(sign).width;
    return (width * size) / 1000;
  }

  /**
   * Encodes a text as content of a page, sign by sign: shaping, which these fonts do without, takes most of
   * the time of a long table.
   */
  runsOf(text: string): readonly Run[] {
    const runs: { font: EmbeddedFont; hex: string }[] = [];
    for (const sign of text) {
      const known = this.#knownOf(sign);
      known.hex ??= known.font.encode(sign)[0].join('');
      const last = runs.at(-1);
      if (last?.font === known.font) last.hex += known.hex;
      else runs.push({ font: known.font, hex: known.hex });
    }
    return runs;
  }

  /** Lines no wider than `width` points, unless one sign alone is; of `printable` text. */
  lines(text: string, size: number, width: number): readonly string[] {
    return this.printable(replaceUnseen(text, (mark) => (mark === '\n' ? mark : '')))
      .split('\n')
      .flatMap((paragraph) => this.#broken(paragraph, (width * 1000) / size));
  }

  #broken(text: string, most: number): readonly string[] {
    const signs = [...text];
    const lines: string[] = [];
    let from = 0;
    let fits = 0;
    let width = 0;
    for (let at = 0; at < signs.length; at += 1) {
      const sign = signs[at] ?? '';
      width += this.#knownOf(sign).width;
      if (at > from && mayBreak(signs[at - 2] ?? '', signs[at - 1] ?? '', sign)) fits = at;
      if (width <= most || at === from || sign === ' ') continue;
      const end = fits > from ? fits : at;
      lines.push(signs.slice(from, end).join('').trimEnd());
      from = end;
      width = this.widthOf(signs.slice(from, at + 1).join(''), 1000);
    }
    lines.push(signs.slice(from).join('').trimEnd());
    return lines;
  }

  #knownOf(sign: string): Known {
    let known = this.#known.get(sign);
    if (known === undefined) {
      const font = fontFor(this.#fonts, sign) ?? this.#fonts[0];
      const glyph = font.font.glyphForCodePoint(sign.codePointAt(0) ?? 0);
      known = { font, width: glyph.advanceWidth * font.scale };
      this.#known.set(sign, known);
    }
    return known;
  }
}

/** Returns true if a line may break here. `earlier`: the sign before the last one. */
function mayBreak(earlier: string, before: string, after: string): boolean {
  if (NEVER_FIRST.test(after) || NEVER_LAST.test(before) || after === ' ') return false;
  // Days stay whole.
  if (before === '-' && /\d/.test(earlier) && /\d/.test(after)) return false;
  return (
    WIDE.test(before) ||
    WIDE.test(after) ||
    BREAKS_AFTER.test(before) ||
    // A path may break between its steps.
    (before === '.' && /[A-Za-z]/.test(after))
  );
}
