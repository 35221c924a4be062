import { shallowRef } from 'vue';
import type { FieldLabels } from '#protocol/field-labels.ts';
import { ENGLISH, type Translation } from '#shared/details/languages.ts';

export {
  changeLabel,
  formatComposite,
  findOptionLabel,
  getReportedLabel,
  findReportedOption,
  findSectionField,
  getSectionLabel,
} from '#protocol/field-labels.ts';
export type { FieldLabels };

const shown = shallowRef<Translation>(ENGLISH);

export function showWords(words: Translation): void {
  shown.value = words;
}

/** Returns the words of the language that the page shows, apart from those of the screen. */
export function useFieldLabels(): Readonly<typeof shown> {
  return shown;
}

/** Returns the help of a field in the language of the screen; the English one of the definitions is the key. */
export function translateHelp(help: string): string {
  return shown.value.help[help] ?? help;
}

/** Returns the name of a path variable in the language of the screen. */
export function translateParamLabel(label: string): string {
  return shown.value.params[label] ?? label;
}
