/** Registers what every screen shows beside the kit: errors, and states as words with a sign. */
import type { Plugin } from 'vue';
import ErrorNotice from './errors/ErrorNotice.vue';
import Problem from './errors/Problem.vue';
import StatusBadge from './status/StatusBadge.vue';

const all = { ErrorNotice, Problem, StatusBadge };

export const parts: Plugin = {
  install(app) {
    for (const [name, part] of Object.entries(all)) app.component(name, part);
  },
};

type Parts = typeof all;

declare module 'vue' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the parts become Vue's own type
  interface GlobalComponents extends Parts {}
}
