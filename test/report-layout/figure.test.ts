/** Drawings and plots: nothing of them lies outside of their frame, whatever they show and in every language. */
import { expect, it } from 'vitest';
import { measureBounds, drawFigure, plotFigure, type Figure } from '#report-layout/figure.ts';
import { getReader } from '#engine/report-files/reader.ts';
import { buildGateDrawing } from '#engine/flow/gate/drawing.ts';
import type { Plot } from '#shared/report-document.ts';

const LANGUAGES = ['en', 'zh-CN', 'de'] as const;

/** Marks that stick out of the frame, by what they say or are. */
function cut({ width, height, marks }: Figure): string[] {
  return marks.flatMap((mark) => {
    const box = measureBounds(mark);
    const isIn = box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
    return isIn ? [] : [mark.mark === 'text' ? mark.text : mark.mark];
  });
}

it.each(LANGUAGES)('a gate with all of its beams is drawn whole (%s)', (language) => {
  const all = Array.from({ length: 48 }, (_none, at) => at + 1);
  const drawings = [
    buildGateDrawing({}),
    buildGateDrawing({ infrared: { IREmitter: { triggered: all.join(',') } }, tested: all }),
    buildGateDrawing({
      status: {
        gateCurrentStatus: 'OutDoorOpen',
        currentInDoorMode: 'Controlled',
        currentOutDoorMode: 'Forbid',
      },
    }),
  ];

  for (const drawing of drawings) expect(cut(drawFigure(drawing, getReader(language)))).toEqual([]);
});

it.each(LANGUAGES)('a drawing whose words are longer than its frame gets a larger one (%s)', (language) => {
  const words = language === 'en' ? 'W'.repeat(80) : '灯'.repeat(60);
  const figure = drawFigure(
    {
      block: 'drawing',
      title: 'x',
      width: 100,
      height: 20,
      shapes: [
        { shape: 'text', x: 90, y: 4, text: words, anchor: 'end' },
        { shape: 'circle', x: 100, y: 20, r: 6 },
      ],
      twin: [{ label: 'x', value: null }],
    },
    getReader(language),
  );

  expect(cut(figure)).toEqual([]);
});

it.each([
  [1, 1],
  [4, 0.001],
  [12, 1e9],
])('a plot of %i series keeps its limits and legend in sight (values of %d)', (count, size) => {
  const plot: Plot = {
    block: 'plot',
    title: 'x',
    x: { label: 'Time since the first reading of all series', unit: 's' },
    y: { label: 'Deviation', unit: '°C' },
    limits: [
      { at: 1.5 * size, label: 'Upper limit of the profile that was agreed with the customer' },
      { at: -1.5 * size, label: 'Lower limit' },
    ],
    series: Array.from({ length: count }, (_none, at) => ({
      label: `Series ${at + 1} of a blackbody with a name that is long enough to need the whole width of it`,
      draw: at % 2 === 0 ? ('line' as const) : ('points' as const),
      points: [
        [0, at * size],
        [100 * size, -at * size],
      ],
    })),
  } as Plot;

  for (const language of LANGUAGES) expect(cut(plotFigure(plot, getReader(language)))).toEqual([]);
});
