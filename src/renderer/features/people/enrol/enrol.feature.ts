import type { Feature } from '#renderer/features/feature.ts';

/** A finger of a person, put on at a terminal and brought to other readers. `?device=` and `?employee=` name where to begin. */
export const enrolFeature: Feature = {
  id: 'enrol',
  routes: [
    {
      path: '/people/enrol',
      component: () => import('./EnrolView.vue'),
      meta: { title: 'enrol.title' },
    },
  ],
};
