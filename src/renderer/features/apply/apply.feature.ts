import { IconApply } from '../../components/icons.ts';
import type { Feature } from '../../composables/feature.ts';

export const applyFeature: Feature = {
  id: 'apply',
  routes: [{ path: '/apply', component: () => import('./ApplyView.vue'), meta: { title: 'nav.apply' } }],
  navigation: [{ label: 'nav.apply', icon: IconApply, to: '/apply', place: 'main' }],
};
