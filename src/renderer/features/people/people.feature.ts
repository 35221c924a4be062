import type { Feature } from '../feature.ts';

/** People on terminals: who is where, bringing them from a file or a device, taking them away everywhere. */
export const peopleFeature: Feature = {
  id: 'people',
  routes: [
    { path: '/people', component: () => import('./list/PeopleView.vue'), meta: { title: 'people.title' } },
    {
      path: '/people/bring',
      component: () => import('./plan/BringView.vue'),
      meta: { title: 'people.bring.title', anew: true },
    },
    {
      path: '/people/places',
      component: () => import('./places/PlacesView.vue'),
      meta: { title: 'people.places.title', anew: true },
    },
    {
      path: '/people/fingerprints',
      component: () => import('./prints/FingerprintsView.vue'),
      meta: { title: 'prints.title', anew: true },
    },
    {
      path: '/people/fingerprints/job/:id',
      component: () => import('./prints/PrintsWorkView.vue'),
      props: true,
      meta: { title: 'prints.title', anew: true },
    },
    {
      path: '/people/job/:id',
      component: () => import('./work/WorkView.vue'),
      props: true,
      meta: { title: 'people.work.title', anew: true },
    },
  ],
};
