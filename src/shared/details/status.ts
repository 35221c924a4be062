/** Words of states by family, the same on every face. */
import en from '../../../resources/locales/en.status.json' with { type: 'json' };
import zhCN from '../../../resources/locales/zh-CN.status.json' with { type: 'json' };
import type { Language } from './languages.ts';

export const STATUS = { en, 'zh-CN': zhCN } as const satisfies Record<Language, object>;
export type StatusWords = typeof en;

/** A state by its family, as a sentence of the catalogue: `status.reach.reachable`. */
type StatusId = {
  [Family in keyof StatusWords]: `status.${Family}.${keyof StatusWords[Family] & string}`;
}[keyof StatusWords];

export function statusSentences(words: StatusWords): Readonly<Record<StatusId, string>> {
  return Object.fromEntries(
    Object.entries(words).flatMap(([family, states]) =>
      Object.entries(states).map(([state, word]) => [`status.${family}.${state}`, word]),
    ),
  ) as Record<StatusId, string>;
}
