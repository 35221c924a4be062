import { IconTemplate } from '../../components/icons.ts';
import type { Feature } from '../../composables/feature.ts';

/** The editor is loaded when a template is opened: the list stays light. */
export const templatesFeature: Feature = {
  id: 'templates',
  routes: [
    {
      path: '/templates',
      component: () => import('./TemplatesView.vue'),
      meta: { title: 'templates.title' },
    },
    {
      path: '/templates/:id',
      component: () => import('./TemplateEditor.vue'),
      props: true,
      meta: { title: 'templates.title' },
    },
  ],
  navigation: [{ label: 'templates.title', icon: IconTemplate, to: '/templates', place: 'main' }],
};
