/** The capability report: an overview, then each group of identical devices, then the own values of each device. */
import { detailOf, someOf } from '../../../shared/details.ts';
import type { Block, ReportDocument, Section, Value, Words } from '../../../shared/report.ts';
import { documentOf, errorWords, table, timeOf } from '../document.ts';
import type { DocumentContext, Subject } from '../document.ts';
import { groupsOf } from './alike.ts';
import type { Alike } from './alike.ts';
import { blocksOfAlike, ownBlocks } from './blocks.ts';
import { truthsOf } from './truth.ts';

export interface CapabilityOptions {
  /** Nobody was asked: it is told from when everything is. */
  readonly offline: boolean;
}

export function capabilityReport(
  subjects: readonly Subject[],
  { offline }: CapabilityOptions,
  context: DocumentContext,
): ReportDocument {
  const groups = groupsOf(subjects);
  const sections: Section[] = [
    { title: { id: 'reports.overview' }, blocks: [...overview(subjects, groups, offline)] },
    ...groups.flatMap(groupSections),
  ];
  return documentOf({ kind: 'capability-report', title: titleOf(subjects), sections }, subjects, context);
}

function titleOf([first, ...others]: readonly Subject[]): Words {
  return first !== undefined && others.length === 0
    ? detailOf('reports.capabilities-of', { device: first.name })
    : detailOf('reports.capabilities-of-many', { count: others.length + 1 });
}

function overview(
  subjects: readonly Subject[],
  groups: readonly Alike[],
  offline: boolean,
): readonly Block[] {
  const groupOf = new Map(groups.flatMap(({ subjects: own }, nth) => own.map(({ id }) => [id, nth + 1])));
  const unread = subjects.filter(({ known }) => known.reading === undefined).length;
  const old = subjects.filter(
    ({ known }) => known.reading !== undefined && known.failed !== undefined,
  ).length;
  return [
    ...(offline ? [{ block: 'paragraph', tone: 'notice', text: { id: 'reports.offline' } } as const] : []),
    {
      block: 'paragraph',
      text: detailOf('reports.counts', { devices: subjects.length, groups: groups.length }),
    },
    ...(unread + old === 0
      ? []
      : [
          {
            block: 'paragraph',
            tone: 'warning',
            text: detailOf('reports.not-read', { count: unread + old, saved: old }),
          } as const,
        ]),
    table(
      { id: 'report.devices' },
      [
        ['report.device', 'text'],
        ['reports.kinds', 'text'],
        ['reports.group', 'number'],
        ['report.result', 'result'],
        ['reports.read-at', 'time'],
        ['reports.works', 'number'],
        ['reports.differs', 'number'],
        ['reports.note', 'text'],
      ],
      subjects.map((subject) => overviewRow(subject, groupOf.get(subject.id))),
    ),
  ];
}

function overviewRow({ name, known }: Subject, group: number | undefined): Value[] {
  const { reading, failed } = known;
  const truths = reading === undefined ? [] : truthsOf(reading);
  const error = failed?.error ?? reading?.error;
  return [
    name,
    reading === undefined || reading.kinds.length === 0 ? null : reading.kinds.join(', '),
    group === undefined ? null : { number: group },
    {
      result:
        error === undefined && reading !== undefined
          ? 'done'
          : reading === undefined && error === undefined
            ? 'open'
            : 'failed',
    },
    reading === undefined ? null : timeOf(reading.at),
    reading === undefined ? null : { number: truths.filter(({ answer }) => answer.mark === 'works').length },
    reading === undefined
      ? null
      : { number: truths.filter(({ verdict }) => verdict === 'not-kept' || verdict === 'denied').length },
    error === undefined ? (reading === undefined ? { id: 'reports.never-read' } : null) : errorWords(error),
  ];
}

/** One device alone has one section; of several that are alike one, and each its own values. */
function groupSections({ reading, subjects }: Alike, nth: number): readonly Section[] {
  const [first] = subjects;
  if (first === undefined) return [];
  if (subjects.length === 1)
    return [
      { title: first.name, device: first.id, blocks: [...ownBlocks(reading), ...blocksOfAlike(reading)] },
    ];
  return [
    {
      title: detailOf('reports.group-title', {
        number: nth + 1,
        count: subjects.length,
        names: someOf(
          subjects.map(({ name }) => name),
          4,
        ),
      }),
      blocks: [...blocksOfAlike(reading)],
    },
    ...subjects.flatMap(({ id, name, known }): Section[] =>
      known.reading === undefined ? [] : [{ title: name, device: id, blocks: [...ownBlocks(known.reading)] }],
    ),
  ];
}
