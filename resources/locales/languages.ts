/** Generated from the folders beside it: npx node build/tasks/derived.mjs */
export const LANGUAGES = {
  'en': { name: 'English', codePage: 'windows-1252' },
  'de': { name: 'Deutsch', codePage: 'windows-1252' },
  'zh-CN': { name: '简体中文', codePage: 'gb18030' },
} as const;

export const LOADERS = {
  'de': () => import('./de.ts'),
  'zh-CN': () => import('./zh-CN.ts'),
};

export const SCREENS = {
  'de': () => import('./de.screen.ts'),
  'zh-CN': () => import('./zh-CN.screen.ts'),
};
