/** Devices as they were beside what they are: two readings of a device, or a hand-over file and today. */
import { defined } from '../../../shared/defined.ts';
import { detailOf } from '../../../shared/details.ts';
import type { Block, ReportDocument, SealedDocument, Section, Value } from '../../../shared/report.ts';
import type { JobsApi } from '../../api.ts';
import { documentOf, errorWords, line, placeWords, table, timeOf, wordsOfOperation } from '../document.ts';
import type { DocumentContext, Subject } from '../document.ts';
import type { DeviceReading } from '../reading.ts';
import { compare } from './compare.ts';
import type { Difference } from './compare.ts';
import { isSetting, keyedDocument, keyedReading } from './keyed.ts';
import type { Keyed } from './keyed.ts';
import { authorsOf } from './who.ts';

/** A device then and now. */
export interface Then {
  readonly name: string;
  readonly address?: string;
  /** Absent: it was not there. */
  readonly before?: Keyed;
  /** ISO 8601. */
  readonly beforeAt?: string;
  /** Absent: it is not in the inventory any more. */
  readonly subject?: Subject;
}

export interface DateOptions extends DocumentContext {
  readonly jobs: Pick<JobsApi, 'search' | 'show'>;
  /** Readings of a device between then and now, oldest first. */
  readonly between: (deviceId: string, from: string | undefined) => Iterable<DeviceReading>;
  /** Also what is the same. */
  readonly all: boolean;
}

/** What became of one device. */
export interface Fate {
  readonly then: Then;
  readonly state: 'same' | 'changed' | 'gone' | 'added' | 'not-read';
  readonly differences: readonly (Difference & { readonly since?: Value; readonly by?: string })[];
}

/** Devices of a hand-over document, found again by their id or their address, and those that are new. */
export function thensOf({ document }: SealedDocument, subjects: readonly Subject[]): readonly Then[] {
  const kept = keyedDocument({ document, sha256: '' });
  const left = new Set(subjects);
  const before = (document.devices ?? []).map(({ id, name, address }): Then => {
    const subject = subjects.find((one) => one.id === id) ?? subjects.find(({ url }) => url === address);
    if (subject !== undefined) left.delete(subject);
    return {
      name,
      beforeAt: new Date(document.at).toISOString(),
      before: kept.get(id ?? '') ?? new Map(),
      ...defined({ address, subject }),
    };
  });
  return [
    ...before,
    ...[...left].map((subject): Then => ({ name: subject.name, address: subject.url, subject })),
  ];
}

export function fateOf(then: Then, { jobs, between, all }: DateOptions): Fate {
  const { subject, before, beforeAt } = then;
  if (subject === undefined) return { then, state: 'gone', differences: [] };
  const { reading, failed } = subject.known;
  if (reading === undefined || failed !== undefined) return { then, state: 'not-read', differences: [] };
  if (before === undefined) return { then, state: 'added', differences: [] };
  const now = keyedReading(reading, isSetting);
  // What was not handed over was not looked at then.
  const asked = new Set([...before.values()].map(({ operation }) => operation));
  const after: Keyed = new Map([...now].filter(([, { operation }]) => asked.has(operation)));
  const differences = compare(before, after);
  const changed = differences.filter(({ mark }) => mark !== 'same');
  if (changed.length === 0) return { then, state: 'same', differences: all ? differences : [] };
  const author = authorsOf(subject.id, beforeAt, jobs);
  const firstSeen = firstSeenOf(changed, between(subject.id, beforeAt));
  return {
    then,
    state: 'changed',
    differences: (all ? differences : changed).map((difference) => {
      const { operation, params, path } = difference.at;
      const known = difference.mark === 'same' ? undefined : author(operation, params, path);
      const seen = firstSeen.get(difference.key);
      return {
        ...difference,
        ...(known !== undefined
          ? { by: `${known.by} (${known.title}, ${known.id})`, since: timeOf(known.at) }
          : seen === undefined
            ? {}
            : { since: timeOf(seen) }),
      };
    }),
  };
}

/** The first of the readings in which each value was as it is now, and stayed so. */
function firstSeenOf(
  changed: readonly Difference[],
  readings: Iterable<DeviceReading>,
): ReadonlyMap<string, string> {
  const since = new Map<string, string>();
  for (const reading of readings) {
    const now = keyedReading(reading, isSetting);
    for (const difference of changed) {
      const is = compare(
        new Map([[difference.key, { ...difference.at, value: difference.after }]]),
        new Map([[difference.key, { ...difference.at, value: now.get(difference.key)?.value ?? null }]]),
      ).every(({ mark }) => mark === 'same');
      if (!is) since.delete(difference.key);
      else if (!since.has(difference.key)) since.set(difference.key, reading.at);
    }
  }
  return since;
}

export interface DateReport extends Pick<ReportDocument, 'kind' | 'title'> {
  /** What stands before everything: what was compared with what. */
  readonly about: readonly Block[];
}

export function dateReport(
  fates: readonly Fate[],
  { kind, title, about }: DateReport,
  context: DocumentContext,
): ReportDocument {
  const sections: Section[] = [
    { title: { id: 'reports.overview' }, blocks: [...about, ...overview(fates)] },
    ...fates.flatMap((fate): Section[] => {
      const { then, differences } = fate;
      if (differences.length === 0) return [];
      return [
        {
          title: then.name,
          ...defined({ device: then.subject?.id }),
          blocks: [
            {
              block: 'facts',
              facts: [
                line('reports.then', then.beforeAt === undefined ? null : timeOf(then.beforeAt)),
                line('reports.now', nowOf(fate)),
              ],
            },
            table(
              undefined,
              DATE_COLUMNS,
              differences.map((difference) => [...dateCells(difference)]),
            ),
          ],
        },
      ];
    }),
  ];
  const subjects = fates.flatMap(({ then }) => then.subject ?? []);
  return documentOf({ kind, title, sections }, subjects, context);
}

const DATE_COLUMNS = [
  ['reports.read', 'text'],
  ['reports.place', 'text'],
  ['reports.field', 'text'],
  ['reports.then', 'text'],
  ['reports.now', 'text'],
  ['report.result', 'mark'],
  ['reports.since', 'time'],
  ['reports.changed-by', 'text'],
] as const;

function dateCells({ at, mark, before, after, since, by }: Fate['differences'][number]): readonly Value[] {
  return [
    wordsOfOperation(at.operation),
    placeWords(at.operation, at.params),
    at.label,
    before,
    after,
    { mark },
    since ?? null,
    by ?? null,
  ];
}

function nowOf({ then: { subject } }: Fate): Value {
  const at = subject?.known.reading?.at;
  return at === undefined ? null : timeOf(at);
}

function overview(fates: readonly Fate[]): readonly Block[] {
  const count = (state: Fate['state']): number => fates.filter((fate) => fate.state === state).length;
  return [
    {
      block: 'paragraph',
      text: detailOf('reports.fates', {
        same: count('same'),
        changed: count('changed'),
        gone: count('gone'),
        added: count('added'),
        unread: count('not-read'),
      }),
    },
    table(
      { id: 'report.devices' },
      [
        ['report.device', 'text'],
        ['report.address', 'text'],
        ['report.result', 'mark'],
        ['reports.differences', 'number'],
        ['reports.now', 'time'],
        ['reports.note', 'text'],
      ],
      fates.map((fate) => {
        const { then, state, differences } = fate;
        const error = then.subject?.known.failed?.error;
        return [
          then.name,
          then.subject?.url ?? then.address ?? null,
          { mark: state === 'not-read' ? 'no-answer' : state },
          { number: differences.filter(({ mark }) => mark !== 'same').length },
          nowOf(fate),
          error === undefined
            ? state === 'not-read'
              ? { id: 'reports.never-read' }
              : null
            : errorWords(error),
        ];
      }),
    ),
  ];
}

export const DATE_HEADS = [
  'report.device',
  'report.address',
  'reports.operation',
  'reports.on-the-wire',
  ...DATE_COLUMNS.map(([id]) => id),
] as const;

/** One line a difference, and one for each device that is gone, new or was not read. */
export function* dateRows(fates: readonly Fate[]): Generator<readonly Value[]> {
  for (const { then, state, differences } of fates) {
    const head = [then.name, then.subject?.url ?? then.address ?? null];
    if (differences.length === 0)
      yield [
        ...head,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        { mark: state === 'not-read' ? 'no-answer' : state },
        null,
        null,
      ];
    for (const difference of differences)
      yield [...head, difference.at.operation, difference.at.path, ...dateCells(difference)];
  }
}
