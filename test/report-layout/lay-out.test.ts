import { expect, it } from 'vitest';
import { getReader } from '#engine/report-files/reader.ts';
import { layOut, layOutLeaf } from '#report-layout/lay-out.ts';
import type { Piece } from '#report-layout/pieces.ts';
import type { Leaf, ReportDocument, SealedDocument } from '#shared/report-document.ts';

const reader = getReader('en');

function documentOf(titles: readonly string[]): SealedDocument {
  const document: ReportDocument = {
    format: 'fieldwright/document/1',
    kind: 'report.test',
    id: 'd-1',
    title: 'A report',
    at: '2026-01-01T00:00:00.000Z',
    zone: 'UTC',
    by: [{ name: 'Ana' }],
    preparedWith: { name: 'Fieldwright', version: '1' },
    sections: titles.map((title) => ({ title, blocks: [] })),
  } as unknown as ReportDocument;
  return { document, sha256: 'ab' } as SealedDocument;
}

function only<Kind extends Piece['piece']>(pieces: Iterable<Piece>, kind: Kind) {
  return [...pieces].filter((piece): piece is Extract<Piece, { piece: Kind }> => piece.piece === kind);
}

// Would catch: links of the contents that lead one section too far, and contents before a document of two sections.
it('lists sections from the third on, each with the place of its own heading', () => {
  const two = [...layOut(documentOf(['One', 'Two']), reader)];
  const three = [...layOut(documentOf(['One', 'Two', 'Three']), reader)];

  expect(only(two, 'contents')).toEqual([]);
  expect(only(three, 'contents').flatMap(({ entries }) => entries)).toEqual([
    { id: 's1', text: 'One' },
    { id: 's2', text: 'Two' },
    { id: 's3', text: 'Three' },
  ]);
  expect(only(three, 'heading').map(({ level, id, text }) => [level, id, text])).toEqual([
    [1, undefined, 'A report'],
    [2, 's1', 'One'],
    [2, 's2', 'Two'],
    [2, 's3', 'Three'],
  ]);
});

// Would catch: a point lost at the end of a long series, and a note about points that are all there.
it.each([
  [500, 500, undefined],
  [501, 500, '1'],
])('lists %i points of a plot: %i, and says how many stand elsewhere', (points, listed, elsewhere) => {
  const axis = { label: 'x' };
  const plot = {
    block: 'plot',
    title: 'Readings',
    x: axis,
    y: axis,
    series: [{ label: 'A', points: Array.from({ length: points }, (_, nth) => [nth, nth]) }],
  } as unknown as Leaf;

  const pieces = [...layOutLeaf(plot, reader)];
  const [table] = only(pieces, 'table');
  const rows = [...(table?.rows ?? [])];
  expect(rows.length).toBe(listed);
  expect(rows.at(-1)?.map(({ text }) => text)).toEqual(['A', String(listed - 1), String(listed - 1)]);
  const notes = only(pieces, 'text').map(({ text }) => text);
  expect(notes.map((text) => /\d+/.exec(text)?.[0])).toEqual(elsewhere === undefined ? [] : [elsewhere]);
});

// Would catch: cells under the heading of their neighbour where a column is left out.
it('keeps values under their headings, with and without proof and source', () => {
  const laid = (proof: boolean, source: boolean) =>
    only(
      layOutLeaf(
        {
          block: 'facts',
          facts: [
            {
              label: 'Name',
              value: 'Gate',
              ...(proof && { proof: 'read-back' }),
              ...(source && { source: 'GET x' }),
            },
          ],
        } as unknown as Leaf,
        reader,
      ),
      'table',
    ).map(({ columns, rows }) => [
      columns.map(({ label }) => label),
      [...rows].map((row) => row.map(({ text }) => text)),
    ]);

  const [label, value] = [reader.phrase('report.label'), reader.phrase('report.value')];
  const [proof, source] = [reader.phrase('report.proof'), reader.phrase('report.source')];
  expect(laid(false, false)).toEqual([[[label, value], [['Name', 'Gate']]]]);
  expect(laid(false, true)).toEqual([[[label, value, source], [['Name', 'Gate', 'GET x']]]]);
  expect(laid(true, true)).toEqual([
    [[label, value, proof, source], [['Name', 'Gate', reader.proof('read-back').text, 'GET x']]],
  ]);
});
