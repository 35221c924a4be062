/** Generated from the folders beside it: npx node build/tasks/derived.mjs */
import * as language0 from './zh-CN.ts';

export const TRANSLATIONS = {
  'zh-CN': language0,
};
