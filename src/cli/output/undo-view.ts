/** Preview of an undo for people: what it puts back, and what it cannot. */
import type { UndoPreview, UndoPreviewDevice, UndoPreviewSection } from '#shared/model.ts';
import { cleanLine, formatUnitChange } from './clean.ts';
import { translateError } from './errors.ts';
import { formatDifferences, formatSectionName, formatSettingName, formatSettingValue } from './names.ts';
import type { Output } from './output.ts';

interface Row {
  readonly device: string;
  readonly setting: string;
  readonly undo: string;
  readonly possible: boolean;
}

function shown(out: Output, set: string, path: string, value: unknown): string {
  return value === undefined ? out.say('cli.not-set') : formatSettingValue(out, set, path, value);
}

function rowOf(
  device: UndoPreviewDevice,
  section: UndoPreviewSection,
  { first, out }: { readonly first: boolean; readonly out: Output },
): Row {
  const problem = device.problem ?? section.problem;
  const all = formatDifferences(
    out,
    section.set,
    section.changes,
    (change) =>
      `${formatSettingName(out, section.set, change)}: ${formatUnitChange(change, shown(out, section.set, change.path, change.from), shown(out, section.set, change.path, change.to))}`,
  );
  const changes = all.slice(0, 3);
  const more =
    all.length > changes.length ? [out.say('cli.also', { count: all.length - changes.length })] : [];
  const undo =
    problem === undefined
      ? [...changes, ...more].join(', ') || out.say('cli.document')
      : out.say('cli.no-undo', { reason: translateError(problem, out).message });
  return {
    device: first ? cleanLine(device.name) : '',
    setting: formatSectionName(out, section),
    undo: cleanLine(undo),
    possible: problem === undefined,
  };
}

export function printUndo(out: Output, { devices, possible, impossible, warning }: UndoPreview): void {
  const rows = devices.flatMap((device) =>
    device.sections.map((section, at) => rowOf(device, section, { first: at === 0, out })),
  );
  out.table(rows, {
    DEVICE: { value: 'device', flexible: true },
    SETTING: { value: 'setting', flexible: true },
    UNDO: { value: 'undo', paint: (row) => (row.possible ? undefined : 'bad'), flexible: true },
  });
  const lost = devices.flatMap(({ name, sections }) =>
    sections.flatMap((section) =>
      section.lost.map((path) => `${name}, ${formatSectionName(out, section)}: ${path}`),
    ),
  );
  for (const line of lost) out.note(cleanLine(out.say('cli.secret-lost', { place: line })));
  if (warning !== undefined) out.note(out.words(warning));
  const counts =
    impossible > 0
      ? out.say('cli.undo-counts', { possible, impossible })
      : out.say('cli.undo-all', { possible });
  out.line(`\n${counts}`);
}
