import type { RouteRecordRaw } from 'vue-router';
import type { BareMessageId } from '../common/labels/translate.ts';

/** Routes that a feature adds to the app; their place in the rail is in `app/places.ts`. */
export interface Feature {
  readonly id: string;
  readonly routes: readonly RouteRecordRaw[];
}

declare module 'vue-router' {
  interface RouteMeta {
    readonly title?: BareMessageId;
    /** The screen starts afresh at each address, so that a consent never applies to another one. */
    readonly anew?: true;
  }
}
