import type { Feature } from '../feature.ts';

/** Every operation of the interface by hand. `?device=` chooses the device; `request` stands for a free request. */
export const consoleFeature: Feature = {
  id: 'console',
  routes: [
    {
      path: '/devices/console/:operation?',
      component: () => import('./ConsoleView.vue'),
      meta: { title: 'console.title' },
    },
  ],
};
