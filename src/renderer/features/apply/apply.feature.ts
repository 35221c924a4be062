import { IconApply, IconHistory } from '../../components/icons.ts';
import type { Feature } from '../../composables/feature.ts';

export const applyFeature: Feature = {
  id: 'apply',
  routes: [
    { path: '/apply', component: () => import('./ApplyView.vue'), meta: { title: 'nav.apply' } },
    { path: '/jobs', component: () => import('./JobsView.vue'), meta: { title: 'nav.jobs' } },
    { path: '/jobs/:id', component: () => import('./JobView.vue'), props: true, meta: { title: 'nav.jobs' } },
  ],
  navigation: [
    { label: 'nav.apply', icon: IconApply, to: '/apply', place: 'main' },
    { label: 'nav.jobs', icon: IconHistory, to: '/jobs', place: 'main' },
  ],
};
