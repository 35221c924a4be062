import { createRouter, createWebHashHistory, type Router } from 'vue-router';
import { features } from './features.ts';

/** Hash routes: the same links work under app:// and behind the one-time token of the browser face. */
export function createAppRouter(): Router {
  return createRouter({
    history: createWebHashHistory(),
    routes: [
      { path: '/', redirect: '/site' },
      ...features.flatMap((feature) => feature.routes),
      { path: '/:rest(.*)*', redirect: '/site' },
    ],
  });
}
