/** Says what a device shows of a write whose effect shows elsewhere than at its own path. */
import type { Params } from '../../shared/model.ts';
import type { Clock } from '../api/host.ts';
import type { Seen } from './settle-write.ts';

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
