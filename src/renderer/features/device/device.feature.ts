import { definePage } from '../define-page.ts';

/** One workspace a device, reached from the site's list and by deep links to single fields. Every tab and every page has an address. */
export const devicePages = [
  '/devices/:id',
  '/devices/:id/:tab(settings|changes|records|interface)',
  '/devices/:id/:area/:page',
  '/devices/:id/:tab(interface)/:area/:page',
].map((path) =>
  definePage(path, 'device.title', () => import('./workspace/DeviceView.vue'), { props: false }),
);
