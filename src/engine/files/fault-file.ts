/**
 * `faults.log` in the data folder: errors inside Fieldwright, so that a crash can be diagnosed later. One JSON object a
 * line. Holds what went wrong and where in our own code; no secrets, no answers of devices, no addresses, no names.
 */
import { appendFileSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FieldwrightError, isOutOfFiles } from '#shared/errors.ts';
import { readJson, RECORD_BOUNDS } from '#shared/read-json.ts';
import { redactProse } from '#protocol/index.ts';

export interface Fault {
  /** Part of the program in which it occurred. */
  readonly place: 'engine' | 'page' | 'helper';
  /** Event that reported the error, such as `uncaught-exception`. */
  readonly event: string;
  readonly error: unknown;
}

interface FaultRecord {
  /** ISO 8601. */
  readonly at: string;
  readonly version: string;
  readonly place: string;
  readonly event: string;
  readonly name: string;
  readonly code: string;
  readonly message: string;
  /** Calls in our own code, innermost first: function, file, line and column. */
  readonly frames: readonly string[];
}

export type RecordFault = (fault: Fault) => void;

const FILE = 'faults.log';
const LARGEST_BYTES = 256 * 1024;
const LONGEST_MESSAGE = 300;
const LONGEST_STACK = 20_000;
const MOST_FRAMES = 20;
const MOST_CAUSES = 3;
/** A page that fails with every frame it draws must not fill the file. */
const MOST_ALIKE = 3;
const MOST_DIFFERENT = 200;

/** Opens the file for writing. A file that cannot be written never stops the app. */
export function openFaultFile(dataDir: string, version: string): RecordFault {
  const file = join(dataDir, FILE);
  const seen = new Map<string, number>();
  return ({ place, event, error }) => {
    try {
      const described = describeError(error);
      const alike = `${event} ${described.name} ${described.message} ${described.frames[0] ?? ''}`;
      const times = (seen.get(alike) ?? 0) + 1;
      if (times > MOST_ALIKE || (times === 1 && seen.size >= MOST_DIFFERENT)) return;
      seen.set(alike, times);
      const record: FaultRecord = { at: new Date().toISOString(), version, place, event, ...described };
      const line = `${JSON.stringify(record)}\n`;
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) + line.length > LARGEST_BYTES)
        renameSync(file, `${file}.1`);
      appendFileSync(file, line, { mode: 0o600 });
    } catch {
      /* The error itself was reported elsewhere; a full disk is too. */
    }
  };
}

/** Reads the newest faults, oldest first. Every field is masked again: others may write to the file. */
export function readFaults(dataDir: string, most: number): readonly FaultRecord[] {
  const lines = [`${FILE}.1`, FILE].flatMap((name) => readLines(join(dataDir, name)));
  return lines.slice(-most).flatMap((line) => {
    try {
      return [toRecord(readJson(line, RECORD_BOUNDS))];
    } catch {
      // A line that was cut off says nothing.
      return [];
    }
  });
}

function readLines(file: string): readonly string[] {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 2 * LARGEST_BYTES) return [];
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch (thrown) {
    if (isOutOfFiles(thrown)) throw thrown;
    return [];
  }
}

function toRecord(read: unknown): FaultRecord {
  const { at, version, place, event, name, code, message, frames } = Object(read) as Record<string, unknown>;
  return {
    at: new Date(String(at)).toISOString(),
    version: word(version),
    place: word(place),
    event: word(event),
    name: word(name),
    code: word(code),
    message: maskMessage(String(message)),
    frames: (Array.isArray(frames) ? frames : [])
      .slice(0, MOST_FRAMES)
      .flatMap((frame) => readFrame(String(frame)) ?? []),
  };
}

type Described = Pick<FaultRecord, 'name' | 'code' | 'message' | 'frames'>;

/** Describes an error, with its causes. Anything may be thrown. */
export function describeError(error: unknown): Described {
  const chain: unknown[] = [];
  for (
    let one: unknown = error;
    one !== undefined && chain.length <= MOST_CAUSES;
    one = readMember(one, 'cause')
  )
    chain.push(one);
  const [name = ''] = chain.map((one) => word(readMember(one, 'name')));
  return {
    name: name === '' ? typeof error : name,
    code: chain.map((one) => word(readMember(one, 'code'))).find((code) => code !== '') ?? '',
    message: chain.map(describeMessage).join(' <- '),
    frames: chain.flatMap((one) => readFrames(String(readMember(one, 'stack') ?? ''))).slice(0, MOST_FRAMES),
  };
}

/** Our own errors are named by their sentence: its values are names and addresses. */
function describeMessage(error: unknown): string {
  if (error instanceof FieldwrightError) return `${error.code} ${error.shape.detail?.id ?? ''}`.trim();
  const message = readMember(error, 'message');
  // Whatever else is thrown may be an answer of a device.
  return typeof message === 'string' ? maskMessage(message) : typeof error;
}

function readMember(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null ? (Reflect.get(holder, name) as unknown) : undefined;
}

/** Identifiers that V8 quotes are names in our code; other quoted text is data. */
const NAMES_OF_CODE = /\((?:reading|setting) '[\w$]{1,40}'\)/g;
const QUOTED = /"[^"]*"?|“[^”]*”?|`[^`]*`?|(?<![\p{L}\d])'(?:[^'\n]|'(?=\p{L}))*'?/gu;
const ADDRESS =
  /[a-z][a-z0-9+.-]{1,20}:\/\/\S+|[\w.+-]{1,64}@[\w.-]{1,255}|\b(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?|\[?(?:[0-9a-f]{0,4}:){3,7}[0-9a-f.]{0,15}\]?(?::\d{1,5})?/gi;
/** Runs to the end of the message: nothing says where a path with spaces ends. */
const PATH = /(?:\b[A-Za-z]:[\\/]|\\\\|(?<![\w/])\/(?=[^\s/]+\/)).*/g;
/** Text in scripts whose words are names of people and sites more often than ours, which is English. */
const NOT_ENGLISH = /[^\x20-\x7e…]+/g;

/** Returns the part of a message that names no data: quoted text, addresses, paths and secrets are left out. */
function maskMessage(message: string): string {
  const kept: string[] = [];
  const first = message.slice(0, 2_000).replace(NAMES_OF_CODE, (name) => {
    kept.push(name);
    return `(#${kept.length - 1}#)`;
  });
  const masked = redactProse(
    first
      .replace(/\s+/g, ' ')
      .replace(QUOTED, '…')
      .replace(ADDRESS, '…')
      .replace(PATH, '…')
      .replace(NOT_ENGLISH, '…'),
  ).replace(/\(#(\d+)#\)/g, (_whole, index: string) => kept[Number(index)] ?? '');
  return masked.slice(0, LONGEST_MESSAGE);
}

/** `at name (address:line:column)`, as V8 writes it, or what `readFrame` made of it. */
const CALL = /^\s*(?:at )?(?:(?:async |new )?([\w$.<>#[\] ]{1,80}?) )?\(?(\S+?):(\d{1,7}):(\d{1,7})\)?$/;
/** Files of the build and of the sources, without the folders above them, which may hold a person's name. */
const OURS =
  /(?:^|[\\/])((?:out[\\/](?:main|preload|renderer)|src|assets)[\\/](?:[\w@.-]{1,80}[\\/]){0,8}[\w@.-]{1,80}\.(?:cjs|mjs|js|ts|vue))(?:\?.*)?$/;

function readFrames(stack: string): readonly string[] {
  return stack
    .slice(0, LONGEST_STACK)
    .split('\n')
    .flatMap((line) => readFrame(line) ?? []);
}

/** Returns a call in our own code; undefined for others and for other lines. */
function readFrame(line: string): string | undefined {
  const [, name, address = '', row, column] = CALL.exec(line.slice(0, 500)) ?? [];
  const [, file] = OURS.exec(address) ?? [];
  if (file === undefined) return undefined;
  return `${name === undefined ? '' : `${name} `}(${file.replaceAll('\\', '/')}:${row}:${column})`;
}

function word(value: unknown): string {
  return typeof value === 'string' && /^[\w.-]{1,60}$/.test(value) ? value : '';
}
