import type { Feature } from '../feature.ts';

/** The editor is loaded when a template is opened: the list stays light. */
export const templatesFeature: Feature = {
  id: 'templates',
  routes: [
    {
      path: '/changes/templates',
      component: () => import('./list/TemplatesView.vue'),
      meta: { title: 'templates.title' },
    },
    {
      path: '/changes/proposals',
      component: () => import('./proposals/ProposalsView.vue'),
      meta: { title: 'proposals.title' },
    },
    {
      path: '/changes/templates/:id',
      component: () => import('./editor/TemplateEditor.vue'),
      props: true,
      meta: { title: 'templates.title' },
    },
  ],
};
