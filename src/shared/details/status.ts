/** Words of states by family, the same on every face. */
import en from '../../../resources/locales/en.status.json' with { type: 'json' };
import zhCN from '../../../resources/locales/zh-CN.status.json' with { type: 'json' };

export const STATUS = { en, 'zh-CN': zhCN } as const;
export type StatusLabels = typeof en;

/** A state by its family, as a sentence of the catalogue: `status.reach.reachable`. */
type StatusId = {
  [Family in keyof StatusLabels]: `status.${Family}.${keyof StatusLabels[Family] & string}`;
}[keyof StatusLabels];

export function buildStatusSentences(words: StatusLabels): Readonly<Record<StatusId, string>> {
  return Object.fromEntries(
    Object.entries(words).flatMap(([family, states]) =>
      Object.entries(states).map(([state, word]) => [`status.${family}.${state}`, word]),
    ),
  ) as Record<StatusId, string>;
}
