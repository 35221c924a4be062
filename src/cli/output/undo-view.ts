/** What an undo would put back, and what it cannot, for people. */
import type { UndoPreview, UndoPreviewDevice, UndoPreviewSection } from '../../shared/model.ts';
import { cleanLine, fromTo } from './clean.ts';
import type { Output } from './output.ts';

interface Row {
  readonly device: string;
  readonly setting: string;
  readonly undo: string;
  readonly possible: boolean;
}

function shown(value: unknown): string {
  return value === undefined ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value);
}

function rowOf(device: UndoPreviewDevice, section: UndoPreviewSection, first: boolean): Row {
  const problem = device.problem ?? section.problem;
  const changes = section.changes
    .slice(0, 3)
    .map((change) => `${change.label}: ${fromTo(change, shown(change.from), shown(change.to))}`);
  const more =
    section.changes.length > changes.length ? [`and ${section.changes.length - changes.length} more`] : [];
  const undo =
    problem === undefined
      ? [...changes, ...more].join(', ') || 'the document as it was'
      : `cannot be undone: ${problem.message}`;
  return {
    device: first ? cleanLine(device.name) : '',
    setting: cleanLine(section.label),
    undo: cleanLine(undo),
    possible: problem === undefined,
  };
}

export function printUndo(out: Output, { devices, possible, impossible }: UndoPreview): void {
  const rows = devices.flatMap((device) =>
    device.sections.map((section, at) => rowOf(device, section, at === 0)),
  );
  out.table<Row>(
    [
      { title: 'DEVICE', cell: ({ device }) => device, flexible: true },
      { title: 'SETTING', cell: ({ setting }) => setting, flexible: true },
      {
        title: 'UNDO',
        cell: ({ undo }) => undo,
        paint: (row) => (row.possible ? undefined : 'bad'),
        flexible: true,
      },
    ],
    rows,
  );
  const lost = devices.flatMap(({ name, sections }) =>
    sections.flatMap(({ label, lost: paths }) => paths.map((path) => `${name}, ${label}: ${path}`)),
  );
  for (const line of lost)
    out.note(
      cleanLine(`${line} is a secret that the device never showed; what it was before cannot be put back.`),
    );
  out.line(`\n${possible} can be put back${impossible > 0 ? `, ${impossible} cannot` : ''}.`);
}
