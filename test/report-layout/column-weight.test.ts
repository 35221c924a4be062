import { expect, it } from 'vitest';
import { measureColumnWeight } from '#report-layout/column-weight.ts';

// Would catch: columns of equal width, in which "yes" has as much room as a sentence.
it('gives room to what is long, but not to one long cell', () => {
  const short = measureColumnWeight('Most', ['1', '22', '3']);
  const long = measureColumnWeight('Name', [
    'a sentence of some words',
    'another one of that length',
    'and one',
  ]);
  expect(long).toBeGreaterThan(2 * short);
  // Would catch: pages of an answer in a column no wider than the name of its device.
  const pages = Array<string>(20).fill('<isSupportPreview>true</isSupportPreview>'.repeat(30));
  expect(measureColumnWeight('Answer', pages)).toBeGreaterThan(
    1.5 * measureColumnWeight('Name', Array<string>(20).fill('x '.repeat(30))),
  );
  expect(measureColumnWeight('Most', [...Array<string>(20).fill('1'), 'x '.repeat(32_000)])).toBe(short);
});

it('counts Chinese characters twice, and the longest word of the head', () => {
  expect(measureColumnWeight('', ['温度范围设置'])).toBe(measureColumnWeight('', ['x'.repeat(12)]));
  expect(measureColumnWeight('Reads that work', [])).toBe(measureColumnWeight('Reads', []));
  expect(measureColumnWeight('Internationalisation', ['1'])).toBeGreaterThan(
    measureColumnWeight('On', ['1']),
  );
});
