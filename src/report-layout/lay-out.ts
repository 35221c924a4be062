/** A document laid out once, as the few pieces that every format knows how to draw. */
import { createDetail, type BareDetailId } from '#shared/details.ts';
import type {
  Block,
  Fact,
  Leaf,
  Plot,
  ReportDocument,
  SealedDocument,
  Table,
} from '#shared/report-document.ts';
import { SAMPLED, measureColumnWeight } from './column-weight.ts';
import { buildContents } from './contents.ts';
import { drawFigure, drawLabels, LABELS_A_ROW, plotFigure } from './figure.ts';
import { mergeRuns } from './facts-runs.ts';
import { layOutMatrix } from './matrix.ts';
import type { Column, Grid, Piece } from './pieces.ts';
import type { Reader, Shown } from './reader.ts';

/** Points that the table below a plot lists of a series. */
const MOST_LISTED = 500;

/**
 * Yields the pieces from the title to the last block; texts are final, but not yet escaped for the format.
 */
export function* layOut(sealed: SealedDocument, reader: Reader): Generator<Piece> {
  const { document } = sealed;
  yield* coverOf(document, reader);
  yield { piece: 'heading', level: 1, text: reader.words(document.title) };
  const verdict = beginsWithVerdict(document) ? findVerdict(document) : [];
  for (const paragraph of verdict) yield* layOutLeaf(paragraph, reader);
  yield* head(sealed, reader);
  const entries = document.sections.map(({ title }, nth) => ({
    id: `s${nth + 1}`,
    text: reader.words(title),
  }));
  if (entries.length > 2)
    for (const list of buildContents(entries, document, reader)) yield { piece: 'contents', ...list };
  for (const [nth, { blocks, page }] of document.sections.entries()) {
    yield { piece: 'heading', level: 2, text: '', ...entries[nth], ...(page === true && { isPage: true }) };
    yield* allOf(nth === 0 ? blocks.slice(verdict.length) : blocks, reader);
  }
}

/** Returns the paragraphs that a record begins with: whether the device is safe, and what its checks come to. */
export function findVerdict({ sections }: Pick<ReportDocument, 'sections'>): readonly Leaf[] {
  const blocks = sections[0]?.blocks ?? [];
  const end = blocks.findIndex(({ block }) => block !== 'paragraph');
  return blocks.slice(0, end).filter((block) => block.block === 'paragraph');
}

function* coverOf({ cover }: ReportDocument, reader: Reader): Generator<Piece> {
  if (cover === undefined) return;
  const { company, lines = [], logo } = cover;
  if (logo !== undefined) yield { piece: 'picture', text: reader.words(company ?? ''), ...logo };
  const text = [...(company === undefined ? [] : [company]), ...lines].map((each) => reader.words(each));
  if (text.length > 0) yield { piece: 'text', tone: 'plain', text: text.join('\n') };
}

const DEVICE_COLUMNS = [
  ['report.device', 'name'],
  ['report.address', 'address'],
  ['report.model', 'model'],
  ['report.serial', 'serial'],
  ['report.firmware', 'firmware'],
] as const;

function* head({ document, sha256, previous }: SealedDocument, reader: Reader): Generator<Piece> {
  const { site, devices = [], by, preparedWith } = document;
  const lines: readonly (readonly [BareDetailId, string | undefined])[] = [
    ['report.site', site?.name],
    ['report.address', site?.address],
    ['report.made', reader.time(document.at)],
    ['report.zone', document.zone],
    ...by.map(
      ({ name, role, company }) =>
        ['report.by', listed([name, role === undefined ? undefined : reader.words(role), company])] as const,
    ),
    ['report.prepared-with', `${preparedWith.name} ${preparedWith.version}`],
    ['report.document', document.id],
    ['report.hash', sha256],
    ['report.previous', previous === undefined ? undefined : `${previous.id} ${previous.sha256}`],
  ];
  yield grid(
    reader,
    undefined,
    [
      ['report.label', 1],
      ['report.value', 3],
    ],
    lines.flatMap(([id, text]) =>
      text === undefined ? [] : [[{ text: reader.phrase(id) }, { text: reader.words(text) }]],
    ),
  );
  yield { piece: 'text', text: reader.phrase('report.hash-meaning'), tone: 'plain' };
  if (showsProof(document)) yield { piece: 'text', text: reader.phrase('report.proofs'), tone: 'plain' };
  // Reports have a table of their own, with what they say of each.
  if (!isRecord(document)) return;
  const filled = DEVICE_COLUMNS.filter(([, name]) => devices.some((device) => device[name] !== undefined));
  if (devices.length > 0)
    yield grid(
      reader,
      reader.phrase('report.devices'),
      filled.map(([id]) => [id, 2] as const),
      mapped(devices, (device) => filled.map(([, name]) => reader.value(device[name] ?? null))),
    );
}

/** Returns true for documents whose first section begins with what it all comes to. */
function beginsWithVerdict(document: Pick<ReportDocument, 'kind'>): boolean {
  return isRecord(document) || document.kind === 'handover';
}

/** Returns true for a commissioning record, which is about the devices at its head. */
export function isRecord({ kind }: Pick<ReportDocument, 'kind'>): boolean {
  return kind.startsWith('commissioning.');
}

function listed(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(', ');
}

function showsProof({ sections }: ReportDocument): boolean {
  const shows = (block: Block): boolean => {
    if (block.block === 'group') return block.blocks.some(shows);
    if (block.block === 'table') return block.columns.some(({ type }) => type === 'proof');
    return (
      block.block === 'checklist' ||
      (block.block === 'facts' && block.facts.some(({ proof }) => proof !== undefined))
    );
  };
  return sections.some(({ blocks }) => blocks.some(shows));
}

function* allOf(blocks: readonly Block[], reader: Reader): Generator<Piece> {
  const labels: Code[] = [];
  for (const part of mergeRuns(blocks)) {
    if (part.block === 'code') {
      labels.push(part);
      continue;
    }
    yield* layOutLabels(labels.splice(0), reader);
    if (part.block !== 'group') yield* layOutLeaf(part, reader);
    else {
      yield { piece: 'heading', level: 3, text: reader.words(part.title) };
      yield* allOf(part.blocks, reader);
    }
  }
  yield* layOutLabels(labels, reader);
}

type Code = Extract<Leaf, { readonly block: 'code' }>;

/** Lays out codes as labels, a few beside each other. */
function* layOutLabels(codes: readonly Code[], reader: Reader): Generator<Piece> {
  for (let at = 0; at < codes.length; at += LABELS_A_ROW) {
    const row = codes.slice(at, at + LABELS_A_ROW).map(({ title, text }) => ({
      title: reader.words(title),
      text,
      lines: text.split('\n').map((line) => reader.words(line)),
    }));
    yield {
      piece: 'figure',
      title: row.map(({ title }) => title).join(' · '),
      figure: drawLabels(row),
      isPlain: true,
    };
  }
}

/** Lays out one block, with or without a document around it. */
export function* layOutLeaf(block: Leaf, reader: Reader): Generator<Piece> {
  switch (block.block) {
    case 'paragraph': {
      const { tone = 'plain' } = block;
      const text = reader.words(block.text);
      // The meaning of a tone must not depend on its colour.
      yield {
        piece: 'text',
        tone,
        text: tone === 'plain' ? text : labelled(reader.phrase(`report.tone.${tone}`), text, reader),
      };
      return;
    }
    case 'facts':
      yield facts(
        block.facts.filter(({ drawn }) => drawn !== true),
        reader,
        titleOf(block, reader),
      );
      break;
    case 'table':
      yield table(block, reader);
      break;
    case 'checklist':
      yield grid(
        reader,
        titleOf(block, reader) ?? reader.phrase('report.checks'),
        ['report.result', 'report.label', 'report.proof', 'report.reason', 'report.at', 'report.who'],
        mapped(block.items, ({ result, label, proof, reason, at, by }) => [
          reader.result(result),
          { text: reader.words(label) },
          reader.proof(proof),
          reader.value(reason ?? null),
          reader.value(at === undefined ? null : { time: at }),
          reader.value(by ?? null),
        ]),
      );
      break;
    case 'plot':
      yield { piece: 'figure', title: reader.words(block.title), figure: plotFigure(block, reader) };
      yield* plotTwin(block, reader);
      return;
    case 'drawing':
      yield { piece: 'figure', title: reader.words(block.title), figure: drawFigure(block, reader) };
      yield facts(block.twin, reader);
      return;
    case 'matrix':
      yield* layOutMatrix(block, reader);
      return;
    case 'code':
      yield* layOutLabels([block], reader);
      return;
    case 'signatures':
      yield {
        ...grid(
          reader,
          reader.phrase('report.signatures'),
          [
            ['report.name', 2],
            ['report.role', 2],
            ['report.statement', 3],
            ['report.signed-at', 3],
            ['report.signature', 3],
          ],
          block.signatures.map(({ name, role, statement, at }) => [
            { text: reader.words(name) },
            reader.value(role ?? null),
            { text: reader.words(statement) },
            { text: at === undefined ? '' : reader.time(at) },
            { text: '' },
          ]),
        ),
        isTall: true,
      };
      return;
    case 'openPoints':
      yield grid(
        reader,
        titleOf(block, reader) ?? reader.phrase('report.open-points'),
        ['report.severity', 'report.open-point', 'report.owner', 'report.due'],
        mapped(block.points, ({ severity, text, owner, due }) => [
          { text: reader.phrase(`report.severity.${severity}`) },
          { text: reader.words(text) },
          reader.value(owner ?? null),
          reader.value(due ?? null),
        ]),
      );
      break;
  }
  if (block.omitted !== undefined && block.omitted > 0) yield left('report.omitted', block.omitted, reader);
}

function labelled(label: string, text: string, reader: Reader): string {
  return reader.words(createDetail('report.labelled', { label, text }));
}

function titleOf({ title }: Pick<Table, 'title'>, reader: Reader): string | undefined {
  return title === undefined ? undefined : reader.words(title);
}

function left(id: 'report.omitted' | 'report.points-elsewhere', count: number, reader: Reader): Piece {
  return { piece: 'text', tone: 'notice', text: reader.words(createDetail(id, { count })) };
}

function facts(lines: readonly Fact[], reader: Reader, title?: string): Piece {
  const hasProof = lines.some(({ proof }) => proof !== undefined);
  const hasSource = lines.some(({ source }) => source !== undefined);
  return grid(
    reader,
    title,
    [
      ['report.label', 3],
      ['report.value', 3],
      ...(hasProof ? [['report.proof', 1.5] as const] : []),
      ...(hasSource ? [['report.source', 3] as const] : []),
    ],
    mapped(lines, ({ label, value, proof, source }) => [
      { text: reader.words(label) },
      reader.value(value),
      ...(hasProof ? [reader.proof(proof)] : []),
      ...(hasSource ? [reader.value(source ?? null)] : []),
    ]),
  );
}

function table({ columns, rows, title }: Table, reader: Reader): Piece {
  return {
    piece: 'table',
    ...(title !== undefined && { title: reader.words(title) }),
    columns: columns.map(({ label, type, unit }, at): Column => {
      const head = reader.words(label) + (unit === undefined ? '' : ` (${reader.words(unit)})`);
      const sample = rows.slice(0, SAMPLED).map((row) => reader.value(row[at] ?? null, unit).text);
      return {
        label: head,
        align: type === 'number' ? 'end' : 'start',
        weight: measureColumnWeight(head, sample),
      };
    }),
    rows: mapped(rows, (row) => row.map((value, at): Shown => reader.value(value, columns[at]?.unit))),
  };
}

function* plotTwin(plot: Plot, reader: Reader): Generator<Piece> {
  if (plot.twin !== undefined) yield { piece: 'text', tone: 'plain', text: reader.words(plot.twin) };
  const column = (axis: Plot['x']): Column => ({
    label: reader.words(axis.label) + (axis.unit === undefined ? '' : ` (${reader.words(axis.unit)})`),
    align: 'end',
    weight: 2,
  });
  const number = (value: number, { decimals }: Plot['x']): Shown =>
    reader.value({ number: value, ...(decimals !== undefined && { decimals }) });
  function* rows(): Generator<readonly Shown[]> {
    for (const { label, at } of plot.limits ?? [])
      yield [
        { text: labelled(reader.phrase('report.limit'), reader.words(label), reader) },
        reader.value(null),
        number(at, plot.y),
      ];
    for (const { label, points } of plot.series)
      for (const [x, y] of points.slice(0, MOST_LISTED))
        yield [{ text: reader.words(label) }, number(x, plot.x), number(y, plot.y)];
  }
  yield {
    piece: 'table',
    columns: [
      { label: reader.phrase('report.series'), align: 'start', weight: 3 },
      column(plot.x),
      column(plot.y),
    ],
    rows: { [Symbol.iterator]: rows },
  };
  const elsewhere = plot.series.reduce(
    (sum, { points }) => sum + Math.max(0, points.length - MOST_LISTED),
    0,
  );
  if (elsewhere > 0) yield left('report.points-elsewhere', elsewhere, reader);
  const omitted = plot.series.reduce((sum, series) => sum + (series.omitted ?? 0), 0);
  if (omitted > 0) yield left('report.omitted', omitted, reader);
}

/** Lays out a table. A column without a weight is as wide as its contents. */
function grid(
  reader: Reader,
  title: string | undefined,
  columns: readonly (BareDetailId | readonly [BareDetailId, number])[],
  rows: Iterable<readonly Shown[]>,
): Grid {
  const sample = columns.some((column) => typeof column === 'string') ? firstOf(rows, SAMPLED) : [];
  return {
    piece: 'table',
    ...(title !== undefined && { title }),
    columns: columns.map((column, at): Column => {
      const [id, weight] = typeof column === 'string' ? [column] : column;
      const label = reader.phrase(id);
      const cells = sample.map((row) => row[at]?.text ?? '');
      return { label, align: 'start', weight: weight ?? measureColumnWeight(label, cells) };
    }),
    rows,
  };
}

function firstOf<T>(items: Iterable<T>, count: number): readonly T[] {
  const first: T[] = [];
  for (const item of items) if (first.push(item) >= count) break;
  return first;
}

function mapped<T, U>(items: readonly T[], change: (item: T) => U): Iterable<U> {
  return {
    *[Symbol.iterator]() {
      for (const item of items) yield change(item);
    },
  };
}
