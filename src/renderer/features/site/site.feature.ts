import type { Feature } from '../feature.ts';
import SiteView from './SiteView.vue';

/** The first screen; not loaded lazily, because it is what the app opens with. */
export const siteFeature: Feature = {
  id: 'site',
  routes: [{ path: '/devices', component: SiteView, meta: { title: 'nav.devices' } }],
};
