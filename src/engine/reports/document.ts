/** What every report has in common: its head, and small pieces of it. */
import { randomUUID } from 'node:crypto';
import { defined } from '../../shared/defined.ts';
import type { BareDetailId } from '../../shared/details.ts';
import type { Site } from '../../shared/access.ts';
import type { Params } from '../../shared/model.ts';
import type { Fact, ReportDocument, Section, Table, Value, Words } from '../../shared/report.ts';
import { REPORT_FORMAT } from '../../shared/report.ts';
import { findOperation } from '../../protocol/index.ts';
import type { Clock } from '../api.ts';
import { localTime, zoneName } from '../local-time.ts';
import { operationWords } from '../report/facts.ts';
import type { ReadingError } from './reading.ts';
import type { Known } from './readings.ts';

/** A device of a report as the inventory knows it now, and what was read of it. */
export interface Subject {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly tags: readonly string[];
  /** As discovery names it: `serial:…`, `mac:…`. */
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
export function documentOf(
  { kind, title, sections }: Pick<ReportDocument, 'kind' | 'title' | 'sections'>,
  subjects: readonly Subject[],
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
    at: localTime(clock.now(), { exact: true }),
    zone: zoneName(),
    by: [{ name: user }],
    preparedWith: { name: 'Fieldwright', version },
    devices: subjects.map((subject) => ({
      id: subject.id,
      name: subject.name,
      address: subject.url,
      ...defined({ serial: serialOf(subject) }),
    })),
    ...defined({ site: site && { id: site.id, name: site.name } }),
    sections: sections as Section[],
  };
}

/** As far as the device announces it. */
export function serialOf({ identity }: Subject): string | undefined {
  return /^serial:(.+)$/.exec(identity ?? '')?.[1];
}

export function table(
  title: Words | undefined,
  columns: readonly (readonly [label: BareDetailId, type: Table['columns'][number]['type']])[],
  rows: readonly (readonly Value[])[],
): Table {
  return {
    block: 'table',
    ...(title !== undefined && { title }),
    columns: columns.map(([id, type]) => ({ label: { id }, type })),
    rows: rows as Value[][],
  };
}

/** Without columns in which nothing stands. */
export function withoutEmpty(block: Table): Table {
  const kept = block.columns.map((_column, at) => block.rows.some((row) => row[at] !== null));
  const of = <T>(items: readonly T[]): T[] => items.filter((_item, at) => kept[at] === true);
  return { ...block, columns: of(block.columns), rows: block.rows.map(of) };
}

export function line(id: BareDetailId, value: Value): Fact {
  return { label: { id }, value };
}

/** The operation by its name; ids of another version stay as they are. */
export function wordsOfOperation(id: string): Words {
  const operation = findOperation(id);
  return operation === undefined ? id : operationWords(operation);
}

/** `Channel 2, Preset 1`; null where there is nothing to tell apart. */
export function placeWords(operation: string, params: Params): string | null {
  const known = findOperation(operation)?.params ?? [];
  const parts = Object.entries(params)
    .filter(([name, value]) => known.find((param) => param.name === name)?.default !== value)
    .map(([name, value]) => `${name} ${value}`);
  return parts.length === 0 ? null : parts.join(', ');
}

/** The device's own words where it had some; else what kept it from answering. */
export function errorWords({ detail, message, status }: ReadingError): Words {
  const said = [status?.subStatusCode, status?.errorMsg].filter((text) => text !== undefined && text !== '');
  return said.length > 0 ? said.join(': ') : (detail ?? message);
}

/** A time of the journal as documents write it. */
export function timeOf(iso: string): Value {
  return { time: localTime(new Date(iso)) };
}
