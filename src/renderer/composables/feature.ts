import type { Component } from 'vue';
import type { RouteRecordRaw } from 'vue-router';

/** What a feature gives to the app: its routes and its places in the navigation. */
export interface Feature {
  readonly id: string;
  readonly routes: readonly RouteRecordRaw[];
  readonly navigation: readonly {
    /** Key of the word in the locale. */
    readonly label: string;
    readonly icon: Component;
    readonly to: string;
    readonly place: 'main' | 'end';
  }[];
}
