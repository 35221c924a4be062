/** The folders of words, every language alike, and what follows from them. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DECLARATIONS } from '#cli/declarations/all.ts';
import { fillSentence } from '#shared/details/fill-sentence.ts';
import { LANGUAGES, findLanguage, translateDetail, type Translation } from '#shared/details/languages.ts';
import { getTranslation } from '#shared/details/all-languages.ts';
import { createDetail } from '#shared/details.ts';
import {
  BASE,
  listMissing,
  formatLocaleModules,
  listPlaceholders,
  listSentences,
  readLocales,
} from '../../build/tasks/support/locales.ts';

const FOLDER = join(import.meta.dirname, '../../resources/locales');
const locales = readLocales(FOLDER);
const english = listSentences(locales[BASE] ?? {});
/** Languages that promise every sentence. */
const COMPLETE = ['zh-CN'];

/** Options, commands of the product with their first word, and programs of a terminal. */
const NAMES_COMMAND = new RegExp(
  `(?:^|[^-])--[a-z]{2,}|\\bfieldwright [a-z-]+|\\x60|\\b(?:npx|ulimit|ssh|openssl) |["“„](?:${Object.keys(DECLARATIONS).join('|')}) [a-z-]+[ "”“.]`,
);

function readPlaceholders(message: string): ReturnType<typeof listPlaceholders> | undefined {
  try {
    return listPlaceholders(message);
  } catch {
    return undefined;
  }
}

describe.each(Object.entries(locales))('the words of %s', (language, areas) => {
  const sentences = Object.entries(listSentences(areas));

  // Would catch: "{count, plural, one {device}", which throws in front of a person.
  it('are ICU messages', () => {
    expect(sentences.filter(([, text]) => readPlaceholders(text) === undefined)).toEqual([]);
  });

  // Would catch: a value that is left out by mistake, one that no caller gives, and a choice by a number that is given as text.
  it('name the values of the English ones', () => {
    const differing = sentences.filter(([id, text]) => {
      const wanted = listPlaceholders(english[id] ?? '');
      const given = readPlaceholders(text) ?? new Map<string, string>();
      return (
        [...given].some(
          ([name, kind]) => !wanted.has(name) || (kind !== 'text' && wanted.get(name) === 'text'),
        ) ||
        // A number that only chooses a form in English may not be needed in another language.
        [...wanted].some(([name, kind]) => kind !== 'choice' && !given.has(name))
      );
    });

    expect(differing).toEqual([]);
  });

  // Would catch: a sentence under an id with a typing error, which never shows.
  it('have no id that English has not', () => {
    expect(sentences.map(([id]) => id).filter((id) => english[id] === undefined)).toEqual([]);
  });

  // Would catch: two areas that say different things under one id, of which one never shows.
  it('have each id in one area', () => {
    const all = Object.keys(areas).flatMap((area) =>
      Object.keys(listSentences(areas, (one) => one === area)),
    );

    expect(all.filter((id, at) => all.indexOf(id) !== at)).toEqual([]);
  });

  // Would catch: an installer on a ladder who is sent to a terminal. What the command line alone says is in areas of its own.
  it('name no option and no command, apart from those of the command line', () => {
    const onScreens = listSentences(areas, (area) => !area.startsWith('cli'));

    expect(Object.entries(onScreens).filter(([, text]) => NAMES_COMMAND.test(text))).toEqual([]);
  });

  it.runIf(COMPLETE.includes(language))('lack none', () => {
    expect(listMissing(locales)[language]).toEqual([]);
  });
});

// Would catch: "Nobody answers", "somebody stands in between": English that a reader has to decode.
it('English sentences say who and what in plain words', () => {
  const unclear = /\b(?:somebody|nobody|anybody|everybody|whoever|stands?|told|heard|at hand|verdicts?)\b/i;

  expect(Object.entries(english).filter(([, text]) => unclear.test(text.replace(/\{\w+/g, '')))).toEqual([]);
});

// Would catch: a folder of a new language, or a new sentence, that the product does not know yet.
it('the modules beside the folders say what is in them', () => {
  const kept = Object.entries(formatLocaleModules(FOLDER)).filter(
    ([name, text]) => readFileSync(join(FOLDER, name), 'utf8') !== text,
  );

  expect(
    kept.map(([name]) => name),
    'run npx node build/tasks/derived.mjs',
  ).toEqual([]);
  expect([...LANGUAGES]).toEqual(Object.keys(locales));
});

// Would catch: a language that is not there before a programmer names it somewhere.
it('a language is a folder and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-locales-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(FOLDER, BASE), join(folder, BASE), { recursive: true });
  mkdirSync(join(folder, 'pl'));
  writeFileSync(join(folder, 'pl', 'language.json'), '{"language": "Polski"}');
  writeFileSync(join(folder, 'pl', 'terms.json'), '{"none": "brak"}');

  const modules = formatLocaleModules(folder);

  expect(modules['languages.ts']).toContain("'pl': { name: 'Polski', codePage: 'windows-1252' }");
  expect(modules['pl.ts']).toContain("export { default as terms } from './pl/terms.json'");
  expect(listMissing(readLocales(folder))['pl']).toEqual(Object.keys(english));
});

describe('a sentence', () => {
  // Would catch: "1 devices", and the rules of English for a language that has others.
  it('has the form that the language has for a number', () => {
    const text = '{n, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}';

    expect([1, 2, 5].map((n) => fillSentence(text, { n }, 'pl'))).toEqual(['1 plik', '2 pliki', '5 plików']);
    expect([1, 2, 5000].map((n) => fillSentence('{n, plural, one {# file} other {# files}}', { n }))).toEqual(
      ['1 file', '2 files', '5,000 files'],
    );
  });
  // Would catch: a name from a device that is read as a message, as markup, or looked up in Object.
  it('takes a value as it is', () => {
    const name = `{n, plural, other {x}} <b>'{'</b>`;

    expect(fillSentence("''{name}'' <b>{n}", { name, n: 5000 })).toBe(`'${name}' <b>5000`);
    expect(fillSentence('{constructor}', {})).toBe('{constructor}');
  });
  // Would catch: a record of an older version without one of the values, which throws and shows nothing.
  it('keeps the name of a value that is missing, and tells of it', () => {
    const missing: string[] = [];
    const text = fillSentence('{count, plural, one {# part} other {# parts}} of {name}', {}, 'en', (name) =>
      missing.push(name),
    );

    expect(text).toBe('NaN parts of {name}');
    expect(missing).toEqual(['count', 'name']);
  });
  // Would catch: a language that lacks a sentence and shows nothing, or one by the plural rules of the other language.
  it('is English where the language lacks it, and its words still of the language', () => {
    const lacking: Translation = { ...getTranslation('zh-CN'), sentences: {} };
    const detail = createDetail('takes', { name: 'kinds', takes: 'a list', given: 'a whole number' });

    expect(translateDetail(lacking, detail)).toBe('"kinds" takes 列表, not 整数.');
  });
});

describe('a tag of a system', () => {
  // Would catch: a Chinese computer (zh-Hans-SG, zh) that gets English.
  it.each([
    ['zh-Hans-SG', 'zh-CN'],
    ['zh', 'zh-CN'],
    ['ZH_cn', 'zh-CN'],
    ['en-GB', 'en'],
    ['zhx', undefined],
    ['', undefined],
  ])('%s is %s', (tag, language) => {
    expect(findLanguage(tag)).toBe(language);
  });
});
