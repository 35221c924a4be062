import { describe, expect, it } from 'vitest';
import { findNextRow } from '#renderer/components/ui/table/table-keys.ts';
import { planApplySteps, readOptions } from '#renderer/features/apply/options.ts';
import { parseTags } from '#renderer/features/site/list/tags.ts';
import { groupFailures } from '#renderer/common/access/test-groups.ts';

describe('nextRow', () => {
  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 99, 99],
    ['ArrowUp', 0, 0],
    ['PageDown', 5, 15],
    ['PageDown', 95, 99],
    ['PageUp', 5, 0],
    ['Home', 50, 0],
    ['End', 50, 99],
    ['x', 50, undefined],
  ] as const)('%s from %d leads to %s', (key, from, to) => {
    expect(findNextRow(key, from, 100)).toBe(to);
  });
});

describe('tags', () => {
  it('are split, trimmed and not repeated', () => {
    expect(parseTags(' a, b，c;; a ')).toEqual(['a', 'b', 'c']);
  });
});

describe('readOptions', () => {
  it('leaves out what is empty', () => {
    expect(readOptions({ canary: '1', wave: '', concurrency: '', stopAfter: '' }, 12)).toEqual({
      ok: true,
      options: { canary: 1 },
      complaints: {},
    });
  });
  it.each([
    ['canary', '13', 'form.tooLarge'],
    ['wave', '-1', 'form.notInteger'],
    ['stopAfter', '0', 'form.tooSmall'],
    ['wave', '1.5', 'form.notInteger'],
  ] as const)('refuses %s %s', (name, text, key) => {
    expect(
      readOptions({ canary: '', wave: '', concurrency: '', stopAfter: '', [name]: text }, 12),
    ).toMatchObject({ ok: false, complaints: { [name]: { key } } });
  });
});

describe('courseOf', () => {
  it('says what will happen in the order in which it happens', () => {
    expect(
      planApplySteps({ canary: 1, wave: 4, stopAfter: 3 }, 12).map((step) => Object.values(step)),
    ).toEqual([
      ['trial', 1],
      ['waves', 11, 3, 4],
      ['pace', 12],
      ['stop', 3],
    ]);
    expect(planApplySteps({}, 2).map(({ kind }) => kind)).toEqual(['all', 'pace', 'goOn']);
    expect(
      planApplySteps({ canary: 2 }, 2).map(({ kind }) => kind),
      'a trial on all of them leaves nothing for later',
    ).toEqual(['trial', 'pace', 'goOn']);
  });
});

describe('groupFailures', () => {
  it('puts equal failures together, the most frequent first', () => {
    const failed = (name: string, code: 'sign-in-failed' | 'unreachable') => ({
      deviceId: name,
      name,
      url: 'http://x',
      ok: false,
      kinds: [],
      requests: 1,
      error: { code, source: 'device' as const, message: 'x' },
    });

    const groups = groupFailures([
      failed('a', 'unreachable'),
      failed('b', 'sign-in-failed'),
      { ...failed('c', 'sign-in-failed'), ok: true },
      failed('d', 'sign-in-failed'),
    ]);

    expect(groups.map(({ error, names }) => [error.code, names])).toEqual([
      ['sign-in-failed', ['b', 'd']],
      ['unreachable', ['a']],
    ]);
  });
});
