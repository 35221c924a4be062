import { definePage } from '../define-page.ts';

export const settingsPages = [definePage('/settings', 'nav.settings', () => import('./SettingsView.vue'))];
