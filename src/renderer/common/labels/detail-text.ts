/** Formats what the engine says about values and documents, in the language of the screen. */
import { splitSentences, type Detail } from '#shared/details.ts';
import { BASE, translateDetail } from '#shared/details/languages.ts';
import type { Params } from '#shared/model.ts';
import { placeOf } from '#shared/place.ts';
import { useFieldLabels } from './field-labels.ts';
import { reveal } from './format.ts';

/** Returns the sentence of a detail; undefined for one of another version. */
export function describeDetail(detail: Detail): string | undefined {
  return formatDetailWithHint(detail)?.message;
}

/** The sentence, and the hint where there is one. */
export function formatDetailWithHint(detail: Detail): ReturnType<typeof splitSentences> | undefined {
  const text = translateDetail(useFieldLabels().value, detail);
  return text === undefined ? undefined : splitSentences(visibleLines(text));
}

/** Formats a detail as a sentence, and shows other text as it is. */
export function formatDetailOrText(words: Detail | string): string {
  return typeof words === 'string' ? reveal(words) : (describeDetail(words) ?? '');
}

/** `Channel 2, preset 1`; empty where there is nothing to tell apart. */
export function placeText(params: Params): string {
  return formatDetailOrText(placeOf(params) ?? '');
}

function visibleLines(text: string): string {
  return text.split('\n').map(reveal).join('\n');
}

/** A message with its detail: in English as it is, elsewhere by the detail alone. */
export function formatMessage({
  message,
  detail,
}: {
  readonly message: string;
  readonly detail?: Detail | undefined;
}): string | undefined {
  if (useFieldLabels().value.language === BASE) return reveal(message);
  return detail === undefined ? undefined : describeDetail(detail);
}
