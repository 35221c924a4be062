/** Requests of this session, redacted, in memory only. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { Exchange } from '#shared/exchange.ts';
import type { CallAnswer, Params } from '#shared/model.ts';

export type Result = { readonly answer: CallAnswer } | { readonly error: ErrorShape };

/** A request as it can be filled in again. */
export interface Sent {
  readonly deviceId: string;
  readonly deviceName: string;
  readonly deviceUrl: string;
  /** Operation id, or `request` for a free one. */
  readonly operation: string;
  readonly method: string;
  /** Path of a free request, whose body is text. */
  readonly path: string;
  readonly params: Params;
  /** Body without sensitive fields; redacted text for a free request. */
  readonly body?: unknown;
}
export interface HistoryEntry {
  readonly id: number;
  /** ISO 8601. */
  readonly at: string;
  readonly sent: Sent;
  readonly result: Result;
}

export const HISTORY_ENTRIES = 100;
/** Characters of all bodies and values together. */
export const HISTORY_SIZE = 8_000_000;
/** Size of a value in an entry; a longer one is omitted, but its raw text (with its own limit) stays. */
const VALUE_SIZE = 256 * 1024;

/** Newest first, within both bounds; the newest always stays. */
export function addEntry(entries: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] {
  const all = [{ ...entry, result: lighter(entry.result) }, ...entries].slice(0, HISTORY_ENTRIES);
  let size = 0;
  return all.filter((kept, index) => {
    size += sizeOf(kept);
    return index === 0 || size <= HISTORY_SIZE;
  });
}

function lighter(result: Result): Result {
  if (!('answer' in result)) return result;
  const { raw, value, unlisted, limits, ...answer } = result.answer;
  const read = {
    value,
    ...removeUndefined({ unlisted, limits }),
  };
  // The exchange holds the raw body too, and is bounded.
  return {
    answer: {
      ...answer,
      ...(length(read) > VALUE_SIZE ? { value: undefined } : read),
      ...(raw === undefined || answer.exchange !== undefined ? {} : { raw: raw.slice(0, VALUE_SIZE) }),
    },
  };
}

function sizeOf({ sent, result }: HistoryEntry): number {
  return length(sent.body) + length(result);
}
function length(value: unknown): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}

export function exchangeOf(result: Result): Exchange | undefined {
  return 'answer' in result ? result.answer.exchange : result.error.exchange;
}
/** State word of a result: `ok`, `needs-reboot`, `refused`, `error`. */
export function stateOf(result: Result): CallAnswer['outcome'] | 'error' {
  return 'answer' in result ? result.answer.outcome : 'error';
}
