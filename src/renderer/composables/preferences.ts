import { useMediaQuery } from '@vueuse/core';
import { computed, ref, watch, type ComputedRef, type Ref } from 'vue';
import { BASE, LANGUAGES, findLanguage, type Language } from '#shared/details/languages.ts';
import { DARK, LIGHT, buildPaletteProperties, raiseContrast, type Palette } from '../styles/palette.ts';

export const THEMES = ['system', 'light', 'dark', 'contrast'] as const;
type Theme = (typeof THEMES)[number];

function isOneOf<T extends string>(values: readonly T[], value: string | null | undefined): value is T {
  return (values as readonly (string | null | undefined)[]).includes(value);
}

/** A browser may refuse storage; the preference then lasts as long as the window. */
export function readPreference(key: string): string | null {
  try {
    return localStorage.getItem(`fieldwright.${key}`);
  } catch {
    return null;
  }
}
export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`fieldwright.${key}`, value);
  } catch {
    // nothing to do: see above
  }
}

/** The language that suits a list of the browser's preferred ones. */
function languageFor(preferred: readonly string[]): Language {
  return preferred.map(findLanguage).find((language) => language !== undefined) ?? BASE;
}

interface Preferences {
  readonly theme: Ref<Theme>;
  readonly language: Ref<Language>;
  readonly dark: ComputedRef<boolean>;
  readonly palette: ComputedRef<Palette>;
}

let shared: Preferences | undefined;

/** Theme and language of this person on this machine; the document follows them. */
export function usePreferences(): Preferences {
  shared ??= createPreferences();
  return shared;
}

function createPreferences(): Preferences {
  const storedTheme = readPreference('theme');
  const storedLanguage = readPreference('language');
  const theme = ref<Theme>(isOneOf(THEMES, storedTheme) ? storedTheme : 'system');
  const language = ref<Language>(
    isOneOf(LANGUAGES, storedLanguage) ? storedLanguage : languageFor(navigator.languages),
  );
  const systemIsDark = useMediaQuery('(prefers-color-scheme: dark)');
  const wantsContrast = useMediaQuery('(prefers-contrast: more)');
  /** Paper is light. It is laid out as soon as this is said, so that nothing may wait. */
  const onPaper = ref(false);
  addEventListener('beforeprint', () => (onPaper.value = true));
  addEventListener('afterprint', () => (onPaper.value = false));
  const dark = computed(
    () => !onPaper.value && (theme.value === 'dark' || (theme.value !== 'light' && systemIsDark.value)),
  );
  const palette = computed(() => {
    const plain = dark.value ? DARK : LIGHT;
    return theme.value === 'contrast' || wantsContrast.value ? raiseContrast(plain) : plain;
  });

  watch(
    palette,
    (colours) => {
      const root = document.documentElement;
      for (const [name, value] of buildPaletteProperties(colours)) root.style.setProperty(name, value);
      root.style.colorScheme = dark.value ? 'dark' : 'light';
    },
    { immediate: true, flush: 'sync' },
  );
  watch(language, (value) => (document.documentElement.lang = value), { immediate: true });
  watch(theme, (value) => remember('theme', value));
  watch(language, (value) => remember('language', value));
  return { theme, language, dark, palette };
}
