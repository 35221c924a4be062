import type { EngineView } from '#shared/ai-models/ai-models.ts';

/** Change to a device that the person is about to make. */
export type BoardChange =
  | { readonly kind: 'load' | 'unload' | 'reset'; readonly engine: EngineView }
  | { readonly kind: 'remove'; readonly mpid: string };
