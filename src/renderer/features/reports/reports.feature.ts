import type { Feature } from '../feature.ts';

/** Reports as files. `?device=` names one device, `?of=chosen` those that are chosen on the site, `?of=all` all; they begin at once. */
export const reportsFeature: Feature = {
  id: 'reports',
  routes: [
    { path: '/documents', component: () => import('./ReportsView.vue'), meta: { title: 'reports.title' } },
    {
      path: '/documents/keys',
      component: () => import('./KeysView.vue'),
      meta: { title: 'deviceKeys.title', anew: true },
    },
    {
      path: '/documents/site',
      component: () => import('./SiteFileView.vue'),
      meta: { title: 'siteFile.title', anew: true },
    },
    {
      path: '/documents/receipt/:id',
      component: () => import('./ReceiptView.vue'),
      props: true,
      meta: { title: 'reports.receipt', anew: true },
    },
    {
      path: '/documents/made/:id',
      component: () => import('./DocumentView.vue'),
      props: true,
      meta: { title: 'reports.title', anew: true },
    },
  ],
};
