/** Generated from the folders beside it: npx node build/tasks/derived.mjs */
import * as language0 from './de.ts';
import * as language1 from './zh-CN.ts';

export const TRANSLATIONS = {
  'de': language0,
  'zh-CN': language1,
};
