import type { Component } from 'vue';
import type { RouteRecordRaw } from 'vue-router';

/** Routes and navigation entries that a feature adds to the app. */
export interface Feature {
  readonly id: string;
  /**
   * Routes with their `meta`: `title`, key of the window's title; `place`, path of its navigation entry;
   * `anew`, a screen that starts afresh at each address, so that a consent never applies to another one.
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
