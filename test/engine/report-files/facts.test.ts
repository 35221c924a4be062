import { expect, it } from 'vitest';
import { plainWords } from '#engine/report-files/facts.ts';

// Would catch: raw JSON in a report for a customer, for what the specification gives no field.
it('fault 30: says a value without a field of its own in words, the same whatever the order of its members', () => {
  const words = 'language en · text (de Helm · en Helmet)';

  expect(plainWords({ text: { en: 'Helmet', de: 'Helm' }, language: 'en' })).toBe(words);
  expect(plainWords({ language: 'en', text: { de: 'Helm', en: 'Helmet' } })).toBe(words);
  expect(plainWords([1, true, { a: null }])).toBe('1, true, (a —)');
  expect(plainWords('as it is')).toBe('as it is');
});
