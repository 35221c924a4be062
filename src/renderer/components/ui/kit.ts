/** Registers the kit, so that every screen may use its parts by their names. */
import type { Plugin } from 'vue';
import * as all from './index.ts';

const { useBarEnd: _composable, ...parts } = all;

export const kit: Plugin = {
  install(app) {
    for (const [name, part] of Object.entries(parts)) app.component(name, part);
  },
};

type Parts = typeof parts;

declare module 'vue' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the parts become Vue's own type
  interface GlobalComponents extends Parts {}
}
