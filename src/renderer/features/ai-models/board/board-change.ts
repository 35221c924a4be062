import type { EngineView } from '#shared/ai-models/ai-models.ts';

/** What somebody is about to do to a device. */
export type BoardChange =
  | { readonly kind: 'load' | 'unload' | 'reset'; readonly engine: EngineView }
  | { readonly kind: 'remove'; readonly mpid: string };
