import { definePage } from '../define-page.ts';

/** Guided setup: flows that fit, those under way, and the records they end with. `?device=` names the device to begin with. */
export const setupPages = [
  definePage('/commission', 'setup.title', () => import('./SetupView.vue')),
  definePage('/commission/start/:flow', 'setup.title', () => import('./StartView.vue'), { anew: true }),
  definePage('/commission/run/:jobId', 'setup.title', () => import('./run/RunView.vue'), { anew: true }),
  definePage('/commission/record/:id', 'setup.record', () => import('./RecordView.vue'), { anew: true }),
];
