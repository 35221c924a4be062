/**
 * Builds the diagnostics report for remote support: versions, devices and their last errors, the journal in
 * short, the log, and the raw answers to chosen reads. It is redacted like a screen: it holds nothing from
 * the vault and nothing biometric.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOutOfFiles, toErrorShape } from '#shared/errors.ts';
import { UNIT_OUTCOMES, type Device, type JobSummary } from '#shared/model.ts';
import { getShownJobState } from '#shared/outcomes.ts';
import type { Block, ReportDocument, Section, Value } from '#shared/report-document.ts';
import { getJobKindLabel } from '#shared/units.ts';
import { findOperation, redactProse } from '#protocol/index.ts';
import type { LogEntry } from '../api/host.ts';
import type { OperationsApi } from '../api/routes.ts';
import { runInPool } from '../async/pool.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { readFaults } from '../files/fault-file.ts';
import { createLog } from '../host/log.ts';
import { hashSha256 } from '../text/sha256.ts';
import {
  buildReportDocument,
  describeReadingError,
  formatDeviceKinds,
  makeFact,
  buildTable,
  makeTimeValue,
  describeOperation,
  type DocumentContext,
  type Subject,
} from './document.ts';
import type { GatherContext } from './gather.ts';
import { toReadingError } from './reading.ts';
import { readJson, RECORD_BOUNDS } from '#shared/read-json.ts';

interface DiagnosticsOptions extends DocumentContext {
  readonly dataDir: string;
  readonly face: string;
  readonly devices: readonly Device[];
  readonly jobs: readonly JobSummary[];
  readonly answers: readonly RawAnswer[];
}

/** Answer to one read, masked for display. */
export interface RawAnswer {
  readonly device: string;
  readonly operation: string;
  readonly http?: number;
  readonly ms?: number;
  readonly text: string;
  /** Hash of the whole answer; `text` may hold only its beginning. */
  readonly hash: string;
  readonly error?: Parameters<typeof describeReadingError>[0];
}

const LOG_FILE = 'fieldwright.log';
const MOST_LINES = 2000;
const MOST_JOBS = 200;
const MOST_FAULTS = 100;
/** Characters of one answer; the omitted ones are counted at its end. */
const MOST_TEXT = 3900;
const AT_ONCE = 8;

/**
 * Asks each device for each operation once, and tells it in that order. GETs alone: a request that changes something has
 * no place here.
 */
export async function collectRawAnswers(
  subjects: readonly Subject[],
  operations: readonly string[],
  { call }: Pick<OperationsApi, 'call'>,
  hide: GatherContext['hide'],
  signal: AbortSignal,
): Promise<readonly RawAnswer[]> {
  const wanted = subjects.flatMap((subject) =>
    operations
      .filter((id) => findOperation(id)?.method === 'GET')
      .map((operation) => ({ subject, operation })),
  );
  const found: (readonly [nth: number, answer: RawAnswer])[] = [];
  const ask = async ({ subject, operation }: (typeof wanted)[number]): Promise<RawAnswer> => {
    const params = Object.fromEntries(
      (findOperation(operation)?.params ?? []).flatMap(({ name, default: usual, type }) =>
        usual === undefined ? [[name, type === 'int' ? 1 : '1']] : [],
      ),
    );
    const mask = hide(subject.id);
    try {
      const { exchange, error } = await call(
        { deviceId: subject.id, operation, params, trace: true },
        signal,
      );
      const text = mask(redactProse(exchange?.responseBody ?? ''));
      return {
        device: subject.name,
        operation,
        text: shortened(text),
        hash: hashSha256(text),
        http: exchange?.http,
        ms: exchange?.ms,
        error: error === undefined ? undefined : mask(toReadingError(error)),
      };
    } catch (thrown) {
      const error = mask(toReadingError(toErrorShape(thrown)));
      return { device: subject.name, operation, text: '', hash: hashSha256(''), error };
    }
  };
  const numbered = async (one: (typeof wanted)[number], nth: number) => [nth, await ask(one)] as const;
  for await (const answer of runInPool(wanted, numbered, { concurrency: AT_ONCE, signal }))
    found.push(answer);
  return found.toSorted(([one], [other]) => one - other).map(([, answer]) => answer);
}

function shortened(text: string): string {
  const left = text.length - MOST_TEXT;
  return left <= 0 ? text : `${text.slice(0, MOST_TEXT).toWellFormed()}… (+${left})`;
}

export function buildDiagnosticsReport(
  subjects: readonly Subject[],
  options: DiagnosticsOptions,
): ReportDocument {
  const sections: Section[] = [
    { title: { id: 'reports.versions' }, blocks: [versions(options)] },
    { title: { id: 'report.devices' }, blocks: [states(options.devices)] },
    { title: { id: 'reports.journal' }, blocks: [journal(options.jobs)] },
    { title: { id: 'reports.faults' }, blocks: [faults(options.dataDir)] },
    { title: { id: 'reports.log' }, blocks: [log(options.dataDir)] },
    ...(options.answers.length === 0
      ? []
      : [{ title: { id: 'reports.raw-answers' } as const, blocks: [...answers(options.answers)] }]),
  ];
  return buildReportDocument(
    { kind: 'diagnostics', title: { id: 'reports.diagnostics' }, sections },
    subjects,
    options,
  );
}

function versions({ version, face }: DiagnosticsOptions): Block {
  const { node = '', sqlite = '', openssl = '', electron } = process.versions;
  return {
    block: 'facts',
    facts: [
      makeFact('reports.app', `Fieldwright ${version} (${face})`),
      makeFact('reports.platform', `${process.platform} ${process.arch}`),
      makeFact('reports.runtime', `Node ${node}${electron === undefined ? '' : `, Electron ${electron}`}`),
      makeFact('reports.libraries', `SQLite ${sqlite}, OpenSSL ${openssl}`),
    ],
  };
}

function states(devices: readonly Device[]): Block {
  return buildTable(
    undefined,
    [
      ['report.device', 'text'],
      ['report.address', 'text'],
      ['reports.kinds', 'text'],
      ['reports.reach', 'text'],
      ['reports.sign-in', 'text'],
      ['reports.last-seen', 'time'],
      ['reports.last-error', 'text'],
    ],
    devices.map(({ name, url, kinds, reach, signIn, lastSeen, lastError }): Value[] => [
      name,
      url,
      formatDeviceKinds(kinds),
      { id: `status.reach.${reach}` },
      { id: `status.signIn.${signIn}` },
      lastSeen === undefined ? null : makeTimeValue(lastSeen),
      lastError === undefined ? null : `${lastError.code}: ${redactProse(lastError.message)}`,
    ]),
  );
}

function journal(all: readonly JobSummary[]): Block {
  const jobs = all.slice(0, MOST_JOBS);
  if (jobs.length === 0) return { block: 'paragraph', text: { id: 'reports.no-jobs' } };
  const outcomes = UNIT_OUTCOMES.filter((outcome) =>
    jobs.some(({ counts }) => counts[outcome] !== undefined),
  );
  return buildTable(
    undefined,
    [
      ['reports.number', 'text'],
      ['report.at', 'time'],
      ['reports.job-kind', 'text'],
      ['reports.state', 'text'],
      ['report.devices', 'number'],
      ...outcomes.map((outcome) => [`status.outcome.${outcome}`, 'number'] as const),
    ],
    jobs.map(({ id, createdAt, kind, devices, counts, ...rest }): Value[] => [
      id,
      makeTimeValue(createdAt),
      getJobKindLabel(kind),
      { id: `status.job.${getShownJobState({ kind, ...rest })}` },
      { number: devices },
      ...outcomes.map((outcome) => {
        const count = counts[outcome];
        return count === undefined ? null : { number: count };
      }),
    ]),
  );
}

/** Lists errors inside the program, newest first: they say where it has to be mended. */
function faults(dataDir: string): Block {
  const found = readFaults(dataDir, MOST_FAULTS).toReversed();
  if (found.length === 0) return { block: 'paragraph', text: { id: 'reports.no-faults' } };
  return buildTable(
    undefined,
    [
      ['report.at', 'time'],
      ['reports.event', 'text'],
      ['reports.error-code', 'text'],
      ['reports.fault', 'text'],
      ['reports.frames', 'text'],
    ],
    found.map(({ at, version, place, event, name, code, message, frames }): Value[] => [
      makeTimeValue(at),
      `${place} ${event} (${version})`,
      [name, code].filter(Boolean).join(' '),
      message,
      shortened(frames.join('\n')),
    ]),
  );
}

/** Allow-listed when it was written, and again when it is read: the file lies where others may write. */
function log(dataDir: string): Block {
  const entries: Value[][] = [];
  const take = createLog((entry: LogEntry) => {
    const { level, event, device, operation, ms, http, code } = entry;
    entries.push([
      level === 'info' || level === 'warn' || level === 'error' ? level : null,
      event,
      device ?? null,
      operation ?? null,
      code ?? null,
      http === undefined ? null : { number: http },
      ms === undefined ? null : { number: ms },
    ]);
  });
  for (const text of linesOf(join(dataDir, LOG_FILE)).slice(-MOST_LINES)) {
    try {
      take(readJson(text, RECORD_BOUNDS) as LogEntry);
    } catch {
      // A line that was cut off says nothing.
    }
  }
  if (entries.length === 0) return { block: 'paragraph', text: { id: 'reports.no-log' } };
  return buildTable(
    undefined,
    [
      ['reports.level', 'text'],
      ['reports.event', 'text'],
      ['report.device', 'text'],
      ['reports.operation', 'text'],
      ['reports.error-code', 'text'],
      ['reports.http', 'number'],
      ['reports.ms', 'number'],
    ],
    entries,
  );
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch (thrown) {
    if (isOutOfFiles(thrown)) throw thrown;
    // The command line writes none.
    return [];
  }
}

/**
 * Lists each distinct answer once, numbered, below the devices that gave it: many devices answer the same.
 */
function answers(all: readonly RawAnswer[]): readonly Block[] {
  const different = Map.groupBy(all, ({ operation, hash, text, error }) =>
    encodeCanonicalJson([operation, hash, text === '' ? (error ?? null) : null]),
  );
  const numbers = new Map(
    [...different.values()].flatMap((own, nth) => own.map((one) => [one, `#${nth + 1}`])),
  );
  return [
    buildTable(
      undefined,
      [
        ['report.device', 'text'],
        ['reports.read', 'text'],
        ['reports.http', 'number'],
        ['reports.ms', 'number'],
        ['reports.answer-number', 'text'],
      ],
      all.map((one): Value[] => [
        one.device,
        describeOperation(one.operation),
        one.http === undefined ? null : { number: one.http },
        one.ms === undefined ? null : { number: one.ms },
        numbers.get(one) ?? null,
      ]),
    ),
    buildTable(
      { id: 'reports.different-answers' },
      [
        ['reports.answer-number', 'text'],
        ['reports.read', 'text'],
        ['report.devices', 'number'],
        ['reports.raw', 'text'],
      ],
      [...different.values()].flatMap((own): Value[][] =>
        own
          .slice(0, 1)
          .map((one) => [
            numbers.get(one) ?? null,
            describeOperation(one.operation),
            { number: own.length },
            rawText(one),
          ]),
      ),
    ),
  ];
}

function rawText({ text, error }: RawAnswer): Value {
  return text !== '' ? text : error === undefined ? null : describeReadingError(error);
}

export const DIAGNOSTIC_HEADS = [
  'report.device',
  'reports.operation',
  'reports.http',
  'reports.ms',
  'reports.raw',
] as const;

export function* listDiagnosticRows(all: readonly RawAnswer[]): Generator<readonly Value[]> {
  for (const answer of all)
    yield [
      answer.device,
      answer.operation,
      answer.http === undefined ? null : { number: answer.http },
      answer.ms === undefined ? null : { number: answer.ms },
      rawText(answer),
    ];
}
