import type { Feature } from '../feature.ts';

export const applyFeature: Feature = {
  id: 'apply',
  routes: [
    { path: '/changes/apply', component: () => import('./ApplyView.vue'), meta: { title: 'nav.tab.apply' } },
    {
      path: '/changes/setting',
      component: () => import('./setting/ChangeSetting.vue'),
      meta: { title: 'setting.title' },
    },
  ],
};
