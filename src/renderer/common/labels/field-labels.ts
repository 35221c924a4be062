import { shallowRef } from 'vue';
import type { FieldLabels } from '#protocol/field-labels.ts';
import type { Translation } from '#shared/details/chinese.ts';
import type { Language } from '#shared/details/languages.ts';

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

/** What a template that ships with the app is called, what it is for, and what its variables mean. */
export interface TemplateLabels {
  readonly name: string;
  readonly description: string;
  readonly variables: Readonly<Record<string, string>>;
  /** What its variables are called. */
  readonly labels: Readonly<Record<string, string>>;
}
interface Loaded {
  readonly language: Language;
  readonly words: FieldLabels;
  readonly sentences?: Translation;
  /** By the file of the template, without its ending. */
  readonly templates?: Readonly<Record<string, TemplateLabels>>;
}

const NONE: FieldLabels = {};
const loaded = shallowRef<Loaded>({ language: 'en', words: NONE });

/** Loads the words of a language once; English needs none, its labels come with the data. */
export async function loadFieldLabels(language: Language): Promise<void> {
  if (loaded.value.language === language) return;
  if (language === 'en') {
    loaded.value = { language, words: NONE };
    return;
  }
  const [words, sentences, templates] = await Promise.all([
    import('../../../../resources/locales/zh-CN.fields.json'),
    import('#shared/details/chinese.ts'),
    import('../../../../resources/locales/zh-CN.templates.json'),
  ]);
  loaded.value = {
    language,
    words: words.default,
    sentences: sentences.CHINESE,
    templates: templates.default,
  };
}

export function useFieldLabels(): Readonly<typeof loaded> {
  return loaded;
}
