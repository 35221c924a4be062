/** Says what a device shows of a write whose effect shows elsewhere than at its own path. */
import type { Params } from '../../shared/model.ts';
import type { Clock } from '../api/host.ts';
import type { Conclusion, Seen } from './settle-write.ts';

export interface Lookout {
  readonly params: Params;
  /** Value that was sent, in the shape of the definition; undefined where nothing was. */
  readonly body: unknown;
  /** Returns the value of a GET. Throws where there is no answer, and a refusal. */
  readonly read: <T>(operation: string, params?: Params) => Promise<T>;
  readonly clock: Clock;
  /** Ends waits; what is under way is finished. */
  readonly signal: AbortSignal;
}
export type LookFor = (asked: Lookout) => Promise<Seen<object>>;

/** Sends a single write as a job of its own and says what became of it. Throws where nothing was sent. */
export type SingleWriter = (
  request: {
    readonly deviceId: string;
    readonly operation: string;
    readonly params?: Params;
    readonly body?: unknown;
    /** A person agreed to what it takes away. */
    readonly confirmed?: boolean;
  },
  signal: AbortSignal,
) => Promise<{ readonly conclusion: Conclusion<object>; readonly jobId: string }>;
