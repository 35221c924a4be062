import type { Feature } from '../feature.ts';

/** Settings of one device kept, and put onto another one. `?device=` names the device to begin with. */
export const swapFeature: Feature = {
  id: 'swap',
  routes: [
    { path: '/devices/swap', component: () => import('./SwapView.vue'), meta: { title: 'swap.title' } },
  ],
};
