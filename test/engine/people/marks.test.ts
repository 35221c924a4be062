/** Numbers of people as other programs write them: marks come off, and numbers that a spreadsheet has changed are refused. */
import { describe, expect, it } from 'vitest';
import { readDigits, readPersonNumber } from '#engine/people/file/marks.ts';

describe('the number of a person', () => {
  // Would catch: new people beside the real ones.
  it.each([
    ["'00000114", '00000114'],
    ["''00000114", '00000114'],
    ["'00000114'", '00000114'],
    ['’00000114', '00000114'],
    ['＇00000114', '00000114'],
    ['\t00000114', '00000114'],
    ['00000114\r', '00000114'],
    ['="00000114"', '00000114'],
    ['=""00000114""', '00000114'],
    ['\'="00000114"', '00000114'],
    ["='00000114'", '00000114'],
    ['= "00000114"', '00000114'],
    ['"00000114"', '00000114'],
    ['""00000114""', '00000114'],
    ['“00000114”', '00000114'],
    ['=114', '114'],
    ['\u00a000000114\u2007', '00000114'],
    ['\u200e00000114\u200f', '00000114'],
    ['0000\u200b0114', '00000114'],
    ['\ufeff115', '115'],
    ['\u2066115\u2069', '115'],
    ['1\u00ad15', '115'],
    ['０００００１１４', '00000114'],
    ['ＡＢ－１１４', 'AB-114'],
    ['\u3000114\u3000', '114'],
    ['١١٤', '114'],
    ['𝟏𝟏𝟒', '114'],
    ['𝟣𝟣𝟦', '114'],
    ['="１１４"', '114'],
    ['ʼ114', '114'],
    ['‚114‘', '114'],
    ['‹114›', '114'],
    ['「114」', '114'],
  ])('%j is %s', (given, value) => {
    expect(readPersonNumber(given)).toEqual({ value, marked: true });
  });

  it.each(['00000114', 'AB-114', '12E4567', '1D5', "O'115", 'A/7', '12 345', '756.1234.5678.97', '#12'])(
    '%s stays',
    (given) => {
      expect(readPersonNumber(given)).toEqual({ value: given, marked: false });
    },
  );

  // Would catch: digits that are lost, and a person called #N/A on every gate.
  it.each([
    ['1.14E+02', 'people-number-shortened'],
    ['1,14E+02', 'people-number-shortened'],
    ['1.14e2', 'people-number-shortened'],
    ['1E5', 'people-number-shortened'],
    ["'1.14E+02", 'people-number-shortened'],
    ['１．１４Ｅ＋０２', 'people-number-shortened'],
    ['1,14 E+02', 'people-number-shortened'],
    ['1.14E-05', 'people-number-shortened'],
    ['1.14x10^2', 'people-number-shortened'],
    ['1,14×10⁵', 'people-number-shortened'],
    ['1.14·10⁻²', 'people-number-shortened'],
    ['1.14E+ 2', 'people-number-shortened'],
    ['1.14E+0002', 'people-number-shortened'],
    ['.114E3', 'people-number-shortened'],
    ['1.14D+02', 'people-number-shortened'],
    ['114.0', 'people-number-decimal'],
    ['1\u00a0234', 'people-number-decimal'],
    ['1\u202f234\u202f567,00', 'people-number-decimal'],
    ['١٬٢٣٤', 'people-number-decimal'],
    ['114,00', 'people-number-decimal'],
    ['="114.0"', 'people-number-decimal'],
    ['114.', 'people-number-decimal'],
    ['1,234,567', 'people-number-decimal'],
    ['#N/A', 'people-number-error'],
    ['#REF!', 'people-number-error'],
    ['#BEZUG!', 'people-number-error'],
    ['#NV', 'people-number-error'],
    ['#¡REF!', 'people-number-error'],
    ['#¿NOMBRE?', 'people-number-error'],
    ['#DIV/0!', 'people-number-error'],
    ['#ДЕЛ/0!', 'people-number-error'],
    ['########', 'people-number-error'],
    ['＃Ｎ／Ａ', 'people-number-error'],
    ['Err:502', 'people-number-error'],
    ['NaN', 'people-number-error'],
    ['n/a', 'people-number-error'],
    ['TRUE', 'people-number-error'],
    ['(blank)', 'people-number-error'],
    ['', 'people-number-none'],
    ["'", 'people-number-none'],
    ['\u200b ', 'people-number-none'],
    ['—', 'people-number-none'],
    ['?', 'people-number-none'],
    ['=A1+5', 'people-number-formula'],
    ['114\t115', 'people-number-formula'],
    [2 ** 53, 'people-number-inexact'],
    [1e21, 'people-number-inexact'],
    [114.5, 'people-number-inexact'],
    [-1, 'people-number-signed'],
    ['-5', 'people-number-signed'],
    ['−5', 'people-number-signed'],
    ['+4930901820', 'people-number-signed'],
    ["'-5", 'people-number-signed'],
    [true, 'people-number-text'],
    [['114'], 'people-number-text'],
  ])('%j is refused', (given, id) => {
    expect(readPersonNumber(given)).toMatchObject({ complaint: { id } });
  });
});

// Would catch: a table of a few cells that keeps the program from everything else for a minute.
it('marks by the thousand cost nothing', () => {
  const begun = performance.now();
  for (const text of [
    `'x${"'".repeat(60_000)}b`,
    `${"' ".repeat(30_000)}b`,
    `${'"'.repeat(60_000)}b`,
    `x${' '.repeat(60_000)}b`,
    '𝟏'.repeat(30_000),
  ])
    readPersonNumber(text);

  expect(performance.now() - begun).toBeLessThan(500);
});

describe('digits in other columns', () => {
  it.each([
    ["'0815", '0815'],
    ['="0815"', '0815'],
    ['１，２', '1,2'],
    ["'1-1-1-401", '1-1-1-401'],
    // Not digits: a password may hold anything.
    ["'secret", "'secret"],
    ['=abc', '=abc'],
  ])('%j is %s', (given, value) => {
    expect(readDigits(given)).toMatchObject({ value });
  });

  it('a PIN that a spreadsheet has shortened is refused', () => {
    expect(readDigits('1,23E+07')).toMatchObject({ complaint: { id: 'people-number-shortened' } });
    expect(readDigits('1234.0')).toMatchObject({ complaint: { id: 'people-number-decimal' } });
    expect(readDigits('#REF!')).toMatchObject({ complaint: { id: 'people-number-error' } });
  });
});
