import { IconSetup } from '#renderer/components/ui/icons.ts';
import type { Feature } from '../feature.ts';

/** Guided setup: flows that fit, those under way, and the records they end with. `?device=` names the device to begin with. */
export const setupFeature: Feature = {
  id: 'setup',
  routes: [
    { path: '/setup', component: () => import('./SetupView.vue'), meta: { title: 'setup.title' } },
    {
      path: '/setup/start/:flow',
      component: () => import('./StartView.vue'),
      props: true,
      meta: { title: 'setup.title', anew: true },
    },
    {
      path: '/setup/run/:jobId',
      component: () => import('./run/RunView.vue'),
      props: true,
      meta: { title: 'setup.title', anew: true },
    },
    {
      path: '/setup/record/:id',
      component: () => import('./RecordView.vue'),
      props: true,
      meta: { title: 'setup.record', anew: true },
    },
  ],
  navigation: [{ label: 'setup.nav', icon: IconSetup, to: '/setup', place: 'main' }],
};
