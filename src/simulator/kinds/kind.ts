import type { Handlers } from '../handler.ts';

/** `standard` is the device as the kinds describe it; `compact` its smaller sister with fewer channels and tighter limits. */
export const MODELS = ['standard', 'compact'] as const;
export type Model = (typeof MODELS)[number];

/** What a device of one kind is and does; an operation without a handler is refused with notSupport. */
export interface Kind {
  /** Channels are numbered from 1. */
  readonly channels: Readonly<Record<Model, number>>;
  readonly handlers: Handlers;
}
