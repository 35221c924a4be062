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

/** Texts of a template that ships with the app: its name, its purpose, and the meaning of its variables. */
export interface TemplateLabels {
  readonly name: string;
  readonly description: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Names of its variables. */
  readonly labels: Readonly<Record<string, string>>;
}
interface Loaded {
  readonly language: Language;
  readonly words: FieldLabels;
  readonly sentences?: Translation;
  /** Labels by the file name of the template, without extension. */
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
