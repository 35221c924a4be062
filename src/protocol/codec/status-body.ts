/** Finds a status in a body of either family, and what a refused sign-in says about locks. */
import type { StatusReport } from '../../shared/errors.ts';
import { replaceUnseen } from '../../shared/text/unseen.ts';
import type { Limits } from './limits.ts';
import { members, parseJson } from './json-text.ts';
import type { JsonNode } from './json-text.ts';
import { sniff } from './problems.ts';
import { childElements, localName, parseXml, textOf } from './xml-tree.ts';

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
}

type Bag = ReadonlyMap<string, string | number | boolean>;

const STATUS_ROOT = 'ResponseStatus';
/** What refused sign-ins tell, under whatever root. */
const LOCK_NAMES = ['lockStatus', 'retryLoginTime', 'unlockTime'];
/** A JSON object is a status when it holds one of these; `errorCode` alone may be data. */
const STATUS_NAMES = ['statusCode', 'statusString', 'subStatusCode', 'errorMsg', 'requestURL'];
const LONGEST = 300;
/** Below this an empty object may hide between white space. */
const SHORT = 100;

/** The status in `text`; undefined where the body is something else. Never throws. */
export function readReport(text: string, limits: Limits): StatusBody | undefined {
  const known = lately.get(text);
  if (known !== undefined) return known;
  const found = readAnew(text, limits);
  if (found !== undefined && text.length <= KEPT_LENGTH) keep(text, found);
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
    if (!mayBeStatus(text)) return undefined;
    const kind = sniff(text);
    if (kind === 'xml') return xmlStatus(text, limits);
    return kind === 'json' ? jsonStatus(text, limits) : undefined;
  } catch {
    // A body that cannot be read is no status; whoever needs its payload finds out why.
    return undefined;
  }
}

/** Most answers are documents and no status: that is seen without parsing them. */
function mayBeStatus(text: string): boolean {
  return (
    text.length <= SHORT ||
    text.includes('\\u') ||
    [STATUS_ROOT, ...STATUS_NAMES, ...LOCK_NAMES].some((name) => text.includes(name))
  );
}

function xmlStatus(text: string, limits: Limits): StatusBody | undefined {
  const { root } = parseXml(text, limits);
  const bag = new Map<string, string>();
  for (const child of childElements(root)) {
    const name = localName(child);
    if (!bag.has(name)) bag.set(name, textOf(child).trim());
  }
  if (localName(root) !== STATUS_ROOT && !LOCK_NAMES.some((name) => bag.has(name))) return undefined;
  return bodyOf('xml-status', bag);
}

function jsonStatus(text: string, limits: Limits): StatusBody | undefined {
  const tree = parseJson(text, limits);
  if (tree.type !== 'object') return undefined;
  const held = members(tree);
  const [only] = held;
  // Some devices wrap the object in a root name of its own.
  const bag = held.length === 1 && only?.value.type === 'object' ? bagOf(only.value) : bagOf(tree);
  const isStatus = held.length === 0 || [...STATUS_NAMES, ...LOCK_NAMES].some((name) => bag.has(name));
  return isStatus ? bodyOf('json-status', bag) : undefined;
}

function bagOf(node: JsonNode): Bag {
  const bag = new Map<string, string | number | boolean>();
  for (const { name, value } of members(node)) {
    if (value.type === 'object' || value.type === 'array' || value.type === 'null' || bag.has(name)) continue;
    bag.set(name, value.value as string | number | boolean);
  }
  return bag;
}

function bodyOf(family: StatusBody['family'], bag: Bag): StatusBody {
  const statusCode = codeIn(bag.get('statusCode'), family);
  const errorCode = numberIn(bag.get('errorCode'));
  const statusString = textIn(bag.get('statusString'));
  const subStatusCode = textIn(bag.get('subStatusCode'));
  const errorMsg = textIn(bag.get('errorMsg'));
  const lock = lockIn(bag);
  return {
    family,
    fields: {
      ...(statusCode !== undefined && { statusCode }),
      ...(statusString !== undefined && { statusString }),
      ...(subStatusCode !== undefined && { subStatusCode }),
      ...(errorCode !== undefined && { errorCode }),
      ...(errorMsg !== undefined && { errorMsg }),
    },
    ...(lock && { lock }),
  };
}

/** XML codes are numbers written as text; JSON ones stay of the type they came in. */
function codeIn(
  value: string | number | boolean | undefined,
  family: StatusBody['family'],
): number | string | undefined {
  if (value === undefined || typeof value === 'boolean') return undefined;
  if (family === 'json-status' || typeof value === 'number')
    return typeof value === 'number' ? value : textIn(value);
  return numberIn(value) ?? textIn(value);
}

function numberIn(value: string | number | boolean | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\s*(?:\d{1,10}|0x[0-9a-fA-F]{1,8})\s*$/.test(value)
    ? Number(value)
    : undefined;
}

/** Bounded and without control characters: it is shown on screens and terminals. */
function textIn(value: string | number | boolean | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = replaceUnseen(String(value).slice(0, LONGEST * 2), () => ' ').trim();
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function lockIn(bag: Bag): Lock | undefined {
  const state = bag.get('lockStatus');
  const attemptsLeft = numberIn(bag.get('retryLoginTime'));
  const unlockSeconds = numberIn(bag.get('unlockTime'));
  const locked = state === undefined ? undefined : /^(lock|locked|true|1)$/i.test(String(state).trim());
  if (locked === undefined && attemptsLeft === undefined && unlockSeconds === undefined) return undefined;
  return {
    ...(locked !== undefined && { locked }),
    ...(attemptsLeft !== undefined && { attemptsLeft }),
    ...(unlockSeconds !== undefined && { unlockSeconds }),
  };
}
