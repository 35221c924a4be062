/** Builds the punch list: open points from people, from records, and from the document's own checks. */
import { createDetail, formatSomeNames } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import { USUAL_CHECKS, type HandoverDetails } from '#shared/contract/handover.ts';
import type { Check, Leaf, DocumentText, OpenPoint, Value } from '#shared/report-document.ts';
import { describeReadingError, buildTable, removeEmptyColumns } from '../document.ts';
import { pickLatestRecords, listLeaves, getWorstResult, type HandoverDevice } from './handed-over.ts';
import { countChangedSinceApplied, isReadBeforeWritten } from './settings.ts';

/** Open points with the device they belong to. */
export interface PunchPoint extends Omit<OpenPoint, 'text'> {
  readonly text: Value;
  readonly device?: string | undefined;
}

/** Severities in order, most urgent first. */
const BY_SEVERITY: readonly OpenPoint['severity'][] = ['unsafe', 'major', 'minor', 'note'];

export function punchList(
  devices: readonly HandoverDevice[],
  { openPoints: given = [], checks = [] }: HandoverDetails,
): readonly PunchPoint[] {
  return [...given, ...checks.flatMap(ofCheck), ...devices.flatMap(ofDevice)].toSorted(
    (one, other) => BY_SEVERITY.indexOf(one.severity) - BY_SEVERITY.indexOf(other.severity),
  );
}

/** Makes an open point of a failed test, also where a person listed it. */
function ofCheck({ check, result, reason }: Given): readonly PunchPoint[] {
  if (result !== 'failed') return [];
  const parts = [
    { label: labelOfCheck(check), value: { id: 'report.result.failed' } as const },
    ...(reason === undefined ? [] : [{ label: { id: 'report.reason' } as const, value: reason }]),
  ];
  return [{ text: { parts }, severity: 'major' }];
}
type Given = NonNullable<HandoverDetails['checks']>[number];

/** One of those that are usually asked for by its name, another one in the words of who gave it. */
function labelOfCheck(check: string): DocumentText {
  const usual = USUAL_CHECKS.find((id) => id === check);
  return usual === undefined ? check : { id: `reports.check-${usual}` };
}

function ofDevice(device: HandoverDevice): readonly PunchPoint[] {
  const { subject, records, configuration } = device;
  const { reading, failed } = subject.known;
  const error = failed?.error ?? reading?.error;
  const differing = countChangedSinceApplied(device);
  const own: readonly OpenPoint[] = [
    ...pickLatestRecords(records).flatMap(({ document }) =>
      listLeaves(document.sections).flatMap((block) => (block.block === 'openPoints' ? block.points : [])),
    ),
    ...pickLatestRecords(records).flatMap(({ document }): readonly OpenPoint[] => {
      const result = getWorstResult(document);
      if (result === 'done') return [];
      return [
        { text: { id: `reports.record-${result}` }, severity: result === 'failed' ? 'major' : 'minor' },
      ];
    }),
    ...(error === undefined
      ? reading === undefined
        ? [{ text: { id: 'reports.point-never-read' }, severity: 'major' } as const]
        : []
      : [{ text: describeReadingError(error), severity: 'major' } as const]),
    ...configuration.unsettled.map(
      ({ title }) => ({ text: createDetail('reports.not-in-force', { title }), severity: 'minor' }) as const,
    ),
    ...(differing === 0
      ? []
      : [{ text: createDetail('reports.point-differs', { count: differing }), severity: 'minor' } as const]),
    ...(isReadBeforeWritten(device)
      ? [{ text: { id: 'reports.written-later' }, severity: 'minor' } as const]
      : []),
  ];
  return own.map((point) => ({ ...point, device: subject.name }));
}

/** Lists open points in a table, those that several devices have once. */
export function openPoints(points: readonly PunchPoint[]): Leaf {
  if (points.length === 0) return { block: 'paragraph', text: { id: 'reports.no-open-points' } };
  const groups = Map.groupBy(points, (point) => encodeCanonicalJson({ ...point, device: undefined }));
  return removeEmptyColumns(
    buildTable(
      undefined,
      PUNCH_COLUMNS,
      [...groups.values()].flatMap((group) => {
        const [first] = group;
        if (first === undefined) return [];
        const names = [...new Set(group.flatMap(({ device }) => device ?? []))];
        return [
          [
            ...punchCells({
              ...first,
              device: names.length === 0 ? undefined : formatSomeNames(names, MOST_NAMES),
            }),
          ],
        ];
      }),
    ),
  );
}
/** Names of devices in one cell. */
const MOST_NAMES = 12;

/** Lists the checks that people answered, and the usual ones that are unanswered. */
export function listChecks({ checks: given = [] }: HandoverDetails): readonly Check[] {
  const answered = new Set(given.map(({ check }) => check));
  return [
    ...given.map(({ check, result, by, at, reason }): Check => ({
      label: labelOfCheck(check),
      result,
      ...(result === 'done' && by !== undefined && { proof: 'attested' as const }),
      ...removeUndefined({ by, at, reason }),
    })),
    ...USUAL_CHECKS.filter((id) => !answered.has(id)).map((id): Check => ({
      label: { id: `reports.check-${id}` },
      result: 'open',
    })),
  ];
}

const PUNCH_COLUMNS = [
  ['report.device', 'text'],
  ['report.open-point', 'text'],
  ['report.severity', 'text'],
  ['report.owner', 'text'],
  ['report.due', 'text'],
] as const;
export const PUNCH_HEADS = PUNCH_COLUMNS.map(([id]) => id);

export function punchCells({ device, text, severity, owner, due }: PunchPoint): readonly Value[] {
  return [device ?? null, text, { id: `report.severity.${severity}` }, owner ?? null, due ?? null];
}
