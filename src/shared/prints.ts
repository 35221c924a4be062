/** Fingerprints on readers: what a result is, and what became of one in words. No template is ever among it. */
import type { Detail } from './details.ts';
import type { ErrorShape } from './errors.ts';

/** Fingers of a person are numbered 1 to this (part 2, 2.7). */
export const MOST_FINGERS = 10;
/** Readers are numbered 1 to this (part 2, 2.7). */
export const MOST_READERS = 10;

/**
 * What became of a fingerprint on a reader. The first nine are the codes of part 2, 2.7. `unknown-code`: another one;
 * `unanswered`: the device took it and named no result for this reader, and it could not be read back; `ignored`: the
 * device said yes and does not have it; `differs`: it has another one; `refused`: the device refused the request as a whole;
 * `removed`, `absent` (was not there) and `still-there` of a removal; `bad-line` of a file; `not-sent` for want of the template.
 */
export type PrintStatus =
  | 'failed'
  | 'taken'
  | 'offline'
  | 'poor-quality'
  | 'memory-full'
  | 'exists'
  | 'illegal-id'
  | 'nothing-to-do'
  | 'reader-too-old'
  | 'unknown-code'
  | 'unanswered'
  | 'ignored'
  | 'differs'
  | 'refused'
  | 'removed'
  | 'absent'
  | 'still-there'
  | 'bad-line'
  | 'not-sent';

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
const GOOD: ReadonlySet<PrintStatus> = new Set<PrintStatus>(['taken', 'nothing-to-do', 'removed', 'absent']);

export function statusOfCode(code: number): PrintStatus {
  return STATUS_OF_CODE[code] ?? 'unknown-code';
}

/** The reader is as asked. */
export function isGoodPrint(status: PrintStatus): boolean {
  return GOOD.has(status);
}

/** A new capture of the same finger may help; for everything else it never does. */
export function wantsNewCapture(status: PrintStatus): boolean {
  return status === 'poor-quality';
}

export interface ReaderResult {
  /** 0: no certain one. */
  readonly reader: number;
  /** Of a removal of all fingers: which. */
  readonly finger?: number;
  readonly status: PrintStatus;
  /** As the device gave it; absent where it gave none. */
  readonly code?: number;
  /** Of `exists`: employee number that has this fingerprint. */
  readonly owner?: string;
  /** Read from the device afterwards, and the same. */
  readonly seen?: boolean;
  /** Why, in the device's own words. */
  readonly reason?: string;
}

/** One fingerprint on one reader of one device, or a line of a file that could not be used. */
export interface PrintResult extends Partial<Pick<ReaderResult, 'reader' | 'code' | 'owner' | 'seen'>> {
  readonly employeeNo?: string;
  readonly fingerPrintID?: number;
  /** Name of the device. */
  readonly device?: string;
  readonly deviceId?: string;
  readonly status: PrintStatus;
  /** What the result means, and what to do. */
  readonly says?: Detail;
  /** ISO 8601. */
  readonly at: string;
  /** Of a line of a file, and of what was refused as a whole. */
  readonly error?: ErrorShape;
  /** Line of the file, from 1. */
  readonly line?: number;
}

/** What a job on fingerprints does. */
export type PrintWork = 'import' | 'copy' | 'remove' | 'enrol';

/** A fingerprint on a device, without its template. */
export interface PrintOnDevice {
  readonly employeeNo: string;
  readonly fingerPrintID: number;
  readonly fingerType: string;
  readonly reader: number;
}

/** A finger that is put on at a terminal and brought to other readers. */
export interface EnrolRequest {
  readonly employeeNo: string;
  readonly fingerPrintID: number;
  /** Where it is put on. */
  readonly at: { readonly deviceId: string; readonly reader: number };
  /** Where it goes; the terminal's own reader may be among them. */
  readonly targets: readonly { readonly deviceId: string; readonly readers: readonly number[] }[];
  /**
   * Where the terminal has the finger already: `false` takes it as it is, `true` waits for another capture. Absent: that it
   * is there is told, and nothing is done.
   */
  readonly anew?: boolean;
  /** How long a capture is waited for; default 60. */
  readonly waitSeconds?: number;
}
export type EnrolEvent =
  /** The terminal has this finger of this person; nothing was done. The last event. */
  | { readonly type: 'there' }
  /** Put the finger on now; `capture` counts from 1. */
  | { readonly type: 'waiting'; readonly until: string; readonly capture: number }
  | { readonly type: 'captured' }
  | { readonly type: 'sending'; readonly jobId: string }
  | { readonly type: 'result'; readonly result: PrintResult }
  /** It ended early, for the reason that follows; whether the terminal was asked once more and put back to what it was. */
  | { readonly type: 'left'; readonly isBack: boolean }
  | { readonly type: 'ended' };

/** What was read before anything is sent. */
export interface PrintsReady {
  readonly prints: number;
  readonly people: number;
  /** Lines that cannot be used. */
  readonly bad: number;
}
