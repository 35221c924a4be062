import { definePage } from '../define-page.ts';

/** Every operation of the interface by hand. `?device=` chooses the device; `request` stands for a free request. */
export const consolePages = [
  definePage('/devices/console/:operation?', 'console.title', () => import('./ConsoleView.vue'), {
    props: false,
  }),
];
