/** What the engine says about values and documents, in the language of the screen. */
import { TERMS, detailText, filledIn, sentences, type Detail } from '../../../shared/details.ts';
import { useFieldWords } from './field-words.ts';
import { visibleText } from './format.ts';
import type { Language } from '../../composables/preferences.ts';

const WORDS: ReadonlySet<unknown> = new Set(TERMS);

/** The sentence of a detail; undefined where the language has none, so that no other one shows. */
export function detailSentence(detail: Detail): string | undefined {
  return detailSentences(detail)?.message;
}

/** The sentence, and the hint where there is one. */
export function detailSentences(detail: Detail): ReturnType<typeof sentences> | undefined {
  const { language, sentences: own } = useFieldWords().value;
  if (language === 'en') return sentences(visibleLines(detailText(detail)));
  const { id, values = {} } = detail;
  const sentence = own?.details[id];
  if (own === undefined || sentence === undefined) return undefined;
  const translated = Object.entries(values).map(
    ([name, value]) => [name, WORDS.has(value) ? (own.terms[value] ?? value) : value] as const,
  );
  return sentences(visibleLines(filledIn(sentence, Object.fromEntries(translated))));
}

function visibleLines(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}

/** A message with its detail: in English as it is, elsewhere by the detail alone. */
export function messageWords(
  { message, detail }: { readonly message: string; readonly detail?: Detail | undefined },
  language: Language = useFieldWords().value.language,
): string | undefined {
  if (language === 'en') return visibleText(message);
  return detail === undefined ? undefined : detailSentence(detail);
}
