import type { Feature } from '../feature.ts';

/** Replacement of a device, and the archive. `?device=` names the old one. */
export const replacementFeature: Feature = {
  id: 'replacement',
  routes: [
    { path: '/devices/swap', redirect: '/devices/replace' },
    {
      path: '/devices/replace',
      component: () => import('./ReplaceView.vue'),
      meta: { title: 'replacement.title' },
    },
    {
      path: '/devices/archive',
      component: () => import('./ArchiveView.vue'),
      meta: { title: 'replacement.archive' },
    },
  ],
};
