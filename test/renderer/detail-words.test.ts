import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeDetail, formatMessage } from '#renderer/common/labels/detail-text.ts';
import { showWords } from '#renderer/common/labels/field-labels.ts';
import { ENGLISH, loadTranslation } from '#shared/details/languages.ts';
import { getTranslation } from '#shared/details/all-languages.ts';
import { DEVICE_KINDS } from '#shared/model.ts';
import { createDetail, formatDetail, say, mapDetailValues, type DetailId } from '#shared/details.ts';

const ids = Object.keys(ENGLISH.sentences) as DetailId[];
const CHINESE = getTranslation('zh-CN');
const words = CHINESE.sentences as Readonly<Record<string, string>>;

describe('the Chinese sentences', () => {
  // Would catch: a sentence that was copied and not translated.
  it('are Chinese', () => {
    expect(Object.keys(CHINESE.terms)).toEqual(Object.keys(ENGLISH.terms));
    expect(
      [...Object.values(words), ...Object.values(CHINESE.terms)].filter(
        // A value with its unit is written alike everywhere.
        (text) => !/\p{Script=Han}/u.test(text) && /\p{L}/u.test(text.replace(/\{\w+\}|MB\/s|HTTP/g, '')),
      ),
    ).toEqual([]);
  });
  // Would catch: a new kind of device that is left out if kinds are listed in one sentence, in either language.
  it('name every kind of device where they name one', () => {
    const left = [ENGLISH.sentences, words].flatMap((sentences) =>
      Object.entries(sentences as Record<string, string>)
        .filter(([, text]) => DEVICE_KINDS.some((kind) => text.includes(`{${kind}, plural`)))
        .flatMap(([id, text]) =>
          DEVICE_KINDS.filter((kind) => !text.includes(`{${kind}, plural`)).map((kind) => [id, kind]),
        ),
    );
    expect(left).toEqual([]);
  });
});

// Would catch: "1 packages", or a sentence that shows both words.
it('an English word goes with its number', () => {
  const of = (count: number): string =>
    formatDetail(createDetail('model.cli.storage', { free: 1, total: 3, used: 2, count }));

  expect([of(1), of(2), of(0)]).toEqual([
    '1 MB free of 3 MB, 2 MB used by 1 package',
    '1 MB free of 3 MB, 2 MB used by 2 packages',
    '1 MB free of 3 MB, 2 MB used by 0 packages',
  ]);
});

/** Options, members, commands and files are the same in every language; so are abbreviations. */
const NAMES = new Set(
  'Fieldwright fieldwright Windows Mac jobs export serve device caps json update accept-weaker auth basic host port resources db npx electron-vite build ssh ulimit http https Basic Digest Ctrl mDNS MiB address name tags site user credential profile prefix namespace certificate sections set value variables type enum options pattern secret plan true false null amp base tcp ms flow list keys sign resume show TokenInfo Base Ctrl-C Unicode users remove failed dmy mdy apply swap csv en zh-CN auto digest none html pdf openssl compare other receipt change keep others items'.split(
    ' ',
  ),
);

/** Placeholders, file names, options with a value that is a word, commands as they are typed, members of documents. */
const SPELLED_ALIKE =
  /\{\w+(?:, (?:plural|number|select))?|\b(?:one|other|site|gate|thermal|ai|counter|recorder|apply|undo|seen) \{|openssl [\w -]+|[\w-]+(\.[\w-]+)+|--[\w-]+(?:[ =][a-z]+)?|fieldwright(?: [a-z][a-z-]+)+|\b[A-Za-z]+[a-z][A-Z]\w*/g;

describe('Chinese text', () => {
  // Would catch: a sentence that was copied and not translated, or half of one.
  it('holds no English words that are not names, units or codes', () => {
    const english = Object.entries({ ...words, ...CHINESE.terms }).flatMap(([id, text]) =>
      (text.replace(SPELLED_ALIKE, '').match(/[A-Za-z][A-Za-z-]+/g) ?? [])
        .filter((word) => !NAMES.has(word) && !/^[A-Z-]+$/.test(word.replace(/^IPv$/, 'IP')))
        .map((word) => `${id}: ${word}`),
    );

    expect(english).toEqual([]);
  });
});

describe('the catalogue', () => {
  // Would catch: a sentence that stays, in two languages, after its last use was removed.
  it('holds no sentence that nothing says', () => {
    const sources = Object.values(
      import.meta.glob<string>('../../src/**/*.{ts,vue}', { eager: true, query: '?raw', import: 'default' }),
    ).join('\n');
    const whole = new Set([...sources.matchAll(/['"`]([\w.: -]+)['"`]/g)].map(([, id]) => id));
    const composed = [...sources.matchAll(/`([\w.-]*)\$\{[^`}]*\}([\w.-]*)`/g)]
      .map(([, start = '', end = '']) => ({ start, end }))
      .filter(({ start, end }) => start.length + end.length > 2);
    // Heads of tables go by their English: the name of a column, or of a count in capitals.
    for (const [, head = ''] of sources.matchAll(/^\s+([A-Z]+)(?::|,$)/gm)) whole.add(head);
    const heads = /^head\.(.+)$/;
    const isSaid = (id: string): boolean => {
      const head = heads.exec(id)?.[1];
      if (head !== undefined) return whole.has(head) || whole.has(head.toLowerCase());
      return whole.has(id) || composed.some(({ start, end }) => id.startsWith(start) && id.endsWith(end));
    };

    expect(ids.filter((id) => !isSaid(id) && !id.startsWith('status.'))).toEqual([]);
  });
});

describe('a detail', () => {
  // Would catch: "There is a site "{name}" already.", said without a name; the compiler refuses what is marked here.
  it('is given the values that its sentence names, and no others', () => {
    const given = [
      createDetail('site-taken', { name: 'A' }),
      createDetail('no-placeholder', { text: 'x' }),
      createDetail('yaml.BLOCK_IN_FLOW'),
      // @ts-expect-error the sentence names a name
      createDetail('site-taken'),
      // @ts-expect-error the sentence names a name, not a title
      createDetail('site-taken', { title: 'A' }),
      // @ts-expect-error the sentence names nothing
      createDetail('name-missing', { name: 'A' }),
    ];

    expect(given.slice(0, 3).map(formatDetail)).toEqual([
      expect.stringContaining('"A"'),
      expect.stringContaining('${name}'),
      expect.stringContaining('{ } or [ ]'),
    ]);
  });
});

describe('what a detail names', () => {
  // Would catch: a password "read", whose letters are hidden in the id of a note as well, which then says nothing.
  it('is hidden without touching which sentence it is', () => {
    const note = createDetail('read.repeated', { field: 'a.read', count: 2 });

    expect(mapDetailValues(note, (text) => text.replaceAll('read', '••'))).toEqual({
      id: 'read.repeated',
      values: { field: 'a.••', count: 2 },
    });
  });
});

describe('a detail on the screen', () => {
  beforeAll(() => loadTranslation('zh-CN').then(showWords));
  afterAll(() => loadTranslation('en').then(showWords));

  it('is said in the language of the screen, the words among its values too', () => {
    const detail = createDetail('takes', { name: 'kinds', takes: 'a list', given: 'a whole number' });

    expect(formatDetail(detail)).toBe('"kinds" takes a list, not a whole number.');
    expect(describeDetail(detail)).toBe('“kinds”应为列表，而不是整数。');
  });
  it('never shows the English sentence where there is no detail, or one that this version does not know', () => {
    expect(formatMessage({ message: 'English' })).toBeUndefined();
    expect(
      formatMessage({ message: 'English', detail: { id: 'from-the-future' as DetailId } }),
    ).toBeUndefined();
  });
  // Would catch: a name from a file that breaks out of its place, or fills the screen.
  it('shows hostile values as text of a bounded length', () => {
    const { detail, message } = say('unknown-section', { set: '{set}\u202e$&'.repeat(200) });

    expect(message.length).toBeLessThan(400);
    expect(describeDetail(detail)).not.toContain('\u202e');
    expect(filledOnce(describeDetail(detail) ?? '')).toBe(true);
  });
});

/** Returns true if the placeholder inside the value was not filled in again. */
function filledOnce(text: string): boolean {
  return text.includes('{set}');
}
