/** Words of states by family, the same on every face. */
import en from '../../../resources/locales/en.status.json' with { type: 'json' };
import zhCN from '../../../resources/locales/zh-CN.status.json' with { type: 'json' };
import type { Language } from './languages.ts';

export const STATUS = { en, 'zh-CN': zhCN } as const satisfies Record<Language, object>;
export type StatusWords = typeof en;
