import type { Figure, Mark } from '#report-layout/figure.ts';

type Text = Extract<Mark, { readonly mark: 'text' }>;

/** Least height of a letter on the screen, in pixels. */
const LEAST = 9;
/** Width of a Latin letter and of a Chinese one, in parts of its height. */
const LATIN = 0.56;

function measure(text: string): number {
  return [...text].reduce((sum, letter) => sum + (letter > '\u2e80' ? 1 : LATIN), 0);
}

/**
 * Returns the sizes of texts that would be too small to read at this scale: as large as their neighbours in the
 * same line leave room, alike in a line, never smaller than drawn.
 */
export function computeTextSizes({ marks, width }: Figure, scale: number): ReadonlyMap<Mark, number> {
  const texts = marks.filter((mark): mark is Text => mark.mark === 'text' && mark.size * scale < LEAST);
  const lines = Map.groupBy(texts, ({ y, size }) => `${y} ${size}`);
  return new Map(
    [...lines.values()].flatMap((line) => {
      const ordered = line.toSorted((one, other) => one.x - other.x);
      const fits = ordered.map(({ x, anchor, text }, at) => {
        const before = ordered[at - 1]?.x ?? 0;
        const after = ordered[at + 1]?.x ?? width;
        const room = { start: after - x, end: x - before, middle: Math.min(x - before, after - x) }[anchor];
        return (0.94 * room) / measure(text);
      });
      const [drawn = 0] = line.map(({ size }) => size);
      const size = Math.max(drawn, Math.min(LEAST / scale, ...fits));
      return line.map((text) => [text, size] as const);
    }),
  );
}
