/** Devices as they were beside what they are: two readings of a device, or a hand-over file and today. */
import { findOperation } from '#protocol/index.ts';
import { createDetail } from '#shared/details.ts';
import type { Block, ReportDocument, SealedDocument, Section, Value } from '#shared/report-document.ts';
import type { Params } from '#shared/model.ts';
import {
  buildReportDocument,
  describeReadingError,
  makeFact,
  placeText,
  buildTable,
  makeTimeValue,
  describeOperation,
  type DocumentContext,
  type Subject,
} from '../document.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import type { Configuration } from '../configuration.ts';
import type { DeviceReading, ReadingError } from '../reading.ts';
import { compare, isSame, type Difference } from './compare.ts';
import { compareIdentities, findIdentity, type Identity } from './identity.ts';
import { combineItems, findWholeItems } from './whole-items.ts';
import { isSetting, indexDocument, indexReading, type Keyed } from './keyed.ts';
import { createJobFinder } from './who.ts';

/** A device then and now. */
export interface Then {
  readonly name: string;
  readonly address?: string;
  /** Absent: it was not there. */
  readonly before?: Keyed;
  /** Identity of the unit, as far as it was known. */
  readonly identity?: Identity;
  /** ISO 8601. */
  readonly beforeAt?: string;
  /** Absent: it is not in the inventory any more. */
  readonly subject?: Subject;
}

interface DateOptions extends DocumentContext {
  readonly configuration: (deviceId: string) => Configuration;
  /** Readings of a device between then and now, oldest first. */
  readonly between: (deviceId: string, from: string | undefined) => Iterable<DeviceReading>;
  /** Also what is the same. */
  readonly all: boolean;
}

/** Result for one device; not read is also one that did not answer for all that there was. */
interface Fate {
  readonly then: Then;
  readonly state: 'same' | 'changed' | 'gone' | 'added' | 'not-read';
  readonly differences: readonly (Difference & { readonly since?: Value; readonly by?: string })[];
}

/** Devices of a hand-over document, found again by their id or their address, and those that are new. */
export function matchEarlierDevices(
  { document }: SealedDocument,
  subjects: readonly Subject[],
): readonly Then[] {
  const kept = indexDocument({ document, sha256: '' });
  const left = new Set(subjects);
  const before = (document.devices ?? []).map(({ id, name, address }): Then => {
    const subject = subjects.find((one) => one.id === id) ?? subjects.find(({ url }) => url === address);
    if (subject !== undefined) left.delete(subject);
    return {
      name,
      beforeAt: new Date(document.at).toISOString(),
      before: kept.get(id ?? '') ?? new Map(),
      identity: findIdentity({ document }, id ?? ''),
      address,
      subject,
    };
  });
  return [
    ...before,
    ...[...left].map((subject): Then => ({ name: subject.name, address: subject.url, subject })),
  ];
}

export function determineFate(then: Then, { configuration, between, all }: DateOptions): Fate {
  const { subject, before, beforeAt, identity = new Map<string, string>() } = then;
  if (subject === undefined) return { then, state: 'gone', differences: [] };
  const { reading, failed } = subject.known;
  if (reading === undefined || failed !== undefined) return { then, state: 'not-read', differences: [] };
  if (before === undefined) return { then, state: 'added', differences: [] };
  // An empty or unrenewed reading does not show whether the device is still the same.
  if (before.size === 0 || isFromThen(then)) return { then, state: 'not-read', differences: [] };
  const now = indexReading(reading, isSetting);
  // An operation that was not handed over was not read then.
  const asked = new Set([...before.values()].map(({ operation }) => operation));
  const after: Keyed = new Map([...now].filter(([, { operation }]) => asked.has(operation)));
  const differences = [
    ...compareIdentities(identity, reading),
    ...unreadOnce(compare(before, after), reading),
  ];
  const listed = differences.filter(({ mark }) => mark !== 'same');
  const changed = listed.filter(({ mark }) => CHANGES.has(mark));
  const state = changed.length > 0 ? 'changed' : listed.length > 0 ? 'not-read' : 'same';
  const author = createJobFinder(configuration(subject.id), beforeAt);
  const firstSeen = changed.length === 0 ? undefined : firstSeenOf(changed, between(subject.id, beforeAt));
  return {
    then,
    state,
    differences: combineItems(
      toldOnce(
        (all ? differences : listed).map((difference) => {
          if (!CHANGES.has(difference.mark) || difference.at.operation === '') return difference;
          const { operation, params, path } = difference.at;
          const known = author(operation, params, path, difference.after);
          const seen = firstSeen?.get(difference.key);
          return {
            ...difference,
            ...(known !== undefined
              ? { by: `${known.by} (${known.title}, ${known.id})`, since: makeTimeValue(known.at) }
              : seen === undefined
                ? {}
                : { since: makeTimeValue(seen) }),
          };
        }),
      ),
      findWholeItems(differences),
    ),
  };
}

/**
 * Removes double lines. A document inside an answer is read by itself too: a change of it is one line, with
 * its author if known, else that of the document itself.
 */
function toldOnce(differences: Fate['differences']): Fate['differences'] {
  const documents = new Map(
    differences.map((difference) => {
      const { operation, path } = difference.at;
      return [keyInside(difference, findOperation(operation)?.response?.root ?? '', path), difference];
    }),
  );
  const left = new Set(differences);
  for (const difference of differences) {
    const [, root = '', path = ''] = /^(\w+)\.?(.*)$/.exec(difference.at.path) ?? [];
    const own = documents.get(keyInside(difference, root, path));
    if (own !== undefined)
      left.delete(difference.by !== undefined && own.by === undefined ? own : difference);
  }
  return differences.filter((difference) => left.has(difference));
}

function keyInside({ at, mark, before, after }: Difference, root: string, path: string): string {
  const area = at.operation.split('.', 1);
  return encodeCanonicalJson([area, root, at.params, path, mark, before, after]);
}

function isFromThen({ subject, beforeAt }: Then): boolean {
  const at = subject?.known.reading?.at;
  return at !== undefined && beforeAt !== undefined && at <= beforeAt;
}

const CHANGES: ReadonlySet<Difference['mark']> = new Set(['changed', 'added', 'gone']);

/** Marks what could not be read now, which is not missing: one line for all that a read would have shown. */
function unreadOnce(differences: readonly Difference[], reading: DeviceReading): readonly Difference[] {
  const listed = new Set<string>();
  return differences.flatMap((difference): readonly Difference[] => {
    const { operation, params } = difference.at;
    const mark = difference.mark === 'gone' ? silence(reading, operation, params) : undefined;
    if (mark === undefined) return [difference];
    const place = JSON.stringify([operation, params]);
    if (listed.has(place)) return [];
    listed.add(place);
    const at = { operation, params, path: '', label: { id: 'reports.answered' as const }, value: null };
    return [{ key: place, at, mark, before: null, after: null }];
  });
}

/** Returns why a read says nothing; undefined if it answered, or answered that there is no such thing. */
function silence(
  { answers, error }: DeviceReading,
  operation: string,
  params: Params,
): Difference['mark'] | undefined {
  const here = answers.filter(
    (answer) =>
      answer.operation === operation &&
      Object.entries(answer.params).every(([name, value]) => String(params[name]) === String(value)),
  );
  if (here.length === 0) return error === undefined ? undefined : 'no-answer';
  if (here.some(({ mark }) => mark === 'works')) return undefined;
  const [mark] = here.flatMap((answer) =>
    answer.mark === 'works' || answer.mark === 'not-found' ? [] : [answer.mark],
  );
  return mark;
}

/** Returns the first of the readings since which each value is as it is now. */
function firstSeenOf(
  changed: readonly Difference[],
  readings: Iterable<DeviceReading>,
): ReadonlyMap<string, string> {
  const since = new Map<string, string>();
  for (const reading of readings) {
    const now = indexReading(reading, isSetting);
    for (const difference of changed) {
      const is = isSame(difference.after, now.get(difference.key)?.value ?? null);
      if (!is) since.delete(difference.key);
      else if (!since.has(difference.key)) since.set(difference.key, reading.at);
    }
  }
  return since;
}

interface DateReport extends Pick<ReportDocument, 'kind' | 'title'> {
  /** Introduction: what was compared with what. */
  readonly about: readonly Block[];
}

export function buildDateReport(
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
          device: then.subject?.id,
          blocks: [
            {
              block: 'facts',
              facts: [
                makeFact('reports.then', then.beforeAt === undefined ? null : makeTimeValue(then.beforeAt)),
                makeFact('reports.now', nowOf(fate)),
              ],
            },
            buildTable(
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
  return buildReportDocument({ kind, title, sections }, subjects, context);
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
    at.operation === '' ? { id: 'reports.identity' } : describeOperation(at.operation),
    placeText(at.operation, at.params),
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
  return at === undefined ? null : makeTimeValue(at);
}

function overview(fates: readonly Fate[]): readonly Block[] {
  const count = (state: Fate['state']): number => fates.filter((fate) => fate.state === state).length;
  return [
    {
      block: 'paragraph',
      text: createDetail('reports.fates', {
        devices: fates.length,
        same: count('same'),
        changed: count('changed'),
        gone: count('gone'),
        added: count('added'),
        unread: count('not-read'),
      }),
    },
    buildTable(
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
        const { then, differences } = fate;
        return [
          then.name,
          then.subject?.url ?? then.address ?? null,
          markOf(fate),
          { number: differences.filter(({ mark }) => mark !== 'same').length },
          nowOf(fate),
          noteOf(fate),
        ];
      }),
    ),
  ];
}

function errorOf({ then }: Fate): ReadingError | undefined {
  const { reading, failed } = then.subject?.known ?? {};
  return failed?.error ?? reading?.error;
}

/** Returns the mark of a device; one that was not asked differs from one that was asked and gave no answer. */
function markOf(fate: Fate): Value {
  return { mark: fate.state === 'not-read' && errorOf(fate) !== undefined ? 'no-answer' : fate.state };
}

function noteOf(fate: Fate): Value {
  const { then, state, differences } = fate;
  const error = errorOf(fate);
  if (error !== undefined) return describeReadingError(error);
  if (differences.some(({ mark }) => mark !== 'same' && !CHANGES.has(mark)))
    return { id: 'reports.partly-read' };
  if (state !== 'not-read') return null;
  if (then.subject?.known.reading === undefined) return { id: 'reports.never-read' };
  return { id: then.before?.size === 0 ? 'reports.not-read-then' : 'reports.not-read-since' };
}

export const DATE_HEADS = [
  'report.device',
  'report.address',
  'reports.operation',
  'reports.on-the-wire',
  ...DATE_COLUMNS.map(([id]) => id),
] as const;

/** Yields one line a difference, and one for each device that is missing, new or was not read. */
export function* listDateRows(fates: readonly Fate[]): Generator<readonly Value[]> {
  for (const fate of fates) {
    const { then, differences } = fate;
    const head = [then.name, then.subject?.url ?? then.address ?? null];
    if (differences.length === 0)
      yield [...head, null, null, null, null, null, null, null, markOf(fate), null, null];
    for (const difference of differences)
      yield [...head, difference.at.operation, difference.at.path, ...dateCells(difference)];
  }
}
