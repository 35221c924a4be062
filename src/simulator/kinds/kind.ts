import type { Handlers } from '../handler.ts';

/** `standard` is the device as the kinds describe it; `compact` its smaller sister with fewer channels and tighter limits; `dual` a camera with a visible channel before the thermal one. */
export const MODELS = ['standard', 'compact', 'dual'] as const;
export type Model = (typeof MODELS)[number];

/** What a device of one kind is and does; an operation without a handler is refused with notSupport. */
export interface Kind {
  /** Models whose first channels have nothing of what the kind does: the number of the first that has. */
  readonly firstChannel?: Readonly<Partial<Record<Model, number>>>;
  /** Channels are numbered from 1; this is the last. */
  readonly channels: Readonly<Record<Model, number>>;
  readonly handlers: Handlers;
}
