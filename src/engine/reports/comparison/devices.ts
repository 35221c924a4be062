/** Devices with each other: which are alike, and what differs between those that are not. */
import { createDetail, formatSomeNames } from '#shared/details.ts';
import type { Params } from '#shared/model.ts';
import type { Block, Leaf, ReportDocument, Section, Value, DocumentText } from '#shared/report-document.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import {
  buildReportDocument,
  describeReadingError,
  formatParamRanges,
  placeText,
  buildTable,
  makeTimeValue,
  removeEmptyColumns,
  describeOperation,
  type DocumentContext,
  type Subject,
} from '../document.ts';
import { spreadOf, type Spread } from './compare.ts';
import { isSetting, indexCapabilities, indexReading, type Keyed } from './keyed.ts';

/** Side by side up to so many; beyond, each value with the devices that have it. */
const MOST_COLUMNS = 4;

export interface Compared {
  readonly subjects: readonly Subject[];
  readonly settings: readonly Spread[];
  readonly capabilities: readonly Spread[];
  /** Also what is the same. */
  readonly all: boolean;
  /** Places of subjects whose settings and capabilities are the same. */
  readonly groups: readonly (readonly number[])[];
}

export function compareDevices(subjects: readonly Subject[], all: boolean): Compared {
  const read = subjects.filter(({ known }) => known.reading !== undefined);
  const columns = read.map(({ known }) =>
    known.reading === undefined ? EMPTY : indexReading(known.reading, isSetting),
  );
  const capabilities = read.map(({ known }) =>
    known.reading === undefined ? EMPTY : indexCapabilities(known.reading),
  );
  const alike = Map.groupBy(
    read.map((_subject, nth) => nth),
    (nth) => encodeCanonicalJson([[...(columns[nth] ?? EMPTY)], [...(capabilities[nth] ?? EMPTY)]]),
  );
  return {
    subjects: read,
    all,
    settings: spreadOf(columns, all),
    capabilities: spreadOf(capabilities, all),
    groups: [...alike.values()],
  };
}

const EMPTY: Keyed = new Map();

export function buildDeviceReport(
  subjects: readonly Subject[],
  compared: Compared,
  context: DocumentContext,
): ReportDocument {
  const sections: Section[] = [
    { title: { id: 'reports.overview' }, blocks: [...overview(subjects, compared)] },
    ...sectionsOf('reports.settings-differ', compared.settings, compared),
    ...sectionsOf('reports.capabilities-differ', compared.capabilities, compared),
  ];
  return buildReportDocument(
    {
      kind: 'comparison',
      title: createDetail('reports.comparison-of', { count: subjects.length }),
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
      text: createDetail('reports.alike', { devices: read.length, groups: groups.length }),
    },
    buildTable(
      { id: 'reports.groups' },
      [
        ['reports.group', 'text'],
        ['reports.count', 'number'],
        ['report.devices', 'text'],
      ],
      groups.map((group, nth) => [
        `#${nth + 1}`,
        { number: group.length },
        formatSomeNames(namesOf(group, read), 50),
      ]),
    ),
    removeEmptyColumns(
      buildTable(
        { id: 'report.devices' },
        [
          ['report.device', 'text'],
          ['report.address', 'text'],
          ['reports.group', 'text'],
          ['reports.read-at', 'time'],
          ['reports.note', 'text'],
        ],
        subjects.map((subject): Value[] => {
          const { name, url, known } = subject;
          const group = groups.findIndex((places) => places.includes(read.indexOf(subject)));
          return [
            name,
            url,
            group < 0 ? null : `#${group + 1}`,
            known.reading === undefined ? null : makeTimeValue(known.reading.at),
            noteOf(known),
          ];
        }),
      ),
    ),
  ];
}

/** Returns why what is compared is not all of it, or not of now. */
function noteOf({ reading, failed }: Subject['known']): Value {
  const error = failed?.error ?? reading?.error;
  if (error !== undefined) return describeReadingError(error);
  return reading === undefined ? { id: 'reports.never-read' } : null;
}

function namesOf(places: readonly number[], subjects: readonly Subject[]): readonly string[] {
  return places.map((place) => subjects[place]?.name ?? '');
}

function sectionsOf(
  id: 'reports.settings-differ' | 'reports.capabilities-differ',
  spreads: readonly Spread[],
  compared: Compared,
): readonly Section[] {
  if (compared.subjects.length < 2)
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
        title: describeOperation(operation),
        blocks: differencesOf(own, compared),
      })),
    },
  ];
}

/** Lists the devices that alone have something, then what differs among those that have it. */
function differencesOf(spreads: readonly Spread[], compared: Compared): Leaf[] {
  const { subjects, all } = compared;
  const { partial, listed } = amongOwners(spreads, all);
  const rows = alikePlaces(listed);
  return [
    ...(partial.size === 0
      ? []
      : [
          removeEmptyColumns(
            buildTable(
              { id: 'reports.only-these' },
              [
                ['reports.place', 'text'],
                ['reports.count', 'number'],
                ['report.devices', 'text'],
              ],
              [...partial.values()].map(({ operation, places, devices }): Value[] => [
                formatParamRanges(operation, places),
                { number: devices.length },
                devicesText(devices, compared),
              ]),
            ),
          ),
        ]),
    ...(rows.length === 0
      ? []
      : [
          removeEmptyColumns(
            subjects.length <= MOST_COLUMNS ? sideBySide(rows, subjects) : oneBelowTheOther(rows, compared),
          ),
        ]),
  ];
}

interface Partial {
  readonly operation: string;
  readonly places: Params[];
  readonly devices: readonly number[];
}

/**
 * Splits the spreads. A device that answers nothing of a place is listed once, not with every field that it
 * does not have.
 */
function amongOwners(
  spreads: readonly Spread[],
  all: boolean,
): { readonly partial: ReadonlyMap<string, Partial>; readonly listed: readonly Spread[] } {
  const partial = new Map<string, Partial>();
  const listed: Spread[] = [];
  for (const own of Map.groupBy(spreads, ({ at }) => encodeCanonicalJson(at.params)).values()) {
    const [first] = own;
    if (first === undefined) continue;
    const absent = absentOf(own);
    if (absent.size > 0) {
      const devices = first.values
        .flatMap((one) => one.devices)
        .filter((nth) => !absent.has(nth))
        .sort((a, b) => a - b);
      const key = devices.join();
      const known = partial.get(key);
      if (known === undefined)
        partial.set(key, { operation: first.at.operation, places: [first.at.params], devices });
      else known.places.push(first.at.params);
    }
    for (const spread of own) {
      const values = spread.values
        .map(({ value, devices }) => ({ value, devices: devices.filter((nth) => !absent.has(nth)) }))
        .filter(({ devices }) => devices.length > 0);
      if (all || values.length > 1) listed.push({ ...spread, values });
    }
  }
  return { partial, listed };
}

/** Devices that have nothing of a place, of which these are all fields. */
function absentOf(fields: readonly Spread[]): ReadonlySet<number> {
  const lacking = fields.map(({ values }) => new Set(values.find(({ value }) => value === null)?.devices));
  return new Set([...(lacking[0] ?? [])].filter((nth) => lacking.every((set) => set.has(nth))));
}

/** One field with the places in which it differs in the same way. */
interface Row {
  readonly place: DocumentText | null;
  readonly spread: Spread;
}

function alikePlaces(spreads: readonly Spread[]): readonly Row[] {
  const groups = Map.groupBy(spreads, ({ at, values }) => encodeCanonicalJson([at.path, at.label, values]));
  return [...groups.values()].flatMap((own) => {
    const [spread] = own;
    if (spread === undefined) return [];
    return [
      {
        place: formatParamRanges(
          spread.at.operation,
          own.map(({ at }) => at.params),
        ),
        spread,
      },
    ];
  });
}

function sideBySide(rows: readonly Row[], subjects: readonly Subject[]) {
  const columns = subjects.map(({ name }) => ({ label: name, type: 'text' as const }));
  const empty = buildTable(
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
    rows: rows.map(({ place, spread: { at, values } }) => [
      place,
      at.label,
      ...subjects.map((_subject, nth) => values.find(({ devices }) => devices.includes(nth))?.value ?? null),
    ]),
  };
}

function oneBelowTheOther(rows: readonly Row[], compared: Compared) {
  return buildTable(
    undefined,
    [
      ['reports.place', 'text'],
      ['reports.field', 'text'],
      ['report.value', 'text'],
      ['reports.count', 'number'],
      ['report.devices', 'text'],
    ],
    rows.flatMap(({ place, spread: { at, values } }) =>
      values.map(({ value, devices }): Value[] => [
        place,
        at.label,
        value,
        { number: devices.length },
        devicesText(devices, compared),
      ]),
    ),
  );
}

/** Formats identical devices by the number of their group, which the overview explains: `#2 (12), Door 7`. */
function devicesText(devices: readonly number[], { groups, subjects }: Compared): string {
  const wanted = new Set(devices);
  const grouped = new Set<number>();
  const numbers = groups.flatMap((group, nth) => {
    if (group.length < 2 || !group.every((place) => wanted.has(place))) return [];
    for (const place of group) grouped.add(place);
    return [`#${nth + 1} (${group.length})`];
  });
  const others = devices.filter((place) => !grouped.has(place));
  return formatSomeNames([...numbers, ...namesOf(others, subjects)], 12);
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

/** Yields one line for each device of each difference; none if it has nothing of such an answer. */
export function* spreadRows({ subjects, settings, capabilities }: Compared): Generator<readonly Value[]> {
  for (const spreads of [settings, capabilities])
    for (const fields of Map.groupBy(spreads, placeOf).values()) {
      const absent = absentOf(fields);
      for (const { at, values } of fields)
        for (const { value, devices } of values)
          for (const nth of devices) {
            if (absent.has(nth)) continue;
            yield [
              at.operation,
              describeOperation(at.operation),
              placeText(at.operation, at.params),
              at.path,
              at.label,
              subjects[nth]?.name ?? null,
              subjects[nth]?.url ?? null,
              value,
            ];
          }
    }
}

function placeOf({ at }: Spread): string {
  return encodeCanonicalJson([at.operation, at.params]);
}
