/** The catalogue in the languages of the product. */
import { TERMS, addReason, detailText, filledIn, type Detail } from '../details.ts';
import type { Translation } from './chinese.ts';

export const LANGUAGES = ['en', 'zh-CN'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What a detail says in one language; a second line is a hint. */
export type Sentence = (detail: Detail) => string;

const WORDS: ReadonlySet<unknown> = new Set(TERMS);

/** The language of the product that suits a tag such as `zh-Hans-CN`: Chinese or English. */
export function languageOf(tag: string): Language {
  return /^zh\b/i.test(tag) ? 'zh-CN' : 'en';
}

/** The sentence in another language, its words among the values too; undefined where it has none. */
export function translated(
  { details, terms }: Translation,
  { id, values = {}, reason }: Detail,
): string | undefined {
  const sentence = details[id];
  if (sentence === undefined) return undefined;
  const words = Object.entries(values).map(
    ([name, value]) => [name, WORDS.has(value) ? (terms[value] ?? value) : value] as const,
  );
  return addReason(filledIn(sentence, Object.fromEntries(words)), reason, details['device.says'] ?? '');
}

/** What is said outside the page: in English where the other language has no sentence. */
export function sentencesOf(translation: Translation): Sentence {
  return (detail) => translated(translation, detail) ?? detailText(detail);
}
