import { createI18n } from 'vue-i18n';
import type { Language } from '#shared/details/languages.ts';
import type { Area } from '#protocol/definition.ts';
import type { DeviceKind } from '#shared/model.ts';
import { STATUS } from '#shared/details/status.ts';
import { guardTranslate } from './message-guard.ts';
import en from '../locales/en.json';
import zhCN from '../locales/zh-CN.json';

/** Kinds and areas are data: the compiler sees that each has its word in both languages. */
type Named = { readonly kind: Record<DeviceKind, string>; readonly area: Record<Area, string> };
const ENGLISH = en satisfies Named;
const CHINESE = zhCN satisfies Named;

/** Words that a feature or a family of components brings along: `messages.<language>.json` beside its files. */
const own = import.meta.glob<object>('../{features,common}/**/messages.*.json', {
  eager: true,
  import: 'default',
});

function withOwn<M extends { readonly status: object }>(messages: M, language: Language): M {
  return Object.entries(own)
    .filter(([path]) => path.endsWith(`/messages.${language}.json`))
    .reduce((all, [, more]) => ({ ...all, ...more }), {
      ...messages,
      status: { ...messages.status, ...STATUS[language] },
    });
}

/** Messages are interpreted, never compiled to functions: nothing here needs `eval` under the CSP. */
export function createAppI18n(language: Language, tell: (fault: Error) => void = reportError) {
  const english = withOwn(ENGLISH, 'en');
  const i18n = createI18n({
    legacy: false,
    locale: language,
    fallbackLocale: 'en',
    messages: { en: english, 'zh-CN': withOwn(CHINESE, 'zh-CN') },
  });
  const { global } = i18n;
  // Every component gets this very object from `useI18n`.
  Object.assign(global, { t: guardTranslate(global.t, english, { tell, write: global.n }) });
  return i18n;
}
