import { describe, expect, it } from 'vitest';
import {
  formatDuration,
  formatRelativeTime,
  formatValue,
  formatDeviceTime,
  formatWeekday,
  reveal,
} from '#renderer/common/labels/format.ts';
import { showWords } from '#renderer/common/labels/field-labels.ts';
import { loadTranslation } from '#shared/details/languages.ts';
import { isStalled, estimatePace } from '#renderer/components/ui/pace.ts';

const words = { on: 'On', off: 'Off', empty: 'empty' };

describe('visibleText', () => {
  it('shows control and direction characters instead of obeying them', () => {
    expect(reveal('a\u202egnp.exe\u0000')).toBe('a\ufffdgnp.exe\ufffd');
    expect(reveal('大厅\n\tok')).toBe('大厅\n\tok');
  });
});

describe('valueText', () => {
  it.each([
    [true, 'On'],
    [false, 'Off'],
    ['', 'empty'],
    [[], 'empty'],
    [0, '0'],
    ['007', '007'],
    [{ a: [1] }, '{"a":[1]}'],
    ['<b>x</b>', '<b>x</b>'],
  ])('%j is %s', (value, text) => {
    expect(formatValue(value, words)).toBe(text);
  });
  it('cuts what a device sends without end', () => {
    expect(formatValue('x'.repeat(100_000), words)).toHaveLength(401);
  });
});

describe('relativeTime', () => {
  const now = Date.parse('2026-05-01T12:00:00Z');

  it.each([
    ['2026-05-01T11:59:58Z', 'now'],
    ['2026-05-01T11:59:20Z', '40 sec. ago'],
    ['2026-05-01T11:55:00Z', '5 min. ago'],
    ['2026-05-01T09:00:00Z', '3 hr. ago'],
    ['2026-04-29T12:00:00Z', '2 days ago'],
  ])('%s is %s', (iso, text) => {
    expect(formatRelativeTime(iso, now)).toBe(text);
  });
  it.each([undefined, '', 'soon'])('%j is no time', (iso) => {
    expect(formatRelativeTime(iso, now)).toBeUndefined();
  });
});

describe('paceOf', () => {
  it('does not guess from the first instant', () => {
    expect(estimatePace({ done: 3, total: 10, elapsedMs: 100 })).toEqual({ done: 3, total: 10 });
    expect(estimatePace({ done: 0, total: 10, elapsedMs: 60_000 })).toEqual({ done: 0, total: 10 });
  });
  it('says rate and time left', () => {
    expect(estimatePace({ done: 5, total: 20, elapsedMs: 10_000 })).toEqual({
      done: 5,
      total: 20,
      perSecond: 0.5,
      secondsLeft: 30,
    });
  });
});

describe('clockSpan', () => {
  it.each([
    [0, '0:00'],
    [65, '1:05'],
    [7209, '2:00:09'],
    [-5, '0:00'],
  ])('%d s is %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});

describe('isStalled', () => {
  it.each([
    [{ done: 4, total: 8, perSecond: 1 }, 14_000, true],
    [{ done: 4, total: 8, perSecond: 1 }, 2_900, false],
    [{ done: 4, total: 8, perSecond: 0.1 }, 14_000, false],
    [{ done: 4, total: 8, perSecond: 0.1 }, 31_000, true],
    [{ done: 8, total: 8, perSecond: 1 }, 14_000, false],
    [{ done: 0, total: 8 }, 14_000, false],
  ])(
    '%j after %i ms without progress: %s ("about 0:04 left" while nothing happens)',
    (pace, idleMs, expected) => {
      expect(isStalled(pace, idleMs)).toBe(expected);
    },
  );
});

// Would catch: a validity that is shown by the clock of this computer, or as the device writes it.
it.each([
  ['2026-03-29T02:30:00', 'en', 'Mar 29, 2026, 2:30 AM'],
  ['2026-03-29T23:59:59+08:00', 'de', '29.03.2026, 23:59'],
  ['no time', 'en', 'no time'],
] as const)('shows %s by the clock of the device', async (text, language, shown) => {
  showWords(await loadTranslation(language));

  expect(formatDeviceTime(text).replaceAll('\u202f', ' ')).toBe(shown);
});

// Would catch: a day of the week that is named by the clock of this computer, or in English on every screen.
it('names the days of a week in the language of the screen', async () => {
  showWords(await loadTranslation('de'));

  expect([formatWeekday(1), formatWeekday(7, 'long')]).toEqual(['Mo', 'Sonntag']);
});
