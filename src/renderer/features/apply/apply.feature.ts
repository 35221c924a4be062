import { definePage } from '../define-page.ts';

export const applyPages = [
  definePage('/changes/apply', 'nav.tab.apply', () => import('./ApplyView.vue')),
  definePage('/changes/setting', 'setting.title', () => import('./setting/ChangeSetting.vue')),
];
