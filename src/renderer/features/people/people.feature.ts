import { definePage } from '../define-page.ts';

/** People on terminals: who is where, bringing them from a file or a device, taking them away everywhere. */
export const peoplePages = [
  definePage('/people', 'people.title', () => import('./list/PeopleView.vue')),
  definePage('/people/bring', 'people.bring.title', () => import('./plan/BringView.vue'), { anew: true }),
  definePage('/people/places', 'people.places.title', () => import('./places/PlacesView.vue'), {
    anew: true,
  }),
  definePage('/people/fingerprints', 'prints.title', () => import('./prints/FingerprintsView.vue'), {
    anew: true,
  }),
  definePage('/people/fingerprints/job/:id', 'prints.title', () => import('./prints/PrintsWorkView.vue'), {
    anew: true,
  }),
  definePage('/people/job/:id', 'people.work.title', () => import('./work/WorkView.vue'), { anew: true }),
];
