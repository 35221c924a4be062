import { definePage } from '../define-page.ts';

/** Replacement of a device, and the archive. `?device=` names the old one. */
export const replacementPages = [
  { path: '/devices/swap', redirect: '/devices/replace' },
  definePage('/devices/replace', 'replacement.title', () => import('./ReplaceView.vue')),
  definePage('/devices/archive', 'replacement.archive', () => import('./ArchiveView.vue')),
];
