import type { Feature } from '../feature.ts';

export const settingsFeature: Feature = {
  id: 'settings',
  routes: [
    { path: '/settings', component: () => import('./SettingsView.vue'), meta: { title: 'nav.settings' } },
  ],
};
