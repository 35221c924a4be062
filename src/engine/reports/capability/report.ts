/** The capability report: an overview, then each group of identical devices, then the own values of each device. */
import { createDetail, formatSomeNames } from '#shared/details.ts';
import type { Block, ReportDocument, Section, Value, DocumentText, Fact } from '#shared/report-document.ts';
import {
  buildReportDocument,
  describeReadingError,
  formatDeviceKinds,
  buildTable,
  makeTimeValue,
  removeEmptyColumns,
  type DocumentContext,
  type Subject,
  makeFact,
  formatParamRanges,
  placeText,
} from '../document.ts';
import type { Known } from '../readings.ts';
import { buildAlikeBlocks, buildIdentityBlock, buildValueBlocks } from './blocks.ts';
import { listTruths } from './truth.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import { hashSha256 } from '#engine/text/sha256.ts';
import type { DeviceReading } from '../reading.ts';
import type { Params } from '#shared/model.ts';
import { isPlace } from '#report-layout/facts-runs.ts';

interface CapabilityOptions {
  /** True if no device was asked: the report says how old everything is. */
  readonly offline: boolean;
}

export function buildCapabilityReport(
  subjects: readonly Subject[],
  { offline }: CapabilityOptions,
  context: DocumentContext,
): ReportDocument {
  const groups = new Map<string, Group>();
  // Each device is read once: the readings of all of them together are too much to hold.
  const entries = subjects.map((subject): Entry => {
    const { known } = subject;
    const { reading } = known;
    if (reading === undefined)
      return { subject, known: 'nothing', row: overviewRow(subject, known, undefined) };
    const key = computeSignature(reading);
    const group = groups.get(key) ?? {
      number: groups.size + 1,
      blocks: buildAlikeBlocks(reading),
      entries: [],
    };
    groups.set(key, group);
    const one: Entry = {
      subject,
      known: known.failed === undefined ? 'now' : 'before',
      row: overviewRow(subject, known, group.number),
      read: { identity: buildIdentityBlock(reading), values: buildValueBlocks(reading) },
    };
    group.entries.push(one);
    return one;
  });
  const sections: Section[] = [
    { title: { id: 'reports.overview' }, blocks: [...overview(entries, groups.size, offline)] },
    ...[...groups.values()].flatMap(groupSections),
  ];
  return buildReportDocument(
    { kind: 'capability-report', title: titleOf(subjects), sections },
    subjects,
    context,
  );
}

interface Entry {
  readonly subject: Subject;
  readonly known: 'now' | 'before' | 'nothing';
  readonly row: Value[];
  readonly read?: { readonly identity: Block; readonly values: ReturnType<typeof buildValueBlocks> };
}

/** Devices that report and answer the same. */
interface Group {
  readonly number: number;
  readonly blocks: readonly Block[];
  readonly entries: Entry[];
}

function titleOf([first, ...others]: readonly Subject[]): DocumentText {
  return first !== undefined && others.length === 0
    ? createDetail('reports.capabilities-of', { device: first.name })
    : createDetail('reports.capabilities-of-many', { count: others.length + 1 });
}

function overview(entries: readonly Entry[], groups: number, offline: boolean): readonly Block[] {
  const unread = entries.filter(({ known }) => known === 'nothing').length;
  const old = entries.filter(({ known }) => known === 'before').length;
  return [
    ...(offline ? [{ block: 'paragraph', tone: 'notice', text: { id: 'reports.offline' } } as const] : []),
    {
      block: 'paragraph',
      text: createDetail('reports.counts', { devices: entries.length, groups }),
    },
    ...(unread + old === 0
      ? []
      : [
          {
            block: 'paragraph',
            tone: 'warning',
            text: createDetail('reports.not-read', { count: unread + old, saved: old }),
          } as const,
        ]),
    removeEmptyColumns(
      buildTable(
        { id: 'report.devices' },
        [
          ['report.device', 'text'],
          ['report.address', 'text'],
          ['reports.kinds', 'text'],
          ['reports.group', 'number'],
          ['report.result', 'result'],
          ['reports.read-at', 'time'],
          ['reports.works', 'number'],
          ['reports.differs', 'number'],
          ['reports.note', 'text'],
        ],
        entries.map(({ row }) => row),
      ),
    ),
  ];
}

function overviewRow({ name, url }: Subject, { reading, failed }: Known, group: number | undefined): Value[] {
  const truths = reading === undefined ? [] : listTruths(reading);
  const error = failed?.error ?? reading?.error;
  return [
    name,
    url,
    formatDeviceKinds(reading?.kinds),
    group === undefined ? null : { number: group },
    {
      result:
        error === undefined && reading !== undefined
          ? 'done'
          : reading === undefined && error === undefined
            ? 'open'
            : 'failed',
    },
    reading === undefined ? null : makeTimeValue(reading.at),
    reading === undefined ? null : { number: truths.filter(({ answer }) => answer.mark === 'works').length },
    reading === undefined
      ? null
      : { number: truths.filter(({ verdict }) => verdict === 'not-kept' || verdict === 'denied').length },
    error === undefined
      ? reading === undefined
        ? { id: 'reports.never-read' }
        : null
      : describeReadingError(error),
  ];
}

/**
 * Builds the sections. One device alone has one; several that are alike have one, and each another with what
 * it alone shows.
 */
function groupSections({ number, blocks, entries }: Group): readonly Section[] {
  const { common, own } = findSharedFacts(entries.map(({ read }) => read?.values ?? []));
  const [first] = entries;
  if (first?.read !== undefined && entries.length === 1)
    return [
      {
        title: first.subject.name,
        device: first.subject.id,
        blocks: [first.read.identity, ...fitting([...mergeSameForm(common), ...blocks])],
      },
    ];
  const names = formatSomeNames(
    entries.map(({ subject: { name } }) => name),
    4,
  );
  return [
    {
      title: createDetail('reports.group-title', { number, count: entries.length, names }),
      blocks: [
        ...blocks,
        ...(common.length === 0
          ? []
          : [
              {
                block: 'group',
                title: { id: 'reports.common-values' },
                blocks: fitting(mergeSameForm(common)),
              } as const,
            ]),
      ],
    },
    ...entries.map(({ subject: { id, name }, read }, nth): Section => ({
      title: name,
      device: id,
      blocks: [...(read === undefined ? [] : [read.identity]), ...fitting(mergeSameForm(own[nth] ?? []))],
    })),
  ];
}

/** Most blocks of a group or a section, with room for those before them. */
const MOST = 190;

function fitting<B extends Block>(blocks: readonly B[]): (B | Paragraph)[] {
  if (blocks.length <= MOST) return [...blocks];
  const text = createDetail('report.omitted', { count: blocks.length - MOST + 1 });
  return [...blocks.slice(0, MOST - 1), { block: 'paragraph', tone: 'notice', text }];
}
type Paragraph = Extract<Block, { block: 'paragraph' }>;

/** Computes the signature of everything but the device's own values. */
function computeSignature({
  kinds,
  flags,
  limits,
  onlyWhenAskedForAll,
  answers,
  error,
}: DeviceReading): string {
  return hashSha256(
    encodeCanonicalJson({
      kinds,
      flags,
      limits,
      onlyWhenAskedForAll,
      answers: answers.map(({ operation, params, mark, error: said }) => ({
        operation,
        params,
        mark,
        said: said?.code,
      })),
      error: error?.code,
    }),
  );
}

/** Merges blocks of the same form, in the order of the first of each. */
function mergeSameForm(blocks: readonly Facts[]): readonly Facts[] {
  const groups = Map.groupBy(blocks, ({ of, facts, omitted }) =>
    encodeCanonicalJson([
      of?.operation ?? null,
      omitted ?? null,
      facts.filter((fact) => !isPlace(fact)).map(({ label }) => label),
    ]),
  );
  return [...groups.values()].flatMap((group) => together(group) ?? group);
}

function together(group: readonly Facts[]): readonly Facts[] | undefined {
  const [first] = group;
  const operation = first?.of?.operation;
  if (first === undefined || operation === undefined || group.length < 2) return undefined;
  const lines = group.map(({ facts }) => facts.filter((fact) => !isPlace(fact)));
  const isSame = (nth: number): boolean => {
    const value = encodeCanonicalJson(lines[0]?.[nth]?.value ?? null);
    return lines.every((own) => encodeCanonicalJson(own[nth]?.value ?? null) === value);
  };
  const fields = lines[0] ?? [];
  const differing = fields.flatMap((_fact, nth) => (isSame(nth) ? [] : [nth]));
  const common: readonly Fact[] = fields.filter((_fact, nth) => !differing.includes(nth));
  const params = group.map(({ of }): Params => of?.params ?? {});
  const block = (of: Facts['of'], place: DocumentText | null, facts: readonly Fact[]): Facts => ({
    ...first,
    of,
    facts: [...(place === null ? [] : [makeFact('reports.place', place)]), ...facts],
  });
  return [
    ...(common.length === 0 ? [] : [block(first.of, formatParamRanges(operation, params), common)]),
    ...(differing.length === 0
      ? []
      : group.map(({ of }, at) =>
          block(
            of,
            placeText(operation, params[at] ?? {}),
            differing.flatMap((nth) => lines[at]?.[nth] ?? []),
          ),
        )),
  ];
}

type Facts = Extract<Block, { block: 'facts' }>;

interface Shared {
  /** The same on every device. */
  readonly common: readonly Facts[];
  /** Own values, in the order of the devices. */
  readonly own: readonly (readonly Facts[])[];
}

/** Separates shared from own values. `devices`: of each the values that it shows, a block for each read. */
function findSharedFacts(devices: readonly (readonly Facts[])[]): Shared {
  const counts = new Map<string, number>();
  for (const blocks of devices)
    for (const block of blocks)
      for (const fact of block.facts) {
        const key = keyOf(block, fact);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
  const isCommon = (block: Facts, fact: Fact): boolean => counts.get(keyOf(block, fact)) === devices.length;
  const [first = []] = devices;
  return {
    common: first.flatMap((block) => {
      const facts = block.facts.filter((fact) => isPlace(fact) || isCommon(block, fact));
      return facts.some((fact) => !isPlace(fact)) ? [{ ...block, facts }] : [];
    }),
    own: devices.map((blocks) =>
      blocks.flatMap((block) => {
        const facts = block.facts.filter((fact) => isPlace(fact) || !isCommon(block, fact));
        const says = facts.some((fact) => !isPlace(fact)) || block.omitted !== undefined;
        return says ? [{ ...block, facts }] : [];
      }),
    ),
  };
}

function keyOf({ of }: Facts, { label, value }: Fact): string {
  return encodeCanonicalJson([of, label, value]);
}
