import { definePage } from '../define-page.ts';

const list = () => import('./HistoryView.vue');

/** Work that runs, that is left open, and the journal of all jobs with the actions that are still possible. */
export const historyPages = [
  definePage('/work/running', 'nav.work', () => import('./RunningView.vue')),
  definePage('/work/open', 'nav.tab.open', list, { anew: true, props: { of: 'open' } }),
  definePage('/work/history', 'nav.tab.history', list, { anew: true, props: { of: 'history' } }),
  definePage('/changes/differences', 'nav.tab.differences', () => import('./DifferencesView.vue')),
  definePage('/changes/changed', 'nav.tab.changed', () => import('./ChangesView.vue')),
  definePage('/work/history/:id', 'nav.tab.history', () => import('./JobView.vue')),
  definePage('/work/history/:id/resume', 'resume.title', () => import('./ResumeView.vue'), { anew: true }),
  definePage('/work/history/:id/undo', 'undo.title', () => import('./UndoView.vue'), { anew: true }),
];
