/** The catalogue in the languages of the product. */
import { TERMS, addReason, formatDetail, fillSentence, type Detail } from '../details.ts';
import type { Translation } from './chinese.ts';

export const LANGUAGES = ['en', 'zh-CN'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What a detail says in one language; a second line is a hint. */
export type Sentence = (detail: Detail) => string;

const WORDS: ReadonlySet<unknown> = new Set(TERMS);

/** The language of the product that suits a tag such as `zh-Hans-CN`: Chinese or English. */
export function matchLanguage(tag: string): Language {
  return /^zh\b/i.test(tag) ? 'zh-CN' : 'en';
}

/** The sentence in another language, its words among the values too; undefined where it has none. */
export function translateDetail(
  { details, terms }: Translation,
  { id, values = {}, reason }: Detail,
): string | undefined {
  const sentence = details[id];
  if (sentence === undefined) return undefined;
  const words = Object.entries(values).map(
    ([name, value]) => [name, WORDS.has(value) ? (terms[value] ?? value) : value] as const,
  );
  return addReason(fillSentence(sentence, Object.fromEntries(words)), reason, details['device.says'] ?? '');
}

/** What is said outside the page: in English where the other language has no sentence. */
export function createTranslator(translation: Translation): Sentence {
  return (detail) => translateDetail(translation, detail) ?? formatDetail(detail);
}
