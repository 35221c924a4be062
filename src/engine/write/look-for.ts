/** Types of checks for writes whose effect shows elsewhere than at their own path. */
import type { Params } from '#shared/model.ts';
import type { Clock } from '../api/host.ts';
import type { Conclusion, Seen } from './settle-write.ts';

export interface Lookout {
  readonly params: Params;
  /** Value that was sent, in the shape of the definition; undefined for a request without body. */
  readonly body: unknown;
  /** Returns the value of a GET. Throws if there is no answer, or a refusal. */
  readonly read: <T>(operation: string, params?: Params) => Promise<T>;
  readonly clock: Clock;
  /** Aborts waits; requests under way are finished. */
  readonly signal: AbortSignal;
}
export type LookFor = (asked: Lookout) => Promise<Seen<object>>;

/** Sends a single write as its own job and returns the conclusion. Throws if nothing was sent. */
export type SingleWriter = (
  request: {
    readonly deviceId: string;
    readonly operation: string;
    readonly params?: Params;
    readonly body?: unknown;
    /** True if a person has confirmed what the write deletes. */
    readonly confirmed?: boolean;
  },
  signal: AbortSignal,
) => Promise<{ readonly conclusion: Conclusion<object>; readonly jobId: string }>;
