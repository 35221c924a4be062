import { expect, it } from 'vitest';
import { buildFileName, findWindowsTrap, formatOneOrCount, toSafeFileName } from '#shared/text/file-name.ts';

it.each([
  [['handover', 'Plant South', '2030-01-31'], 'pdf', 'handover Plant South 2030-01-31.pdf'],
  [['capabilities', 'Gate <1>: "A/B"', '2030-01-31'], 'html', 'capabilities Gate -1- -A-B- 2030-01-31.html'],
  [['capabilities', '..\\..\\boot', '2030-01-31'], 'csv', 'capabilities ..-..-boot 2030-01-31.csv'],
  [
    ['commissioning.gate', '酒店 大堂\u202e', '2030-01-31'],
    'pdf',
    'commissioning.gate 酒店 大堂- 2030-01-31.pdf',
  ],
  [['handover', '', '2030-01-31'], 'json', 'handover 2030-01-31.json'],
])('a file is named after what is in it, as every system takes it: %j', (parts, ending, name) => {
  expect(buildFileName(parts, ending)).toBe(name);
});

// Would catch: a long name of a device that leaves no room for the day, or half a letter at its end.
it('keeps the day behind a name of any length', () => {
  const name = buildFileName(['handover', '🚪'.repeat(200), '2030-01-31'], 'pdf');

  expect(name).toMatch(/^handover 🚪+ 2030-01-31\.pdf$/u);
  expect(name.length).toBeLessThanOrEqual(150);
});

it.each(['CON.pdf', 'nul', 'com1.txt', 'LPT9 .csv', 'aux.tar.gz'])(
  '%s, which Windows keeps for itself, becomes another name',
  (name) => {
    expect(toSafeFileName(name)).toMatch(/_/);
  },
);

it('several devices are told by how many they are', () => {
  expect([
    formatOneOrCount(['Gate'], 'devices'),
    formatOneOrCount(['A', 'B'], 'devices'),
    formatOneOrCount([], 'devices'),
  ]).toEqual(['Gate', '2 devices', '']);
});

// Would catch: a report written into a hidden stream of another file, or to a device that swallows it.
it.each([
  ['report:1.csv', 'report:1.csv'],
  [String.raw`C:\sites\a:b\r.csv`, 'a:b'],
  [String.raw`D:\out\NUL`, 'NUL'],
  ['sites/com1.txt', 'com1.txt'],
  ['aux .csv', 'aux .csv'],
  ['plan.', 'plan.'],
  ['folder /plan.json', 'folder '],
  [String.raw`\\?\C:\a\con.json`, 'con.json'],
  [String.raw`C:\Users\Jürgen\..\console\r.1.csv`, undefined],
  [String.raw`\\server\share\r.csv`, undefined],
  ['.\\r.csv', undefined],
])('in %s Windows would take %s for something else', (path, part) => {
  expect(findWindowsTrap(path)).toBe(part);
});
