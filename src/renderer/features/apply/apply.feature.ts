import { IconApply } from '#renderer/components/ui/icons.ts';
import type { Feature } from '../feature.ts';

export const applyFeature: Feature = {
  id: 'apply',
  routes: [{ path: '/apply', component: () => import('./ApplyView.vue'), meta: { title: 'nav.apply' } }],
  navigation: [{ label: 'nav.apply', icon: IconApply, to: '/apply', place: 'main' }],
};
