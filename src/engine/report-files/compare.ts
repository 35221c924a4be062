/** Compares two documents of one kind, line by line. Times, pictures and the points of plots are left out. */
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type {
  Block,
  Difference,
  Line,
  RecordComparison,
  ReportDocument,
  Table,
  Value,
  DocumentText,
} from '#shared/report-document.ts';

/** Throws `not-allowed` where they are of different kinds. */
export function compareDocuments(before: ReportDocument, after: ReportDocument): RecordComparison {
  if (before.kind !== after.kind)
    throw userError('not-allowed', say('report.compare.kinds', { before: before.kind, after: after.kind }));
  const old = linesOf(before);
  const now = linesOf(after);
  const differences = [...new Set([...old.keys(), ...now.keys()])].flatMap((key): readonly Difference[] => {
    const [was, is] = [old.get(key), now.get(key)];
    const place = is ?? was;
    if (place === undefined || JSON.stringify(was?.line) === JSON.stringify(is?.line)) return [];
    const { where, what, field } = place;
    return [{ where, what, field, before: was?.line, after: is?.line }];
  });
  return { same: differences.length === 0, differences, table: tableOf(differences) };
}

interface Placed extends Pick<Difference, 'where' | 'what' | 'field'> {
  readonly line: Line;
}

class Lines {
  readonly all = new Map<string, Placed>();
  readonly #where: DocumentText;

  constructor(where: DocumentText) {
    this.#where = where;
  }

  /** Adds a line. Lines with the same name are distinguished by their order. */
  add(what: DocumentText, line: Line, field?: DocumentText): void {
    if (isTime(line.value)) return;
    for (let nth = 1; ; nth += 1) {
      const key = JSON.stringify([this.#where, what, field, nth]);
      if (this.all.has(key)) continue;
      this.all.set(key, { where: this.#where, what, line, field });
      return;
    }
  }
}

function linesOf({ devices = [], site, sections }: ReportDocument): ReadonlyMap<string, Placed> {
  const head = new Lines({ id: 'report.device' });
  for (const device of devices)
    for (const name of ['model', 'serial', 'firmware', 'address'] as const)
      if (device[name] !== undefined) head.add({ id: `report.${name}` }, { value: device[name] });
  if (site !== undefined) head.add({ id: 'report.site' }, { value: site.name });
  const parts = sections.map(({ title, blocks }) => {
    const lines = new Lines(title);
    for (const block of blocks) addBlock(lines, block);
    return [...lines.all];
  });
  return new Map([...head.all, ...parts.flat()]);
}

function addBlock(lines: Lines, block: Block): void {
  switch (block.block) {
    case 'group':
      for (const inner of block.blocks) addBlock(lines, inner);
      return;
    case 'facts':
      for (const { label, value, proof } of block.facts) lines.add(label, { value, proof });
      return;
    case 'matrix':
      for (const { label, values, proof } of block.settings)
        for (const [nth, value] of values.entries())
          lines.add(label, { value, proof }, block.devices[nth]?.name);
      return;
    case 'drawing':
      for (const { label, value, proof } of block.twin) lines.add(label, { value, proof });
      return;
    case 'checklist':
      for (const { label, result, proof, reason } of block.items)
        lines.add(label, { value: { result }, proof, reason });
      return;
    case 'table':
      for (const [first, ...cells] of block.rows)
        for (const [nth, value] of cells.entries())
          lines.add(wordsOf(first ?? null), { value }, block.columns[nth + 1]?.label);
      return;
    case 'openPoints':
      for (const { text, severity, owner } of block.points)
        lines.add(text, {
          value: { id: `report.severity.${severity}` },
          reason: owner,
        });
      return;
    case 'signatures':
      for (const { statement, name } of block.signatures) lines.add(statement, { value: name });
      return;
    case 'paragraph':
      lines.add(block.text, { value: { yes: true } });
      return;
    case 'plot':
      if (block.twin !== undefined) lines.add(block.title, { value: block.twin });
      return;
    case 'code':
    // It names the document itself.
  }
}

function isTime(value: Value): boolean {
  return typeof value === 'object' && value !== null && 'time' in value;
}

/** Returns the first cell of a row as its name. */
function wordsOf(value: Value): DocumentText {
  if (typeof value === 'string') return value;
  if (value === null) return '–';
  if ('id' in value || 'root' in value) return value;
  return 'number' in value ? `${value.number}${value.unit ?? ''}` : JSON.stringify(value);
}

function tableOf(differences: readonly Difference[]): Table {
  const hasField = differences.some(({ field }) => field !== undefined);
  const text = (id: 'where' | 'field' | 'before' | 'after') => ({
    label: { id: `report.compare.${id}` as const },
    type: 'text' as const,
  });
  const proof = { label: { id: 'report.proof' as const }, type: 'proof' as const };
  return {
    block: 'table',
    columns: [
      text('where'),
      { label: { id: 'report.label' }, type: 'text' },
      ...(hasField ? [text('field')] : []),
      text('before'),
      proof,
      text('after'),
      proof,
    ],
    rows: differences.map(({ where, what, field, before, after }) => [
      where,
      what,
      ...(hasField ? [field ?? null] : []),
      ...cellsOf(before),
      ...cellsOf(after),
    ]),
  };
}

function cellsOf(line: Line | undefined): readonly Value[] {
  if (line === undefined) return [{ id: 'report.compare.none' }, null];
  return [line.value, line.proof === undefined ? null : { proof: line.proof }];
}
