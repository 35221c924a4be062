import { IconHistory } from '#renderer/components/ui/icons.ts';
import type { Feature } from '../feature.ts';

/** History of jobs with their results, and the actions that are still possible. */
export const historyFeature: Feature = {
  id: 'history',
  routes: [
    { path: '/history', component: () => import('./HistoryView.vue'), meta: { title: 'nav.jobs' } },
    {
      path: '/history/:id',
      component: () => import('./JobView.vue'),
      props: true,
      meta: { title: 'nav.jobs' },
    },
    {
      path: '/history/:id/resume',
      component: () => import('./ResumeView.vue'),
      props: true,
      meta: { title: 'resume.title', anew: true },
    },
    {
      path: '/history/:id/undo',
      component: () => import('./UndoView.vue'),
      props: true,
      meta: { title: 'undo.title', anew: true },
    },
    {
      path: '/jobs/:id?',
      redirect: ({ params }) =>
        params['id'] === undefined || params['id'] === '' ? '/history' : `/history/${String(params['id'])}`,
    },
  ],
  navigation: [{ label: 'nav.jobs', icon: IconHistory, to: '/history', place: 'main' }],
};
