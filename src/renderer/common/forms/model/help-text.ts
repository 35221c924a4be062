import { shallowRef } from 'vue';
import type { Language } from '#shared/details/languages.ts';

const chinese = shallowRef<Readonly<Record<string, string>>>();
let asked = false;

/** The definition's help in a language, empty until its words are there; the English sentence is the key. */
export function getHelpText(help: string, language: Language): string {
  if (language === 'en') return help;
  if (!asked) {
    asked = true;
    void import('./help.zh-CN.json').then((words) => {
      chinese.value = words.default;
    });
  }
  return chinese.value === undefined ? '' : (chinese.value[help] ?? help);
}
