import type { Feature } from '../feature.ts';

/** Guided setup: flows that fit, those under way, and the records they end with. `?device=` names the device to begin with. */
export const setupFeature: Feature = {
  id: 'setup',
  routes: [
    { path: '/commission', component: () => import('./SetupView.vue'), meta: { title: 'setup.title' } },
    {
      path: '/commission/start/:flow',
      component: () => import('./StartView.vue'),
      props: true,
      meta: { title: 'setup.title', anew: true },
    },
    {
      path: '/commission/run/:jobId',
      component: () => import('./run/RunView.vue'),
      props: true,
      meta: { title: 'setup.title', anew: true },
    },
    {
      path: '/commission/record/:id',
      component: () => import('./RecordView.vue'),
      props: true,
      meta: { title: 'setup.record', anew: true },
    },
  ],
};
