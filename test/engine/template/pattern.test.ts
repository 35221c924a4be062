/** Patterns of templates: what they mean, what they may not be, and that nothing they hold takes long. */
import { describe, expect, it } from 'vitest';
import { PatternWork, TABLE_STEPS, TEMPLATE_STEPS } from '#engine/template/pattern.ts';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { readValuesCsv } from '#engine/template/values/values-csv.ts';

function patternTemplate(pattern: string): string {
  return `fieldwright: template/1\nname: x\nvariables:\n  word:\n    type: string\n    pattern: ${JSON.stringify(pattern)}\nsections:\n  - { set: thermal.thermometryBasic, params: { channelID: 1 }, value: { calibrationFileVersion: "\${word}" } }\n`;
}

describe('patterns', () => {
  it('match whole texts', () => {
    const work = new PatternWork(TEMPLATE_STEPS);

    expect([work.matches('[A-Z]', 'A'), work.matches('[A-Z]', 'AB'), work.matches('a|b', 'bb')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each([
    ['(a)\\1', 'pattern-reference', '\\1'],
    ['(?=a)b', 'pattern-look-around', '(?='],
    ['(?<!a)b', 'pattern-look-around', '(?<!a)b'],
    ['(', 'bad-pattern', '('],
    ['(a{30}){1000}', 'pattern-too-large', undefined],
    ['(a?){900}b', 'pattern-too-large', undefined],
  ])('%s is an error of check with its line and reason', (pattern, id, part) => {
    const { errors } = parseTemplate(patternTemplate(pattern));

    expect(errors).toMatchObject([
      {
        code: 'not-allowed',
        path: 'variables.word.pattern',
        line: 6,
        detail: { id, ...(part === undefined ? {} : { values: { part } }) },
      },
    ]);
  });

  it('twenty patterns that backtrack are judged by work that is counted, not by patience', () => {
    const work = new PatternWork(20 * 10 * 61 + 20 * 1000);

    const verdicts = Array.from({ length: 20 }, (_, index) =>
      work.matches('(x+x+)+y'.replaceAll('y', String.fromCharCode(97 + index)), 'x'.repeat(59)),
    );

    expect(verdicts.filter((verdict) => verdict !== false)).toEqual([]);
  });

  it('says so where patterns would take too much work on the values of a template or a table', () => {
    const large = '(a?){199}b';
    const text = 'a'.repeat(4000);
    const table = Array.from({ length: 500 }, (_, index) => `d${index},${text}`).join('\n');

    const checked = parseTemplate(
      `fieldwright: template/1\nname: x\nvariables:\n${Array.from({ length: 50 }, (_, index) => `  v${index}: { type: string, pattern: "${large}", default: ${text} }\n`).join('')}sections: []\n`,
    );
    const read = readValuesCsv(Buffer.from(`device,word\n${table}\n`), [
      { name: 'word', type: 'string', pattern: large, required: true },
    ]);

    expect(TABLE_STEPS).toBeLessThan(500 * 600 * text.length);
    expect(
      checked.errors.some(
        ({ detail, line }) => detail?.id === 'patterns-take-too-long' && line !== undefined,
      ),
    ).toBe(true);
    expect(read.errors.some(({ detail }) => detail?.id === 'patterns-take-too-long')).toBe(true);
  });

  it('are enough for the tables people make', () => {
    const address = '((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])';
    const table = Array.from(
      { length: 10_000 },
      (_, index) => `d${index},192.0.2.${index % 256},192.0.2.${index % 256}`,
    ).join('\n');
    const variable = { type: 'string', pattern: address, required: true } as const;

    const { errors, rows } = readValuesCsv(Buffer.from(`device,one,other\n${table}\n`), [
      { ...variable, name: 'one' },
      { ...variable, name: 'other' },
    ]);

    expect([errors, rows.length]).toEqual([[], 10_000]);
  });
});
