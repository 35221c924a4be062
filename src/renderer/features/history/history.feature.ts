import type { Feature } from '../feature.ts';

const list = () => import('./HistoryView.vue');

/** Work that runs, that is left open, and the journal of all jobs with the actions that are still possible. */
export const historyFeature: Feature = {
  id: 'history',
  routes: [
    { path: '/work/running', component: () => import('./RunningView.vue'), meta: { title: 'nav.work' } },
    {
      path: '/work/open',
      component: list,
      props: { of: 'open' },
      meta: { title: 'nav.tab.open', anew: true },
    },
    {
      path: '/work/history',
      component: list,
      props: { of: 'history' },
      meta: { title: 'nav.tab.history', anew: true },
    },
    {
      path: '/changes/differences',
      component: () => import('./DifferencesView.vue'),
      meta: { title: 'nav.tab.differences' },
    },
    {
      path: '/changes/changed',
      component: () => import('./ChangesView.vue'),
      meta: { title: 'nav.tab.changed' },
    },
    {
      path: '/work/history/:id',
      component: () => import('./JobView.vue'),
      props: true,
      meta: { title: 'nav.tab.history' },
    },
    {
      path: '/work/history/:id/resume',
      component: () => import('./ResumeView.vue'),
      props: true,
      meta: { title: 'resume.title', anew: true },
    },
    {
      path: '/work/history/:id/undo',
      component: () => import('./UndoView.vue'),
      props: true,
      meta: { title: 'undo.title', anew: true },
    },
  ],
};
