/** Fingerprints on readers: what a result is, and what became of one in words. No template is ever among it. */
import type { Detail } from '../details.ts';
import type { ErrorShape } from '../errors.ts';
import type { UnitOutcome } from '../model/jobs.ts';
import { OUTCOMES } from '../outcomes.ts';

/** Fingers of a person are numbered 1 to this (part 2, 2.7). */
export const MOST_FINGERS = 10;
/** Readers are numbered 1 to this (part 2, 2.7). */
export const MOST_READERS = 10;

/**
 * Outcome of a fingerprint on a reader, and what that makes of the work on its device. The statuses down to
 * `reader-too-old` are codes of part 2, 2.7.
 */
export const PRINT_OUTCOMES = {
  failed: 'refused',
  taken: 'effective',
  offline: 'refused',
  'poor-quality': 'refused',
  'memory-full': 'refused',
  exists: 'refused',
  'illegal-id': 'refused',
  /** The reader needs no configuration, and does not have the fingerprint. */
  'nothing-to-do': 'refused',
  'reader-too-old': 'refused',
  'unknown-code': 'refused',
  /** The reader had the same fingerprint of the same person. */
  'there-already': 'unchanged',
  /** The device takes it with its next restart. */
  'needs-reboot': 'needs-reboot',
  /** Its answer was lost or says neither yes nor no, and the device could not be read. */
  unknown: 'unknown',
  /** It was sent, and the device does not show it. */
  ignored: 'ignored',
  /** The device shows another fingerprint under this number, or this one otherwise than asked. */
  differs: 'ignored',
  /** The device refused the request as a whole. */
  refused: 'refused',
  removed: 'effective',
  /** There was nothing to remove. */
  absent: 'unchanged',
  'still-there': 'ignored',
  /** A line of a file that cannot be used. */
  'bad-line': 'refused',
  /** There is no template to send. */
  'not-sent': 'failed',
  /** The device says that it has more fingerprints of this person than it shows. */
  'not-shown': 'failed',
} as const satisfies Readonly<Record<string, UnitOutcome>>;
export type PrintStatus = keyof typeof PRINT_OUTCOMES;

/** cardReaderRecvStatus of part 2, 2.7. */
const STATUS_OF_CODE: Readonly<Record<number, PrintStatus>> = {
  0: 'failed',
  1: 'taken',
  2: 'offline',
  3: 'poor-quality',
  4: 'memory-full',
  5: 'exists',
  7: 'illegal-id',
  8: 'nothing-to-do',
  10: 'reader-too-old',
};

export function getFingerprintStatus(code: number): PrintStatus {
  return STATUS_OF_CODE[code] ?? 'unknown-code';
}

/** Returns whether the reader is, or will be after a restart, as asked. */
export function isGoodPrint(status: PrintStatus): boolean {
  return OUTCOMES[PRINT_OUTCOMES[status]].good;
}

/** Returns true if a new capture of the same finger may help; it never does for other results. */
export function needsNewCapture(status: PrintStatus): boolean {
  return status === 'poor-quality';
}

export interface ReaderResult {
  /** 0: no certain one. */
  readonly reader: number;
  /** Number of the finger, in a removal of all fingers. */
  readonly finger?: number;
  readonly status: PrintStatus;
  /** Code of the device; absent if it gave none. */
  readonly code?: number;
  /** Employee number that has this fingerprint, for `exists`. */
  readonly owner?: string;
  /** The reader's own words with any other code. */
  readonly reason?: string;
  /** True if it was read from the device afterwards, and is the same. */
  readonly seen?: boolean;
  /** Fields that differ, for `differs`: what the device keeps otherwise than asked; the template itself has no value here. */
  readonly differs?: readonly PrintDifference[];
  /** Counts for `not-shown`: how many fingerprints of the person the device says it has, and how many it shows. */
  readonly counted?: { readonly told: number; readonly shown: number };
}

export interface PrintDifference {
  readonly field: 'fingerData' | 'fingerType' | 'leaderFP';
  readonly asked?: string;
  readonly shown?: string;
}

/** One fingerprint on one reader of one device, or a line of a file that could not be used. */
export interface PrintResult extends Partial<Omit<ReaderResult, 'finger' | 'status'>> {
  readonly employeeNo?: string;
  readonly fingerPrintID?: number;
  /** Name of the device. */
  readonly device?: string;
  readonly deviceId?: string;
  readonly status: PrintStatus;
  /** Meaning of the result, and what to do. */
  readonly says?: Detail;
  /** ISO 8601. */
  readonly at: string;
  /** Error of a line of a file, or of all that was refused. */
  readonly error?: ErrorShape;
  /** Line of the file, from 1. */
  readonly line?: number;
}

/** A fingerprint on a device, without its template. */
export interface PrintOnDevice {
  readonly employeeNo: string;
  readonly fingerPrintID: number;
  readonly fingerType: string;
  readonly reader: number;
}

export type EnrolEvent =
  /** The terminal has this finger of this person; nothing was done. The last event. */
  | { readonly type: 'there' }
  /** Request to put the finger on now; `capture` counts from 1. */
  | { readonly type: 'waiting'; readonly until: string; readonly capture: number }
  | { readonly type: 'captured' }
  | { readonly type: 'sending'; readonly jobId: string }
  | { readonly type: 'result'; readonly result: PrintResult }
  /** It ended early, for the reason that follows; whether the terminal was asked once more and put back to what it was. */
  | { readonly type: 'left'; readonly isBack: boolean }
  | { readonly type: 'ended' };

/** Fingerprints that were read before anything is sent. */
export interface PrintsRead {
  readonly prints: number;
  readonly people: number;
  /** Lines that cannot be used. */
  readonly bad: number;
  /** Remarks on the file. */
  readonly notes: readonly Detail[];
}
