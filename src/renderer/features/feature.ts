import type { RouteRecordRaw } from 'vue-router';

/** Routes that a feature adds to the app; their place in the rail is in `app/places.ts`. */
export interface Feature {
  readonly id: string;
  /**
   * Routes with their `meta`: `title`, key of the window's title; `anew`, a screen that starts afresh at each
   * address, so that a consent never applies to another one.
   */
  readonly routes: readonly RouteRecordRaw[];
}
