import { definePage } from '../define-page.ts';

/** The editor is loaded when a template is opened: the list stays light. */
export const templatesPages = [
  definePage('/changes/templates', 'templates.title', () => import('./list/TemplatesView.vue')),
  definePage('/changes/proposals', 'proposals.title', () => import('./proposals/ProposalsView.vue')),
  definePage('/changes/templates/:id', 'templates.title', () => import('./editor/TemplateEditor.vue')),
];
