import type { Handlers } from '../handler.ts';
import type { KindFacts } from './facts.ts';
import type { Model } from './models.ts';

/** Properties and handlers of a kind of device; an operation without a handler is refused with notSupport. */
export interface Kind {
  /** Models whose first channels have nothing of what the kind does: the number of the first that has. */
  readonly firstChannel?: Readonly<Partial<Record<Model, number>>>;
  /** Channels are numbered from 1; this is the last. */
  readonly channels: Readonly<Record<Model, number>>;
  readonly handlers: Handlers;
  readonly facts: KindFacts;
}
