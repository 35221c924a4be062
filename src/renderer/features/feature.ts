import type { Component } from 'vue';
import type { RouteRecordRaw } from 'vue-router';

/** What a feature gives to the app: its routes and its places in the navigation. */
export interface Feature {
  readonly id: string;
  /**
   * Of `meta`: `title`, key of the window's title; `place`, the path in the navigation that it belongs to;
   * `anew`, a screen that begins anew at each address, so that a consent is never for another one.
   */
  readonly routes: readonly RouteRecordRaw[];
  readonly navigation: readonly {
    /** Key of the word in the locale. */
    readonly label: string;
    readonly icon: Component;
    readonly to: string;
    readonly place: 'main' | 'end';
  }[];
}
