/** Names and descriptions of the templates that ship with the app, in the language of the screen. */
import type { TemplateEntry } from '../../../shared/model.ts';
import { useFieldWords, type TemplateWords } from './field-words.ts';
import { visibleText } from './format.ts';

const BUNDLED = 'bundled:';

function wordsOf(id: string | undefined): TemplateWords | undefined {
  return id?.startsWith(BUNDLED) === true
    ? useFieldWords().value.templates?.[id.slice(BUNDLED.length)]
    : undefined;
}

/** What a template is called; own ones as their text says it. */
export function templateName({ id, name }: { readonly id?: string; readonly name: string }): string {
  return wordsOf(id)?.name ?? visibleText(name);
}

/** What a template is for; empty where it does not say. */
export function templateAbout({ id, description = '' }: Pick<TemplateEntry, 'id' | 'description'>): string {
  return wordsOf(id)?.description ?? visibleText(description);
}

/** What a variable of a template means; undefined where nobody said. */
export function variableAbout(
  id: string | undefined,
  { name, description }: { readonly name: string; readonly description?: string },
): string | undefined {
  return wordsOf(id)?.variables[name] ?? description;
}
