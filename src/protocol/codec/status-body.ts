/** Finds a status in a body of either family, and what a refused sign-in says about locks. */
import type { StatusReport } from '#shared/errors.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { replaceUnseen } from '#shared/text/unseen.ts';
import type { Limits } from './limits.ts';
import { listMembers, parseJson, type JsonNode } from './json-text.ts';
import { sniff } from './problems.ts';
import { listChildElements, getLocalName, parseXml, getElementText } from './xml-tree.ts';

export interface Lock {
  readonly locked?: boolean;
  /** Attempts left before the account is locked. */
  readonly attemptsLeft?: number;
  /** Seconds until the account is free again. */
  readonly unlockSeconds?: number;
}
export interface StatusBody {
  readonly family: 'xml-status' | 'json-status';
  readonly fields: Omit<StatusReport, 'http'>;
  readonly lock?: Lock;
  /** True if the document holds more than the status. */
  readonly hasMore: boolean;
  /** False where the device says that it was never activated. */
  readonly activated?: boolean;
}

type StatusFields = ReadonlyMap<string, string | number | boolean>;

const STATUS_ROOT = 'ResponseStatus';
/** Fields of refused sign-ins, under any root. */
const SIGN_IN_NAMES = ['lockStatus', 'retryLoginTime', 'unlockTime', 'isActivated'];
/** A JSON object is a status when it holds one of these; `errorCode` beside other members may be data. */
const STATUS_NAMES = ['statusCode', 'statusString', 'subStatusCode', 'errorMsg', 'requestURL'];
const XML_NAMES = [STATUS_ROOT, ...SIGN_IN_NAMES];
const JSON_NAMES = [...STATUS_NAMES, ...SIGN_IN_NAMES];
const ERROR_CODE = 'errorCode';
const LONGEST = 300;
/** Longest text in which an empty object is looked for between white space. */
const SHORT = 100;

/** The status in `text`; undefined where the body is something else. Never throws. */
export function readReport(text: string, limits: Limits): StatusBody | undefined {
  const isShort = text.length <= KEPT_LENGTH;
  const known = isShort ? lately.get(text) : undefined;
  if (known !== undefined) return known;
  const found = readAnew(text, limits);
  if (found !== undefined && isShort) keep(text, found);
  return found;
}

/** Devices of one model say OK in the same words, time and again. Only statuses are kept, never documents. */
const lately = new Map<string, StatusBody>();
const KEPT = 64;
const KEPT_LENGTH = 2000;

function keep(text: string, found: StatusBody): void {
  const [oldest] = lately.size < KEPT ? [] : lately.keys();
  if (oldest !== undefined) lately.delete(oldest);
  lately.set(text, found);
}

function readAnew(text: string, limits: Limits): StatusBody | undefined {
  try {
    const isXml = sniff(text) === 'xml';
    if (!mayBeStatus(text, isXml ? XML_NAMES : JSON_NAMES)) return undefined;
    return isXml ? xmlStatus(text, limits) : jsonStatus(text, limits);
  } catch {
    // An unreadable body is no status; reading its payload reports the reason.
    return undefined;
  }
}

/** Most answers are documents and no status: that is seen without parsing them. */
function mayBeStatus(text: string, names: readonly string[]): boolean {
  return text.length <= SHORT || text.includes('\\u') || names.some((name) => text.includes(name));
}

function xmlStatus(text: string, limits: Limits): StatusBody | undefined {
  const { root } = parseXml(text, limits);
  const statusFields = new Map<string, string>();
  for (const child of listChildElements(root)) {
    const name = getLocalName(child);
    if (!statusFields.has(name)) statusFields.set(name, getElementText(child));
  }
  if (getLocalName(root) !== STATUS_ROOT && !SIGN_IN_NAMES.some((name) => statusFields.has(name)))
    return undefined;
  return bodyOf('xml-status', statusFields, hasOthers(statusFields.keys()));
}

function jsonStatus(text: string, limits: Limits): StatusBody | undefined {
  const tree = parseJson(text, limits);
  if (tree.type !== 'object') return undefined;
  const held = listMembers(tree);
  const [only, another] = held;
  // Some devices wrap the object in a root name of its own.
  const node = another === undefined && only?.value.type === 'object' ? only.value : tree;
  const statusFields = statusFieldsOf(node);
  const isStatus =
    held.length === 0 ||
    JSON_NAMES.some((name) => statusFields.has(name)) ||
    held.every(({ name }) => name === ERROR_CODE);
  const names = listMembers(node).map(({ name }) => name);
  return isStatus ? bodyOf('json-status', statusFields, hasOthers(names)) : undefined;
}

function hasOthers(names: Iterable<string>): boolean {
  return [...names].some((name) => name !== ERROR_CODE && !JSON_NAMES.includes(name));
}

function statusFieldsOf(node: JsonNode): StatusFields {
  const statusFields = new Map<string, string | number | boolean>();
  for (const { name, value } of listMembers(node)) {
    const single = value.value as string | number | boolean | null | undefined;
    if (single !== null && single !== undefined && !statusFields.has(name)) statusFields.set(name, single);
  }
  return statusFields;
}

function bodyOf(family: StatusBody['family'], statusFields: StatusFields, hasMore: boolean): StatusBody {
  return removeUndefined({
    family,
    hasMore,
    fields: removeUndefined({
      statusCode: codeIn(statusFields.get('statusCode'), family),
      statusString: textIn(statusFields.get('statusString')),
      subStatusCode: textIn(statusFields.get('subStatusCode')),
      errorCode: numberIn(statusFields.get(ERROR_CODE)),
      errorMsg: textIn(statusFields.get('errorMsg')),
    }),
    lock: lockIn(statusFields),
    activated: activatedIn(statusFields.get('isActivated')),
  });
}

/** XML codes are numbers written as text; JSON ones stay of the type they came in. */
function codeIn(
  value: string | number | boolean | undefined,
  family: StatusBody['family'],
): number | string | undefined {
  if (typeof value === 'boolean') return undefined;
  if (family === 'xml-status') return numberIn(value) ?? textIn(value);
  return typeof value === 'number' ? value : textIn(value);
}

function numberIn(value: string | number | boolean | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return /^\s*(?:\d{1,10}|0x[0-9a-fA-F]{1,8})\s*$/.test(String(value)) ? Number(value) : undefined;
}

/** Bounded and without control characters: it is shown on screens and terminals. */
function textIn(value: string | number | boolean | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = replaceUnseen(String(value), () => ' ').trim();
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function lockIn(statusFields: StatusFields): Lock | undefined {
  const state = statusFields.get('lockStatus');
  const lock = removeUndefined({
    locked: state === undefined ? undefined : /^(lock|locked|true|1)$/i.test(String(state).trim()),
    attemptsLeft: numberIn(statusFields.get('retryLoginTime')),
    unlockSeconds: numberIn(statusFields.get('unlockTime')),
  });
  return Object.keys(lock).length > 0 ? lock : undefined;
}

function activatedIn(value: string | number | boolean | undefined): boolean | undefined {
  const text = String(value).trim().toLowerCase();
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}
