import { IntlMessageFormat } from 'intl-messageformat';

export type SentenceValues = Readonly<Record<string, string | number>>;

/** Parsed sentences by language; the catalogue bounds their number. */
const parsed = new Map<string, Map<string, IntlMessageFormat>>();

/**
 * Returns a sentence of the catalogue, which is an ICU message, with the values in their places. `{name}` stays where no
 * such value is given, and `whenMissing` gets its name.
 */
export function fillSentence(
  sentence: string,
  values: SentenceValues = {},
  language = 'en',
  whenMissing?: (name: string) => void,
): string {
  if (!/[{']/.test(sentence)) return sentence;
  const given = new Proxy(values, {
    has: () => true,
    get(_values, name: string) {
      if (Object.hasOwn(values, name) && values[name] !== undefined) return values[name];
      whenMissing?.(name);
      return `{${name}}`;
    },
  });
  return String(parseSentence(sentence, language).format(given));
}

function parseSentence(sentence: string, language: string): IntlMessageFormat {
  const known = parsed.get(language) ?? new Map<string, IntlMessageFormat>();
  parsed.set(language, known);
  const format =
    known.get(sentence) ?? new IntlMessageFormat(sentence, language, undefined, { ignoreTag: true });
  known.set(sentence, format);
  return format;
}
