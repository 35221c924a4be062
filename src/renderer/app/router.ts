import { createRouter, createWebHashHistory, type Router, type RouteRecordRaw } from 'vue-router';
import { pages } from './features.ts';
import { MOVED_PATTERN, moveAddress } from './places.ts';

/** Every address of the app: screens, where a place begins, and what earlier versions called them. */
export const routes: readonly RouteRecordRaw[] = [
  { path: '/', redirect: '/devices' },
  { path: '/changes', redirect: '/changes/templates' },
  { path: '/work', redirect: '/work/running' },
  ...pages,
  { path: MOVED_PATTERN, redirect: ({ path }) => ({ path: moveAddress(path) }) },
  { path: '/:rest(.*)*', redirect: '/devices' },
];

/** Hash routes: the same links work under app:// and behind the one-time token of the browser face. */
export function createAppRouter(): Router {
  return createRouter({ history: createWebHashHistory(), routes: [...routes] });
}
