/** The catalogue in the languages of the product, each a folder of `resources/locales`. */
import * as english from '#locales/en.ts';
import { LANGUAGES as NAMES, LOADERS } from '#locales/languages.ts';
import { fillSentence, type SentenceValues } from './fill-sentence.ts';
import type { Words } from './flatten-words.ts';
import type { Detail } from './detail.ts';
import type { CodePage } from '../text/file-text.ts';

export type Language = keyof typeof NAMES;
/** Language whose sentences the others translate, and which says what they lack. */
export const BASE = 'en' satisfies Language;
export const LANGUAGES = Object.keys(NAMES) as [Language, ...Language[]];

/** Texts of a template that ships with the product: its name, its purpose, and the meaning of its variables. */
export interface TemplateLabels {
  readonly name: string;
  readonly description: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Names of its variables. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Words of a language, apart from those of the screen. */
export interface Translation {
  readonly language: Language;
  readonly sentences: Partial<Words>;
  /** Words among the values of a sentence, by the English one; every other value is a name or a number. */
  readonly terms: Words;
  /** Labels of operations, fields and options; English ones are part of the definitions. */
  readonly fields: Words;
  /** Labels of templates that ship with the product, by the file name without extension. */
  readonly bundledTemplates: Readonly<Record<string, TemplateLabels | undefined>>;
  /** Help of fields, by the English one of the definitions. */
  readonly help: Words;
  /** Names of path variables, by the English ones of the definitions. */
  readonly params: Words;
}

export const ENGLISH: Translation = english;

/** Text of a detail in one language; a second line is a hint. */
export type Sentence = (detail: Detail) => string;

/** Returns the name of a language in itself. */
export function getLanguageName(language: Language): string {
  return NAMES[language].name;
}

/** Returns the encoding that spreadsheets give files in this language if it is no Unicode one. */
export function getCodePage(language: Language): CodePage {
  return NAMES[language].codePage;
}

/** Returns the language of the product for a tag such as `zh-Hans-CN`; undefined if it has none. */
export function findLanguage(tag: string): Language | undefined {
  const [primary = ''] = /^[a-z]*/i.exec(tag) ?? [];
  return LANGUAGES.find((language) => language.split('-')[0] === primary.toLowerCase());
}

/** Returns the language of the product for a tag such as `zh-Hans-CN`, else English. */
export function matchLanguage(tag: string): Language {
  return findLanguage(tag) ?? BASE;
}

/** Loads the words of a language once. */
export async function loadTranslation(language: Language): Promise<Translation> {
  return language === BASE ? ENGLISH : LOADERS[language]();
}

/**
 * Returns the sentence of a detail, with the words among its values, in English if the language lacks it; undefined for
 * a detail of another version.
 */
export function translateDetail(
  translation: Translation,
  { id, values = {}, reason }: Detail,
): string | undefined {
  const { language, sentences: own } = translation.sentences[id] === undefined ? ENGLISH : translation;
  const sentence = own[id];
  if (sentence === undefined) return undefined;
  const { terms } = translation;
  const words = Object.entries(values).map(([name, value]) => [
    name,
    Object.hasOwn(terms, value) ? (terms[value] ?? value) : value,
  ]);
  const text = fillSentence(sentence, Object.fromEntries(words) as SentenceValues, language);
  if (reason === undefined) return text;
  const [said = '', ...hint] = text.split('\n');
  const pattern = translation.sentences['device.says'] ?? english.sentences['device.says'];
  return [fillSentence(pattern, { sentence: said, reason }), ...hint].join('\n');
}

/** Returns the text of a detail in a language: id and values if it is one of another version. */
export function writeDetail(translation: Translation, detail: Detail): string {
  return translateDetail(translation, detail) ?? [detail.id, ...Object.values(detail.values ?? {})].join(' ');
}

/** Returns what writes details in a language. */
export function createTranslator(translation: Translation): Sentence {
  return (detail) => writeDetail(translation, detail);
}
