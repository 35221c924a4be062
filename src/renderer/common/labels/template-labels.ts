/** Names and descriptions of what ships with the app, in the language of the screen. */
import type { TemplateEntry } from '#shared/model.ts';
import { createDetail } from '#shared/details.ts';
import { BASE, type TemplateLabels } from '#shared/details/languages.ts';
import { formatDetailOrText } from './detail-text.ts';
import { useFieldLabels } from './field-labels.ts';
import { reveal } from './format.ts';

const BUNDLED = 'bundled:';

function wordsOf(id: string | undefined): TemplateLabels | undefined {
  return id?.startsWith(BUNDLED) === true
    ? useFieldLabels().value.bundledTemplates[id.slice(BUNDLED.length)]
    : undefined;
}

/** Returns the name of a template; a user's own templates have the name in their text. */
export function formatTemplateName({ id, name }: { readonly id?: string; readonly name: string }): string {
  return wordsOf(id)?.name ?? reveal(name);
}

/** Returns the purpose of a template; empty if it does not say. */
export function describeTemplate({
  id,
  description = '',
}: Pick<TemplateEntry, 'id' | 'description'>): string {
  return wordsOf(id)?.description ?? reveal(description);
}

/**
 * Returns the name of a variable: for a bundled template in the language of the screen, for others the name
 * in their text.
 */
export function formatVariableName(id: string | undefined, { name }: { readonly name: string }): string {
  if (useFieldLabels().value.language === BASE) return toReadableName(name);
  return wordsOf(id)?.labels[name] ?? reveal(name);
}

/** A variable's name as people would write it in English: `alertTemperature` is `Alert temperature`. */
export function toReadableName(name: string): string {
  const words = name
    .replace(/[_-]+/g, ' ')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .trim()
    .split(/\s+/)
    .map((word) => (/^\p{Lu}{2,}/u.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

export function describeVariable(
  id: string | undefined,
  { name, description }: { readonly name: string; readonly description?: string },
): string | undefined {
  return wordsOf(id)?.variables[name] ?? description;
}

/**
 * Returns the name of a connection profile: the initial one of every data folder has its name in the language
 * of the screen until it is renamed.
 */
export function formatProfileName({ id, name }: { readonly id: string; readonly name: string }): string {
  const isGiven = id === 'p-default' && name === 'Default';
  return formatDetailOrText(isGiven ? createDetail('cli.default-profile') : name);
}
