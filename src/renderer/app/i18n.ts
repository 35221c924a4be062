import type { App } from 'vue';
import { createI18n, type Composer } from 'vue-i18n';
import { screen } from '#locales/en.screen.ts';
import { SCREENS } from '#locales/languages.ts';
import { fillSentence, type SentenceValues } from '#shared/details/fill-sentence.ts';
import { BASE, ENGLISH, loadTranslation, type Language } from '#shared/details/languages.ts';
import { reveal } from '../common/labels/format.ts';
import { showWords } from '../common/labels/field-labels.ts';

/**
 * Sentences of the engine and words of the screen, by id. Messages are interpreted: nothing here needs `eval`, which the
 * CSP forbids. A message that lacks one of its values shows its name; that is an error of the page, which `tell` gets.
 */
export function createAppI18n(tell = (fault: Error): void => reportError(fault)) {
  const i18n = createI18n({
    legacy: false,
    locale: BASE,
    fallbackLocale: BASE,
    missingWarn: false,
    fallbackWarn: false,
    messages: { [BASE]: { ...ENGLISH.sentences, ...screen } } as Record<string, Record<string, string>>,
    messageResolver: (messages, id) => (messages as Record<string, string | undefined>)[id] ?? null,
    messageCompiler: (message, { locale, key }) => {
      const miss = (name: string): void => tell(new Error(`The message ${key} lacks ${name}.`));
      return ({ values }: { readonly values: Record<string, unknown> }) =>
        fillSentence(String(message), revealAll(values as SentenceValues), locale, miss);
    },
  });
  const { t, n } = i18n.global;
  const install = i18n.install.bind(i18n);
  return Object.assign(i18n, {
    install(app: App) {
      install(app);
      Object.assign(app.config.globalProperties, { t, n, reveal });
    },
  });
}

/** Makes invisible characters visible in every text that a sentence of the screen names. */
function revealAll(values: SentenceValues): SentenceValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? reveal(value) : value]),
  );
}

let wanted: Language = BASE;

export async function showLanguage(
  { locale, setLocaleMessage }: Pick<Composer, 'locale' | 'setLocaleMessage'>,
  language: Language,
): Promise<void> {
  wanted = language;
  const words = await loadTranslation(language);
  if (language !== BASE) {
    const translated = await SCREENS[language]();
    setLocaleMessage(language, { ...words.sentences, ...translated.screen });
  }
  if (wanted !== language) return;
  showWords(words);
  locale.value = language;
}
