/** Blocks that tell the same few fields of one place after the other: read as one table. */
import type { Block, Fact, Table, DocumentText } from '#shared/report-document.ts';

type Facts = Extract<Block, { block: 'facts' }>;

/** Fields that a page has room for beside each other, and places that are worth a table. */
const [MOST_FIELDS, LEAST_PLACES] = [4, 3];

/**
 * Merges adjacent fact blocks of the same form into a table if there are at least `LEAST_PLACES`; the order
 * stays.
 */
export function mergeRuns(blocks: readonly Block[]): readonly Block[] {
  const parts: Block[] = [];
  for (let at = 0; at < blocks.length;) {
    const form = formOf(blocks[at]);
    let end = at + 1;
    while (form !== undefined && end < blocks.length && formOf(blocks[end]) === form) end += 1;
    const own = blocks.slice(at, end);
    const run = own.filter((block) => block.block === 'facts');
    parts.push(...(run.length < LEAST_PLACES ? own : [tableOf(run)]));
    at = end;
  }
  return parts;
}

/** A line for each place, a column for each of its fields. */
function tableOf(run: readonly Facts[]): Table {
  const [first] = run;
  const [place, ...lines] = first?.facts ?? [];
  const { proof, source } = lines[0] ?? {};
  const column = (label: DocumentText | undefined, type: Table['columns'][number]['type']) => ({
    label: label ?? '',
    type,
  });
  return {
    block: 'table',
    ...(first?.title !== undefined && { title: first.title }),
    columns: [
      column(place?.label, 'text'),
      ...lines.map(({ label }) => column(label, 'text')),
      ...(proof === undefined ? [] : [column({ id: 'report.proof' }, 'proof')]),
      ...(source === undefined ? [] : [column({ id: 'report.source' }, 'text')]),
    ],
    rows: run.map(({ facts }) => [
      ...facts.map(({ value }) => value),
      ...(proof === undefined ? [] : [{ proof }]),
      ...(source === undefined ? [] : [source]),
    ]),
  };
}

/** The same of blocks that make one table; undefined where a block makes none. */
function formOf(block: Block | undefined): string | undefined {
  if (block?.block !== 'facts' || block.of === undefined || block.omitted !== undefined) return undefined;
  const [place, ...lines] = block.facts;
  if (place === undefined || !isPlace(place) || lines.length === 0 || lines.length > MOST_FIELDS)
    return undefined;
  const proofs = lines.map(({ proof, source }) => JSON.stringify([proof, source]));
  if (new Set(proofs).size > 1) return undefined;
  return JSON.stringify([block.of.operation, block.title, proofs[0], lines.map(({ label }) => label)]);
}

/** Returns whether the fact says where the others were read; it is shown above them. */
export function isPlace({ label }: Fact): boolean {
  return typeof label === 'object' && 'id' in label && label.id === 'reports.place';
}
