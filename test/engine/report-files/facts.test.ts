import { expect, it } from 'vitest';
import { formatPlainValue } from '#engine/report-files/facts.ts';

// Would catch: raw JSON in a report for a customer, for what the specification gives no field.
it('says a value without a field of its own in words, the same whatever the order of its members', () => {
  const words = 'language en · text (de Helm · en Helmet)';

  expect(formatPlainValue({ text: { en: 'Helmet', de: 'Helm' }, language: 'en' })).toBe(words);
  expect(formatPlainValue({ language: 'en', text: { de: 'Helm', en: 'Helmet' } })).toBe(words);
  expect(formatPlainValue([1, true, { a: null }])).toBe('1, true, (a —)');
  expect(formatPlainValue('as it is')).toBe('as it is');
});
