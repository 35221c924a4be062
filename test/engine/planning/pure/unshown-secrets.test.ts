/** A write of a whole document may lose a secret that the device never shows; the plan of the section says so. */
import { expect, it } from 'vitest';
import { planSection } from '#engine/planning/pure/plan-section.ts';
import { section, shows } from './documents.ts';

function warned(set: string, value: unknown, text: string): unknown {
  const { plan } = planSection(section(set, value), shows(set, text), {}, 'http://d');
  return plan.warnings?.find(({ detail }) => detail?.id === 'secret-not-shown')?.detail?.values?.['names'];
}
const LOCK = '<RWLock><enabled>false</enabled><passwd></passwd></RWLock>';

// Would catch: a password that goes back to the device empty, or as stars, without a word.
it.each([
  ['shown empty', 'storage.rwLock', { enabled: true }, LOCK, 'passwd'],
  [
    'required and absent',
    'storage.rwLock',
    { enabled: true },
    LOCK.replace('<passwd></passwd>', ''),
    'passwd',
  ],
  [
    'shown as stars',
    'storage.rwLock',
    { enabled: true },
    LOCK.replace('<passwd>', '<passwd>******'),
    'passwd',
  ],
])('a secret that is %s is named in the plan', (_how, set, value, text, names) => {
  expect(warned(set, value, text)).toBe(names);
});

it.each([
  ['given', 'storage.rwLock', { enabled: true, passwd: 'abc123' }, LOCK],
  ['in a document that does not change', 'storage.rwLock', { enabled: false }, LOCK],
  ['shown', 'storage.rwLock', { enabled: true }, LOCK.replace('<passwd>', '<passwd>abc123')],
])('nothing is said of a secret that is %s', (_how, set, value, text) => {
  expect(warned(set, value, text)).toBeUndefined();
});
