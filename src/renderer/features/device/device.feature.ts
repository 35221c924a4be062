import type { Feature } from '../feature.ts';

const view = () => import('./workspace/DeviceView.vue');

/** One workspace a device, reached from the site's list and by deep links to single fields. */
export const deviceFeature: Feature = {
  id: 'device',
  routes: [
    { path: '/devices/:id', component: view, meta: { title: 'device.title' } },
    { path: '/devices/:id/:area/:page', component: view, meta: { title: 'device.title' } },
  ],
};
