/** Parts that all reports share: the head, and helpers for small blocks. */
import { randomUUID } from 'node:crypto';
import type { BareDetailId } from '#shared/details.ts';
import { formatDeviceReason } from '#shared/device-reason.ts';
import type { Site } from '#shared/access.ts';
import type { DeviceKind, Params } from '#shared/model.ts';
import { placeOf } from '#shared/place.ts';
import {
  REPORT_FORMAT,
  type Fact,
  type ReportDocument,
  type Section,
  type Table,
  type Value,
  type DocumentText,
} from '#shared/report-document.ts';
import { findOperation, toKindValues } from '#protocol/index.ts';
import type { Clock } from '../api/host.ts';
import { formatLocalTime, getZoneName } from '../host/local-time.ts';
import { getOperationText } from '../report-files/facts.ts';
import type { ReadingError } from './reading.ts';
import type { Known } from './readings.ts';

/** A device of a report as the inventory knows it now, and what was read of it. */
export interface Subject {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly tags: readonly string[];
  /** Identity from discovery, `serial:…` or `mac:…`. */
  readonly identity?: string;
  readonly site?: Pick<Site, 'id' | 'name'>;
  /** Read when it is asked for: of many devices it is much. */
  readonly known: Known;
}

export interface DocumentContext {
  readonly clock: Clock;
  readonly user: string;
  readonly version: string;
}

/** The site is named where all devices belong to it. */
export function buildReportDocument(
  { kind, title, sections }: Pick<ReportDocument, 'kind' | 'title' | 'sections'>,
  subjects: readonly Pick<Subject, 'id' | 'name' | 'url' | 'identity' | 'site'>[],
  { clock, user, version }: DocumentContext,
): ReportDocument {
  const sites = new Set(subjects.map(({ site }) => site?.id));
  const site = sites.size === 1 ? subjects[0]?.site : undefined;
  return {
    format: REPORT_FORMAT,
    kind,
    id: randomUUID(),
    title,
    // Exact: whether a device was read before or after it decides what a warranty check may say.
    at: formatLocalTime(clock.now(), { exact: true }),
    zone: getZoneName(),
    by: [{ name: user }],
    preparedWith: { name: 'Fieldwright', version },
    devices: subjects.map((subject) => ({
      id: subject.id,
      name: subject.name,
      address: subject.url,
      serial: getSerialNumber(subject),
    })),
    site: site && { id: site.id, name: site.name },
    sections: sections as Section[],
  };
}

/** Returns the serial number, if the device announces it. */
export function getSerialNumber({ identity }: Pick<Subject, 'identity'>): string | undefined {
  return /^serial:(.+)$/.exec(identity ?? '')?.[1];
}

export function buildTable(
  title: DocumentText | undefined,
  columns: readonly (readonly [label: BareDetailId, type: Table['columns'][number]['type']])[],
  rows: readonly (readonly Value[])[],
): Table {
  return {
    block: 'table',
    title,
    columns: columns.map(([id, type]) => ({ label: { id }, type })),
    rows: rows as Value[][],
  };
}

/** Removes the columns in which every cell is empty. */
export function removeEmptyColumns(block: Table): Table {
  const kept = block.columns.map((_column, at) => block.rows.some((row) => row[at] !== null));
  const of = <T>(items: readonly T[]): T[] => items.filter((_item, at) => kept[at] === true);
  return { ...block, columns: of(block.columns), rows: block.rows.map(of) };
}

export function makeFact(id: BareDetailId, value: Value): Fact {
  return { label: { id }, value };
}

/** The operation by its name; ids of another version stay as they are. */
export function describeOperation(id: string): DocumentText {
  const operation = findOperation(id);
  return operation === undefined ? id : getOperationText(operation);
}

/** `Channel 2, preset 1`; null where there is nothing to tell apart. */
export function placeText(operation: string, params: Params): DocumentText | null {
  return formatParamRanges(operation, [params]);
}

/** Formats the parameters of several answers together: `Channel 1–4`. */
export function formatParamRanges(operation: string, places: readonly Params[]): DocumentText | null {
  const named = (findOperation(operation)?.params ?? []).filter(({ name, default: usual }) =>
    places.some((params) => (params[name] ?? usual) !== usual),
  );
  if (named.length === 0) return null;
  const names = named.map(({ name }) => name);
  const all = places.map((params) => named.map(({ name, default: usual }) => params[name] ?? usual));
  // The entry of a list that broke off has no known parameters.
  const known = all.filter((place) => !place.includes(undefined));
  const values = names.map((_name, nth) => [...new Set(known.map((place) => place[nth] ?? ''))]);
  const product = values.reduce((count, own) => count * own.length, 1);
  const together = placeOf(Object.fromEntries(names.map((name, nth) => [name, runsOf(values[nth] ?? [])])));
  if (typeof together === 'object' && known.length > 0 && product === known.length) return together;
  return all
    .map((place) => names.flatMap((name, nth) => (place[nth] === undefined ? [] : [`${name} ${place[nth]}`])))
    .filter((place) => place.length > 0)
    .map((place) => place.join(', '))
    .join('; ');
}

/** Shortens consecutive numbers, `1–4, 7`; other values are kept as they are. */
function runsOf(values: readonly (string | number)[]): string {
  const runs: (string | number)[][] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last !== undefined && Number(value) === Number(last.at(-1)) + 1) last.push(value);
    else runs.push([value]);
  }
  return runs.flatMap((run) => (run.length < 3 ? run : [`${run[0] ?? ''}–${run.at(-1) ?? ''}`])).join(', ');
}

/** Formats the kinds of a device in the reader's language. */
export function formatDeviceKinds(kinds: readonly DeviceKind[] = []): DocumentText | null {
  const [kind] = kinds;
  if (kind === undefined) return null;
  if (kinds.length === 1) return { id: `reports.kind-${kind}` };
  return { id: 'reports.kinds-of-device', values: toKindValues(kinds) };
}

/** Sorts by name in natural order: `Door 2` before `Door 10`. */
export function sortByName<T extends { readonly name: string }>(subjects: readonly T[]): readonly T[] {
  return subjects.toSorted((a, b) => NAMES.compare(a.name, b.name));
}
const NAMES = new Intl.Collator('en', { numeric: true });

/** The device's own words where it had some; else what kept it from answering. */
export function describeReadingError({ detail, message, status }: ReadingError): DocumentText {
  return formatDeviceReason(status) ?? detail ?? message;
}

/** A time of the journal as documents write it. */
export function makeTimeValue(iso: string): Value {
  return { time: formatLocalTime(new Date(iso)) };
}
