/** Every language at once, where a sentence is written that cannot be waited for. */
import { TRANSLATIONS } from '#locales/all.ts';
import { BASE, ENGLISH, type Language, type Translation } from './languages.ts';

export function getTranslation(language: Language): Translation {
  return language === BASE ? ENGLISH : TRANSLATIONS[language];
}
