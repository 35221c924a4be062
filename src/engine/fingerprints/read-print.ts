/** A line of NDJSON to a fingerprint: checked against the specification (part 2, 2.7) before anything is sent. */
import { isPlain, validate, type Issue } from '#protocol/index.ts';
import { formatDetail, say, splitSentences } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { ErrorShape } from '#shared/errors.ts';
import { MOST_READERS } from '#shared/people/fingerprints.ts';
import { parseLine, readPersonNumber } from '../people/file/marks.ts';
import type { Line } from './lines.ts';
import { getSpecifiedOperation, getSpecifiedRequest } from '../operations/specified.ts';

/** A fingerprint with its template: never in a log, an error, or a plain row. */
export interface Print {
  readonly employeeNo: string;
  readonly fingerPrintID: number;
  readonly fingerType: string;
  /** Base64. */
  readonly fingerData: string;
  readonly leaderFP?: readonly number[];
  /** Readers of this fingerprint alone; absent: those of the job. */
  readonly readers?: readonly number[];
}

/** Person and finger of a line, as far as known. */
export type Whose = Partial<Pick<Print, 'employeeNo' | 'fingerPrintID'>>;

type ReadPrint =
  | {
      readonly ok: true;
      readonly print: Print;
      readonly unknown: readonly string[];
      /** Employee number as written in the line, if marks were taken off it. */
      readonly marked?: string;
    }
  | { readonly ok: false; readonly whose: Whose; readonly error: ErrorShape };

const KNOWN: ReadonlySet<string> = new Set([
  'employeeNo',
  'fingerPrintID',
  'fingerType',
  'fingerData',
  'leaderFP',
  'readers',
]);

export const SET_UP = 'accessControl.fingerprints.setUp';

/** Reads a fingerprint. Never throws; no error holds a value of the line. */
export function readPrint(line: Line): ReadPrint {
  const refuse = (whose: Whose, error: Omit<ErrorShape, 'source'>): ReadPrint => ({
    ok: false,
    whose,
    error: { source: 'user', line: line.number, ...error },
  });
  if ('problem' in line) {
    const { id, values } = line.problem;
    return refuse(
      {},
      {
        code: 'unreadable-file',
        ...say(id as 'prints-line-long', values as { max: number }),
      },
    );
  }
  const value = parseLine(line.text, (name) => name === 'employeeNo');
  if (value === undefined)
    return refuse(
      {},
      {
        code: 'unreadable-file',
        ...say(line.cut ? 'prints-line-cut' : 'prints-line-json'),
      },
    );
  if (!isPlain(value)) return refuse({}, { code: 'wrong-type', ...say('prints-line-object') });
  const { readers, ...print } = value;
  const number = print['employeeNo'] === undefined ? undefined : readPersonNumber(print['employeeNo']);
  if (number !== undefined && 'complaint' in number)
    return refuse(whoseOf(value), {
      code: 'not-allowed',
      path: 'employeeNo',
      ...splitSentences(formatDetail(number.complaint)),
      detail: number.complaint,
    });
  const marked = number?.marked === true ? String(print['employeeNo']) : undefined;

  const known: Record<string, unknown> = Object.fromEntries(
    Object.entries(print).filter(([name]) => KNOWN.has(name)),
  );
  if (number !== undefined) known['employeeNo'] = number.value;
  const whose = whoseOf(known);
  if (readers !== undefined && !isReaders(readers))
    return refuse(whose, {
      code: 'out-of-range',
      path: 'readers',
      ...say('prints-reader', { max: MOST_READERS }),
    });
  const data = known['fingerData'];
  if (data === undefined || data === '')
    return refuse(whose, { code: 'missing-field', path: 'fingerData', ...say('prints-line-data') });
  const payload = getSpecifiedRequest(getSpecifiedOperation(SET_UP));
  const [first, ...others] = validate(payload, { ...known, enableCardReader: [1] }, { mode: 'whole' }).map(
    (issue): ErrorShape => ({ source: 'user', line: line.number, ...shown(issue) }),
  );
  if (first !== undefined) return refuse(whose, { ...first, ...(others.length > 0 ? { others } : {}) });
  return {
    ok: true,
    print: { ...(known as unknown as Print), ...removeUndefined({ readers }) },
    unknown: Object.keys(value).filter((name) => !KNOWN.has(name)),
    marked,
  };
}

export function isReaders(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((reader) => Number.isInteger(reader) && reader >= 1 && reader <= MOST_READERS)
  );
}

function whoseOf({ employeeNo, fingerPrintID }: Readonly<Record<string, unknown>>): Whose {
  return {
    ...(typeof employeeNo === 'string' && employeeNo.length <= 32 ? { employeeNo } : {}),
    ...(typeof fingerPrintID === 'number' ? { fingerPrintID } : {}),
  };
}

function shown({ code, path, message, allowed, detail }: Issue): Omit<ErrorShape, 'source'> {
  return { code, path, message, ...removeUndefined({ allowed, detail }) };
}
