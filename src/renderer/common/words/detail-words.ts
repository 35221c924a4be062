/** What the engine says about values and documents, in the language of the screen. */
import { TERMS, filledIn, type Detail } from '../../../shared/details.ts';
import { useFieldWords } from './field-words.ts';
import { visibleText } from './format.ts';
import type { Language } from '../../composables/preferences.ts';

const WORDS: ReadonlySet<unknown> = new Set(TERMS);

/** The sentence of a detail; undefined where the language has none, so that no other one shows. */
export function detailSentence({ id, values = {} }: Detail): string | undefined {
  const { sentences } = useFieldWords().value;
  const sentence = sentences?.details[id];
  if (sentences === undefined || sentence === undefined) return undefined;
  const translated = Object.entries(values).map(
    ([name, value]) => [name, WORDS.has(value) ? (sentences.terms[value] ?? value) : value] as const,
  );
  return visibleText(filledIn(sentence, Object.fromEntries(translated)));
}

/** A message with its detail: in English as it is, elsewhere by the detail alone. */
export function messageWords(
  { message, detail }: { readonly message: string; readonly detail?: Detail | undefined },
  language: Language = useFieldWords().value.language,
): string | undefined {
  if (language === 'en') return visibleText(message);
  return detail === undefined ? undefined : detailSentence(detail);
}
