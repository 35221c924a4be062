import { createI18n } from 'vue-i18n';
import type { Language } from '../composables/preferences.ts';
import en from '../locales/en.json';
import zhCN from '../locales/zh-CN.json';

/** Messages are interpreted, never compiled to functions: nothing here needs `eval` under the CSP. */
export function createAppI18n(language: Language) {
  return createI18n({ legacy: false, locale: language, fallbackLocale: 'en', messages: { en, 'zh-CN': zhCN } });
}
