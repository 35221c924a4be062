/** Devices with each other: which are alike, and what differs between those that are not. */
import { detailOf, someOf } from '../../../shared/details.ts';
import type { Block, ReportDocument, Section, Value } from '../../../shared/report.ts';
import { findOperation } from '../../../protocol/index.ts';
import { canonicalJson } from '../../canonical-json.ts';
import { documentOf, errorWords, placeWords, table, timeOf, wordsOfOperation } from '../document.ts';
import type { DocumentContext, Subject } from '../document.ts';
import { spreadOf } from './compare.ts';
import type { Spread } from './compare.ts';
import { isSetting, keyedCapabilities, keyedReading } from './keyed.ts';
import type { Keyed } from './keyed.ts';

/** Side by side up to so many; beyond, each value with the devices that have it. */
const MOST_COLUMNS = 4;

export interface Compared {
  readonly subjects: readonly Subject[];
  readonly settings: readonly Spread[];
  readonly capabilities: readonly Spread[];
  /** Places of subjects whose settings and capabilities are the same. */
  readonly groups: readonly (readonly number[])[];
}

/** Of those that were read. */
export function compareDevices(subjects: readonly Subject[], all: boolean): Compared {
  const read = subjects.filter(({ known }) => known.reading !== undefined);
  const columns = read.map(({ known }) =>
    known.reading === undefined ? EMPTY : keyedReading(known.reading, isSetting),
  );
  const capabilities = read.map(({ known }) =>
    known.reading === undefined ? EMPTY : keyedCapabilities(known.reading),
  );
  const alike = Map.groupBy(
    read.map((_subject, nth) => nth),
    (nth) => canonicalJson([[...(columns[nth] ?? EMPTY)], [...(capabilities[nth] ?? EMPTY)]]),
  );
  return {
    subjects: read,
    settings: spreadOf(columns, all),
    capabilities: spreadOf(capabilities, all),
    groups: [...alike.values()],
  };
}

const EMPTY: Keyed = new Map();

export function deviceReport(
  subjects: readonly Subject[],
  compared: Compared,
  context: DocumentContext,
): ReportDocument {
  const sections: Section[] = [
    { title: { id: 'reports.overview' }, blocks: [...overview(subjects, compared)] },
    ...sectionsOf('reports.settings-differ', compared.settings, compared.subjects),
    ...sectionsOf('reports.capabilities-differ', compared.capabilities, compared.subjects),
  ];
  return documentOf(
    {
      kind: 'comparison',
      title: detailOf('reports.comparison-of', { count: subjects.length }),
      sections,
    },
    subjects,
    context,
  );
}

function overview(subjects: readonly Subject[], { subjects: read, groups }: Compared): readonly Block[] {
  return [
    {
      block: 'paragraph',
      text: detailOf('reports.alike', { devices: read.length, groups: groups.length }),
    },
    table(
      { id: 'reports.groups' },
      [
        ['reports.group', 'number'],
        ['reports.count', 'number'],
        ['report.devices', 'text'],
      ],
      groups.map((group, nth) => [
        { number: nth + 1 },
        { number: group.length },
        someOf(namesOf(group, read), 50),
      ]),
    ),
    table(
      { id: 'report.devices' },
      [
        ['report.device', 'text'],
        ['report.address', 'text'],
        ['reports.group', 'number'],
        ['reports.read-at', 'time'],
        ['reports.note', 'text'],
      ],
      subjects.map((subject): Value[] => {
        const { name, url, known } = subject;
        const group = groups.findIndex((places) => places.includes(read.indexOf(subject)));
        return [
          name,
          url,
          group < 0 ? null : { number: group + 1 },
          known.reading === undefined ? null : timeOf(known.reading.at),
          noteOf(known),
        ];
      }),
    ),
  ];
}

/** Why what is compared is not all of it, or not of now. */
function noteOf({ reading, failed }: Subject['known']): Value {
  const error = failed?.error ?? reading?.error;
  if (error !== undefined) return errorWords(error);
  return reading === undefined ? { id: 'reports.never-read' } : null;
}

function namesOf(places: readonly number[], subjects: readonly Subject[]): readonly string[] {
  return places.map((place) => subjects[place]?.name ?? '');
}

function sectionsOf(
  id: 'reports.settings-differ' | 'reports.capabilities-differ',
  spreads: readonly Spread[],
  subjects: readonly Subject[],
): readonly Section[] {
  if (subjects.length < 2)
    return [
      { title: { id }, blocks: [{ block: 'paragraph', tone: 'warning', text: { id: 'reports.too-few' } }] },
    ];
  if (spreads.length === 0)
    return [
      {
        title: { id },
        blocks: [{ block: 'paragraph', tone: 'good', text: { id: 'reports.no-difference' } }],
      },
    ];
  const byOperation = Map.groupBy(spreads, ({ at }) => at.operation);
  return [
    {
      title: { id },
      blocks: [...byOperation].map(([operation, own]): Block => ({
        block: 'group',
        title: wordsOfOperation(operation),
        blocks: [
          subjects.length <= MOST_COLUMNS ? sideBySide(own, subjects) : oneBelowTheOther(own, subjects),
        ],
      })),
    },
  ];
}

function sideBySide(spreads: readonly Spread[], subjects: readonly Subject[]) {
  const columns = subjects.map(({ name }) => ({ label: name, type: 'text' as const }));
  const empty = table(
    undefined,
    [
      ['reports.place', 'text'],
      ['reports.field', 'text'],
    ],
    [],
  );
  return {
    ...empty,
    columns: [...empty.columns, ...columns],
    rows: spreads.map(({ at, values }) => [
      placeWords(at.operation, at.params),
      at.label,
      ...subjects.map((_subject, nth) => values.find(({ devices }) => devices.includes(nth))?.value ?? null),
    ]),
  };
}

function oneBelowTheOther(spreads: readonly Spread[], subjects: readonly Subject[]) {
  return table(
    undefined,
    [
      ['reports.place', 'text'],
      ['reports.field', 'text'],
      ['report.value', 'text'],
      ['reports.count', 'number'],
      ['report.devices', 'text'],
    ],
    spreads.flatMap(({ at, values }) =>
      values.map(({ value, devices }): Value[] => [
        placeWords(at.operation, at.params),
        at.label,
        value,
        { number: devices.length },
        someOf(namesOf(devices, subjects), 12),
      ]),
    ),
  );
}

export const SPREAD_HEADS = [
  'reports.operation',
  'reports.document',
  'reports.place',
  'reports.on-the-wire',
  'reports.field',
  'report.device',
  'report.address',
  'report.value',
] as const;

/** One line for each device of each difference. */
export function* spreadRows({ subjects, settings, capabilities }: Compared): Generator<readonly Value[]> {
  for (const { at, values } of [...settings, ...capabilities])
    for (const { value, devices } of values)
      for (const nth of devices)
        yield [
          at.operation,
          findOperation(at.operation)?.label ?? at.operation,
          placeWords(at.operation, at.params),
          at.path,
          at.label,
          subjects[nth]?.name ?? null,
          subjects[nth]?.url ?? null,
          value,
        ];
}
