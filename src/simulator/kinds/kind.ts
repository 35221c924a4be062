import type { Handlers } from '../handler.ts';

/** What a device of one kind is and does; an operation without a handler is refused with notSupport. */
export interface Kind {
  /** Channels are numbered from 1. */
  readonly channels: number;
  readonly handlers: Handlers;
}
