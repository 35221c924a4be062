import { definePage } from '../define-page.ts';
import SiteView from './SiteView.vue';

/** The first screen; not loaded lazily, because it is what the app opens with. */
export const sitePages = [definePage('/devices', 'nav.devices', SiteView)];
