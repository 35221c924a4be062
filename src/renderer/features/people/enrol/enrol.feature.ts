import { definePage } from '#renderer/features/define-page.ts';

/** A finger of a person, put on at a terminal and brought to other readers. `?device=` and `?employee=` name where to begin. */
export const enrolPages = [definePage('/people/enrol', 'enrol.title', () => import('./EnrolView.vue'))];
