import { IconSite } from '#renderer/components/ui/icons.ts';
import type { Feature } from '../feature.ts';
import SiteView from './SiteView.vue';

/** The first screen; not loaded lazily, because it is what the app opens with. */
export const siteFeature: Feature = {
  id: 'site',
  routes: [{ path: '/site', component: SiteView, meta: { title: 'nav.site' } }],
  navigation: [{ label: 'nav.site', icon: IconSite, to: '/site', place: 'main' }],
};
