import { describe, expect, it } from 'vitest';
import { findEntries, type CommandEntry } from '#renderer/app/command/find-entries.ts';
import { findAction, formatPress, KEYS } from '#renderer/app/keys/keys.ts';

const entry = (label: string, group: CommandEntry['group'], hint = ''): CommandEntry => ({
  group,
  label,
  hint,
  to: '/',
});
const ENTRIES = [
  entry('Thermal calibration', 'template'),
  entry('Emissivity', 'field', 'Thermal T01 North gate › Thermometry'),
  entry('Thermal T01 North gate', 'device', '10.77.0.2:43000'),
  entry('Thermal T02 Bay 1', 'device', '10.77.0.3:43000'),
  entry('Devices', 'place'),
];
const labels = (query: string) => findEntries(ENTRIES, query).map(({ label }) => label);

describe('the command bar', () => {
  // Would catch: words that count only in the order in which they are written on the device.
  it('finds by words in any order, in label and hint', () => {
    expect(labels('gate t01')).toEqual(['Thermal T01 North gate', 'Emissivity']);
    expect(labels('north emiss')).toEqual(['Emissivity']);
    expect(labels('.0.3')).toEqual(['Thermal T02 Bay 1']);
    expect(labels('nothing such')).toEqual([]);
  });

  // Would catch: a device below fields that only mention it, so that Enter opens the wrong one.
  it('puts what begins with the query first, and devices before fields', () => {
    expect(labels('thermal')).toEqual([
      'Thermal T01 North gate',
      'Thermal T02 Bay 1',
      'Thermal calibration',
      'Emissivity',
    ]);
  });

  it('offers no more than asked for', () => {
    expect(findEntries(ENTRIES, 't', 2)).toHaveLength(2);
  });
});

describe('the global keys', () => {
  const press = (key: string, more: Partial<KeyboardEvent> = {}) => ({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...more,
  });

  // Would catch: a name that cannot be typed because a letter of it is a key.
  it.each(['/', '?', 'j', 'ArrowDown'])('%s is text inside a field', (key) => {
    expect(findAction(press(key), true)).toBeUndefined();
    expect(findAction(press(key), false)).toBeDefined();
  });

  it('work with Ctrl and with the Mac key, also inside a field', () => {
    expect(findAction(press('k', { ctrlKey: true }), true)).toBe('command');
    expect(findAction(press('K', { metaKey: true }), true)).toBe('command');
    expect(findAction(press('Enter', { ctrlKey: true }), true)).toBe('goOn');
    expect(findAction(press('k', { ctrlKey: true, altKey: true }), false)).toBeUndefined();
  });

  // Would catch: a key that works and is not on the sheet, or the other way round.
  it('stand on the sheet, each as this keyboard prints it', () => {
    const actions = ['k', 'Enter'].map((key) => findAction(press(key, { ctrlKey: true }), false));
    const plain = ['/', '?', 'j'].map((key) => findAction(press(key), false));
    const onSheet: readonly string[] = KEYS.map(({ action }) => action);

    for (const action of [...actions, ...plain]) expect(onSheet).toContain(action);
    expect(formatPress('Mod+K', false)).toBe('Ctrl+K');
    expect(formatPress('Mod+K', true)).toBe('⌘K');
  });
});
