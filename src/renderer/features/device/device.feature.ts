import type { Feature } from '../feature.ts';

const component = () => import('./workspace/DeviceView.vue');
const meta = { title: 'device.title' as const };

/** One workspace a device, reached from the site's list and by deep links to single fields. Every tab and every page has an address. */
export const deviceFeature: Feature = {
  id: 'device',
  routes: [
    { path: '/devices/:id', component, meta },
    { path: '/devices/:id/:tab(settings|changes|records|interface)', component, meta },
    { path: '/devices/:id/:area/:page', component, meta },
    { path: '/devices/:id/:tab(interface)/:area/:page', component, meta },
  ],
};
