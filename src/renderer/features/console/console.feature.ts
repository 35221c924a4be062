import { IconConsole } from '#renderer/components/ui/icons.ts';
import type { Feature } from '../feature.ts';

/** Every operation of the interface by hand. `?device=` chooses the device; `request` stands for a free request. */
export const consoleFeature: Feature = {
  id: 'console',
  routes: [
    {
      path: '/console/:operation?',
      component: () => import('./ConsoleView.vue'),
      meta: { title: 'console.title' },
    },
  ],
  navigation: [{ label: 'console.title', icon: IconConsole, to: '/console', place: 'main' }],
};
