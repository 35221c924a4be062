/** What the engine says about values and documents, in the language of the screen. */
import { detailText, sentences, type Detail } from '#shared/details.ts';
import { translated, type Language } from '#shared/details/languages.ts';
import type { Params } from '#shared/model.ts';
import { placeOf } from '#shared/place.ts';
import { useFieldLabels } from './field-labels.ts';
import { visibleText } from './format.ts';

/** The sentence of a detail; undefined where the language has none, so that no other one shows. */
export function detailSentence(detail: Detail): string | undefined {
  return detailSentences(detail)?.message;
}

/** The sentence, and the hint where there is one. */
export function detailSentences(detail: Detail): ReturnType<typeof sentences> | undefined {
  const { language, sentences: own } = useFieldLabels().value;
  if (language === 'en') return sentences(visibleLines(detailText(detail)));
  const text = own && translated(own, detail);
  return text === undefined ? undefined : sentences(visibleLines(text));
}

/** A sentence, or text that is nobody's to translate. */
export function wordsText(words: Detail | string): string {
  return typeof words === 'string' ? visibleText(words) : (detailSentence(words) ?? '');
}

/** `Channel 2, preset 1`; empty where there is nothing to tell apart. */
export function placeText(params: Params): string {
  return wordsText(placeOf(params) ?? '');
}

function visibleLines(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}

/** A message with its detail: in English as it is, elsewhere by the detail alone. */
export function messageText(
  { message, detail }: { readonly message: string; readonly detail?: Detail | undefined },
  language: Language = useFieldLabels().value.language,
): string | undefined {
  if (language === 'en') return visibleText(message);
  return detail === undefined ? undefined : detailSentence(detail);
}
