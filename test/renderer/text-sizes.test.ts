import { expect, it } from 'vitest';
import { computeTextSizes } from '#renderer/components/ui/report-pieces/text-sizes.ts';
import type { Figure } from '#report-layout/figure.ts';

const text = (x: number, words: string, y = 20, size = 9) =>
  ({ mark: 'text', x, y, text: words, size, anchor: 'middle', ink: 'plain' }) as const;
const figure = (...marks: Figure['marks']): Figure => ({ width: 640, height: 340, marks });

// Would catch: beam numbers of four pixels on a telephone, numbers that grow into each other, and a drawing at a desk that changes.
it('enlarges texts of a small drawing to nine pixels where their neighbours leave room, alike in a line', () => {
  const beams = [text(44, '1'), text(68, '2'), text(92, '24')];
  const crowded = [text(44, 'Beam adapters', 60), text(84, 'Fan', 60)];

  const small = computeTextSizes(figure(...beams, ...crowded), 0.5);

  const sizes = beams.map((beam) => small.get(beam));
  expect(sizes).toEqual([18, 18, 18]);
  expect(crowded.map((each) => small.get(each))).toEqual([9, 9]);
  expect(computeTextSizes(figure(...beams), 1).size).toBe(0);
});
