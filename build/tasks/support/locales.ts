/** Words of the product: `resources/locales/<language>/<area>.json`, and the modules that follow from those folders. */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { flattenWords, type Words } from '../../../src/shared/details/flatten-words.ts';

/** Language whose sentences the others translate. */
export const BASE = 'en';
/** Areas that are no sentences: each is an export of its own. What English lacks has its English in the data that it names. */
const LABELS = ['bundledTemplates', 'fields', 'help', 'params', 'terms'];

/** Files of one language by area, as they are. */
type Areas = Readonly<Record<string, object>>;

/** Reads every language; a folder is one. */
export function readLocales(folder: string): Readonly<Record<string, Areas>> {
  const languages = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return Object.fromEntries(
    languages
      .map(({ name }) => name)
      .sort((one, other) => (one === BASE ? -1 : other === BASE ? 1 : one.localeCompare(other, 'en')))
      .map((name) => [name, readAreas(join(folder, name))]),
  );
}

function readAreas(folder: string): Areas {
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => [
        basename(name, '.json'),
        JSON.parse(readFileSync(join(folder, name), 'utf8')) as object,
      ]),
  );
}

/** Returns the sentences of a language by id, without labels of fields and the like. */
export function listSentences(areas: Areas, which: (area: string) => boolean = () => true): Words {
  return Object.assign({}, ...pick(areas, which).map((area) => flattenWords(areas[area] ?? {}))) as Words;
}

/** Returns the ids of the sentences that each other language lacks. */
export function listMissing(
  locales: ReturnType<typeof readLocales>,
): Readonly<Record<string, readonly string[]>> {
  const ids = Object.keys(listSentences(locales[BASE] ?? {}));
  return Object.fromEntries(
    Object.entries(locales)
      .filter(([language]) => language !== BASE)
      .map(([language, areas]) => {
        const own = listSentences(areas);
        return [language, ids.filter((id) => own[id] === undefined)];
      }),
  );
}

function pick(areas: Areas, which: (area: string) => boolean): readonly string[] {
  return Object.keys(areas).filter(
    (area) => !LABELS.includes(toName(area)) && area !== 'language' && which(area),
  );
}

function isScreen(area: string): boolean {
  return area.startsWith('screen');
}
function isNoScreen(area: string): boolean {
  return !isScreen(area);
}

/** Use of a value by a message: a number it shows, a number it only chooses a form by, or anything else. */
type Placeholder = 'number' | 'choice' | 'text';

/** Returns the values that an ICU message names. @throws SyntaxError */
export function listPlaceholders(message: string): ReadonlyMap<string, Placeholder> {
  const shown = new Set<string>();
  const counted = new Set<string>();
  type Elements = ReturnType<IntlMessageFormat['getAst']>;
  const visit = (elements: Elements, number?: string): void => {
    for (const element of elements) {
      // 0 is literal text, 1 a value, 2 a number, 5 a choice by word, 6 one by number, 7 the number of that choice.
      if (element.type === 2 || element.type === 6) counted.add(element.value);
      if (element.type === 7) shown.add(number ?? '');
      else if (element.type !== 0 && element.type !== 6) shown.add(element.value);
      if (element.type === 5 || element.type === 6)
        for (const option of Object.values(element.options))
          visit(option.value, element.type === 6 ? element.value : number);
    }
  };
  visit(new IntlMessageFormat(message, BASE, undefined, { ignoreTag: true }).getAst());
  return new Map(
    [...new Set([...shown, ...counted])]
      .sort()
      .map((name) => [name, !counted.has(name) ? 'text' : shown.has(name) ? 'number' : 'choice']),
  );
}

/** Returns the text of each generated file in `resources/locales` by its name. */
export function formatLocaleModules(folder: string): Readonly<Record<string, string>> {
  const locales = readLocales(folder);
  const languages = Object.keys(locales);
  const others = languages.filter((language) => language !== BASE);
  const named = languages.map((language) => {
    const { language: name, codePage } = (locales[language]?.['language'] ?? {}) as Record<string, string>;
    return `  ${quote(language)}: { name: ${quote(name ?? language)}, codePage: ${quote(codePage ?? 'windows-1252')} },\n`;
  });
  const byLanguage = (value: (language: string) => string): string =>
    others.map((language) => `  ${quote(language)}: ${value(language)},\n`).join('');
  return {
    'languages.ts': `${HEAD}export const LANGUAGES = {
${named.join('')}} as const;

export const LOADERS = {
${byLanguage((language) => `() => import('./${language}.ts')`)}};

export const SCREENS = {
${byLanguage((language) => `() => import('./${language}.screen.ts')`)}};
`,
    'all.ts': `${HEAD}${others.map((language, at) => `import * as language${at} from './${language}.ts';\n`).join('')}
export const TRANSLATIONS = {
${others.map((language, at) => `  ${quote(language)}: language${at},\n`).join('')}};
`,
    'names.ts': formatNames(locales[BASE] ?? {}),
    ...Object.fromEntries(
      languages.flatMap((language) => {
        const areas = locales[language] ?? {};
        const labels = LABELS.map((label) => {
          const area = Object.keys(areas).find((name) => toName(name) === label);
          return area === undefined
            ? `export const ${label} = {};\n`
            : `export { default as ${label} } from './${language}/${area}.json' with { type: 'json' };\n`;
        });
        return [
          [
            `${language}.ts`,
            `${formatModule(language, pick(areas, isNoScreen), 'sentences', 'SentenceId')}\nexport const language = ${quote(language)};\n${labels.join('')}`,
          ],
          [`${language}.screen.ts`, formatModule(language, pick(areas, isScreen), 'screen', 'ScreenId')],
        ];
      }),
    ),
  };
}

const HEAD = `/** Generated from the folders beside it: npx node build/tasks/derived.mjs */\n`;

function formatModule(language: string, areas: readonly string[], name: string, ids: string): string {
  const type = `Readonly<${language === BASE ? `Record<${ids}, string>` : `Partial<Record<${ids}, string>>`}>`;
  return `${HEAD}import { flattenWords } from '#shared/details/flatten-words.ts';
import type { ${ids} } from './names.ts';
${areas.map((area) => `import ${toName(area)} from './${language}/${area}.json' with { type: 'json' };\n`).join('')}
export const ${name} = flattenWords(
${areas.map((area) => `  ${toName(area)},\n`).join('')}) as ${type};
`;
}

function formatNames(areas: Areas): string {
  const list = (title: string, which: (area: string) => boolean): string =>
    `export interface ${title} {\n${Object.entries(listSentences(areas, which))
      .map(([id, message]) => {
        const names = [...listPlaceholders(message)].map(
          ([name, kind]) => `${name}: ${kind === 'text' ? 'Text' : 'number'}`,
        );
        return `  ${quote(id)}: ${names.length === 0 ? 'None' : `{ ${names.join('; ')} }`};\n`;
      })
      .join('')}}\n`;
  return `${HEAD}type Text = string | number;
type None = Record<never, never>;
/** Values that the sentences of engine and command line name. */
${list('EngineSentences', isNoScreen)}export type SentenceId = keyof EngineSentences;
/** Values that the words of the screen name. */
${list('ScreenSentences', isScreen)}export type ScreenId = keyof ScreenSentences;
`;
}

/** `cli-output` as the name of a variable. */
function toName(area: string): string {
  return area.replace(/-(\w)/g, (_whole, letter: string) => letter.toUpperCase());
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
