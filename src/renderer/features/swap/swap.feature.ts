import { IconSwap } from '#renderer/components/ui/icons.ts';
import type { Feature } from '../feature.ts';

/** Settings of one device kept, and put onto another one. `?device=` names the device to begin with. */
export const swapFeature: Feature = {
  id: 'swap',
  routes: [{ path: '/swap', component: () => import('./SwapView.vue'), meta: { title: 'swap.title' } }],
  navigation: [{ label: 'swap.nav', icon: IconSwap, to: '/swap', place: 'main' }],
};
