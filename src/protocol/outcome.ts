/**
 * Both status families to one outcome (part 1, 2.4; part 2, 7; part 3, 7). The body decides, not its
 * content type; wording is shown and never branched on.
 */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { sayWithReason, type BareDetailId } from '#shared/details.ts';
import { formatDeviceReason } from '#shared/device-reason.ts';
import { FieldwrightError, type ErrorCode, type ErrorShape, type StatusReport } from '#shared/errors.ts';
import type { Limits } from './codec/limits.ts';
import { sniff } from './codec/problems.ts';
import { readReport, type Lock, type StatusBody } from './codec/status-body.ts';

/**
 * `sign-in`: the device wants a sign-in, or the one that was sent did not do; what that means the connection concludes,
 * which knows what was sent, and hands on as `refused` what is about the right to one path.
 */
type StatusKind =
  'ok' | 'needs-reboot' | 'busy' | 'unsupported' | 'refused' | 'sign-in' | 'not-activated' | 'none';

export interface Status {
  readonly kind: StatusKind;
  readonly report: StatusReport;
  /** Attempts and locks reported by a refused sign-in. */
  readonly lock?: Lock;
  readonly body: 'xml-status' | 'json-status' | 'other' | 'empty';
  /** True where the body holds more than a status. */
  readonly hasMore: boolean;
  /** Namespace of the document that was sent, where the device never showed it for such a document. */
  readonly foreign?: ForeignNamespace;
}

/** Both empty where a document declares none. */
interface ForeignNamespace {
  readonly sent: string;
  /** Namespace that the device shows; undefined if it showed no document. */
  readonly shown?: string | undefined;
}

/** Bodies longer than this are answers, not statuses. */
const STATUS_LIMITS: Limits = { bytes: 64 * 1024, depth: 16, nodes: 500, mends: 100, name: 200 };

/**
 * Judges one HTTP answer. `none`: a 2xx whose body is no status, so the payload of a read. A 2xx
 * with an empty body is `ok`.
 */
export function readStatus(answer: { readonly http: number; readonly text: string }): Status {
  const found: StatusBody | undefined =
    answer.text.length <= STATUS_LIMITS.bytes ? readReport(answer.text, STATUS_LIMITS) : undefined;
  const body = found?.family ?? (sniff(answer.text) === 'empty' ? 'empty' : 'other');
  const report: StatusReport = { http: answer.http, ...found?.fields };
  const kind = kindOf(answer.http, body, found);
  return removeUndefined({
    kind,
    report,
    body,
    hasMore: found?.hasMore ?? body === 'other',
    lock: kind === 'sign-in' ? found?.lock : undefined,
  });
}

function kindOf(http: number, body: Status['body'], found: StatusBody | undefined): StatusKind {
  const claimed = found === undefined ? undefined : claimOf(found);
  if (http >= 400 && found !== undefined && saysNotActivated(found)) return 'not-activated';
  if (http === 401 || (http === 403 && found?.lock !== undefined)) return 'sign-in';
  if (http >= 200 && http < 300) return body === 'other' ? 'none' : (claimed ?? 'ok');
  // An error status with a good word in its body is still an error.
  if (claimed !== undefined && claimed !== 'ok' && claimed !== 'needs-reboot') return claimed;
  if (http === 503) return 'busy';
  return http === 404 || http === 405 || http === 501 ? 'unsupported' : 'refused';
}

const UNSUPPORTED = new Set(['notsupport', 'notsupported', 'methodnotallowed']);
const REBOOT = new Set(['rebootrequired', 'reboot']);
const BUSY = new Set(['devicebusy', 'busy']);

const NOT_ACTIVATED = new Set(['notactivated', 'devicenotactivated', 'inactive', 'unactivated']);

/** The device has no administrator password yet. */
function saysNotActivated({ fields, activated }: StatusBody): boolean {
  return activated === false || NOT_ACTIVATED.has(lettersOf(fields.subStatusCode));
}

/** A code without the differences of its spelling. */
function lettersOf(code: string | undefined): string {
  return (code ?? '').toLowerCase().replace(/[^a-z]/g, '');
}

/** Returns the status that the codes of the body claim; undefined if it has none. */
function claimOf(found: StatusBody): StatusKind | undefined {
  const sub = lettersOf(found.fields.subStatusCode);
  const code = codeOf(found);
  if (UNSUPPORTED.has(sub)) return 'unsupported';
  if (REBOOT.has(sub) || code === 7) return 'needs-reboot';
  if (BUSY.has(sub) || code === 2) return 'busy';
  if (code === 1 || (code === 0 && (found.family === 'xml-status' || saysOk(found)))) return 'ok';
  if (code !== undefined) return 'refused';
  if (sub !== '') return sub === 'ok' ? 'ok' : 'refused';
  return claimOfErrorCode(found.fields.errorCode);
}

/** Claim of an object that tells its result by `errorCode` alone (part 2, 7); 0 and 1 mean success there too. */
function claimOfErrorCode(errorCode: number | undefined): StatusKind | undefined {
  if (errorCode === undefined) return undefined;
  return errorCode === 0 || errorCode === 1 ? 'ok' : 'refused';
}

/** Part 1, 2.4 knows success as 1 alone; a 0 counts where the rest of the object says ok. */
function saysOk({ fields }: StatusBody): boolean {
  return [fields.subStatusCode, fields.statusString].some((text) => text?.toLowerCase() === 'ok');
}

/** The numeric status code; part 2 sends it as text. NaN for one that is no number. */
function codeOf(found: StatusBody): number | undefined {
  const code = found.fields.statusCode;
  return code === undefined || code === '' ? undefined : Number(code);
}

/** The status of a refusal as an error; the device's reason stays readable in `status`. */
export function createStatusError(status: Status, context?: RefusalContext): FieldwrightError {
  return new FieldwrightError(createRefusal(status, context));
}

/** Place of the refusal. */
type RefusalContext = Pick<ErrorShape, 'operation' | 'device' | 'exchange'>;

/**
 * Returns a refusal like `createStatusError` does, but as a shape: devices refuse by the thousand, and each
 * error captures the stack.
 */
export function createRefusal(status: Status, context: RefusalContext = {}): ErrorShape {
  const code = errorCodeOf(status);
  const reason = formatDeviceReason(status.report);
  const { foreign } = status;
  return removeUndefined({
    code,
    source: 'device',
    ...(foreign !== undefined && isAboutDocument(code, status)
      ? sayForeign(foreign, reason)
      : sayWithReason(reason, wordsOf(code, status))),
    status: status.report,
    operation: context.operation,
    device: context.device,
    exchange: context.exchange,
  });
}

/** Status 5 or 6, `badXmlFormat`, `badXmlContent`, or a bare 400: the document itself was refused. */
function isAboutDocument(code: ErrorCode, { report }: Status): boolean {
  if (code === 'invalid-format' || code === 'invalid-content') return true;
  return code === 'refused' && (report.http === 400 || /badxml|namespace/i.test(report.subStatusCode ?? ''));
}

function sayForeign({ sent, shown }: ForeignNamespace, reason: string | undefined) {
  const values = { sent: sent || '—' };
  return shown === undefined
    ? sayWithReason(reason, 'device.namespace-unseen', values)
    : sayWithReason(reason, 'device.namespace-other', { ...values, shown: shown || '—' });
}

function wordsOf(code: ErrorCode, { body, report }: Status): BareDetailId {
  // Any web server says so in its own words; this interface gives a status.
  if (code === 'not-supported' && (body === 'other' || body === 'empty'))
    return 'device.not-supported-at-all';
  if (
    code === 'invalid-operation' &&
    (report.http === 404 || SAYS_NOTHING_THERE.test(report.subStatusCode ?? ''))
  )
    return 'device.nothing-there';
  return SENTENCES[code] ?? 'device.refused-request';
}

/** Spellings of a missing channel or number in `subStatusCode`: `notExist`, `channelNotExist`, `noSuchChannel`. */
const SAYS_NOTHING_THERE = /not_?exist|no_?such|not_?found/i;

/** Spellings of a missing right in `subStatusCode`: `lowPrivilege`, `notPermission`, `noPermission`, `unauthorized`. */
const SAYS_NO_PERMISSION = /privilege|permi|unauth/i;

const BY_STATUS_CODE: Readonly<Record<number, ErrorCode>> = {
  2: 'device-busy',
  3: 'device-error',
  4: 'invalid-operation',
  5: 'invalid-format',
  6: 'invalid-content',
};

function errorCodeOf(status: Status): ErrorCode {
  if (status.kind === 'sign-in') return status.lock?.locked ? 'account-locked' : 'sign-in-failed';
  if (status.kind === 'busy') return 'device-busy';
  if (status.kind === 'needs-reboot') return 'reboot-required';
  if (status.kind === 'unsupported') return 'not-supported';
  if (status.kind === 'not-activated') return 'not-activated';
  // A sign-in that was refused is no answer: `sign-in-failed` ended it.
  if (status.report.http === 401 || SAYS_NO_PERMISSION.test(status.report.subStatusCode ?? ''))
    return 'no-permission';
  const byCode = BY_STATUS_CODE[Number(status.report.statusCode ?? 0)];
  if (byCode !== undefined) return byCode;
  if (status.report.http === 403) return 'no-permission';
  return status.report.http >= 500 ? 'device-error' : 'refused';
}

const SENTENCES: Readonly<Partial<Record<ErrorCode, BareDetailId>>> = {
  'account-locked': 'device.locked',
  'sign-in-failed': 'device.sign-in-failed',
  'device-busy': 'device.busy',
  'device-error': 'device.own-error',
  'invalid-operation': 'device.operation-not-now',
  'invalid-format': 'device.format',
  'invalid-content': 'device.content',
  'reboot-required': 'device.restart',
  'not-supported': 'device.not-supported',
  'no-permission': 'device.no-rights',
  'not-activated': 'device.not-activated',
};
