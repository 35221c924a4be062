import { definePage } from '../define-page.ts';

/** Reports as files. `?device=` names one device, `?of=chosen` those that are chosen on the site, `?of=all` all; they begin at once. */
export const reportsPages = [
  definePage('/documents', 'reports.title', () => import('./ReportsView.vue')),
  definePage('/documents/keys', 'deviceKeys.title', () => import('./KeysView.vue'), { anew: true }),
  definePage('/documents/site', 'siteFile.title', () => import('./SiteFileView.vue'), { anew: true }),
  definePage('/documents/receipt/:id', 'reports.receipt', () => import('./ReceiptView.vue'), { anew: true }),
  definePage('/documents/made/:id', 'reports.title', () => import('./DocumentView.vue'), { anew: true }),
];
