import type { RouteRecordRaw } from 'vue-router';
import type { BareMessageId } from '../common/labels/translate.ts';

declare module 'vue-router' {
  interface RouteMeta {
    readonly title?: BareMessageId;
    /** The screen starts afresh at each address, so that a consent never applies to another one. */
    readonly anew?: boolean;
  }
}

/** Defines the page of an address, whose variables are its props; its place in the rail is in `app/places.ts`. */
export function definePage(
  path: string,
  title: BareMessageId,
  component: NonNullable<RouteRecordRaw['component']>,
  { anew = false, props = true }: { anew?: boolean; props?: boolean | Readonly<Record<string, string>> } = {},
): RouteRecordRaw {
  return { path, component, props, meta: { title, anew } };
}
