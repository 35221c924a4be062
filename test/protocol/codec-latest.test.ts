import { describe, expect, it } from 'vitest';
import { rememberLatest } from '#protocol/codec/latest.ts';
import { DEFAULT_LIMITS } from '#protocol/codec/limits.ts';

/** Length of a text that is just long enough to be remembered. */
const LONG = 16 * 1024;

describe('the latest long document', () => {
  function counting(read: (text: string) => number) {
    let reads = 0;
    const remembering = rememberLatest((text: string) => {
      reads += 1;
      return read(text);
    });
    return { remembering, reads: () => reads };
  }

  // Would catch: 4 MB taken apart four times for one answer, or an answer mistaken for the one before it.
  it('is read once, and another one anew', () => {
    const { remembering, reads } = counting((text) => text.length);
    const [one, other] = ['a'.repeat(LONG), 'b'.repeat(LONG + 1)];

    expect([one, one, one].map((text) => remembering(text, DEFAULT_LIMITS))).toEqual([LONG, LONG, LONG]);
    expect(reads()).toBe(1);
    expect(remembering(other, DEFAULT_LIMITS)).toBe(LONG + 1);
    expect(reads()).toBe(2);
  });

  // Would catch: a document refused under one limit and taken as read under a narrower one.
  it('is read anew under other limits, and short ones always', () => {
    const { remembering, reads } = counting((text) => text.length);
    const text = 'a'.repeat(LONG);

    remembering(text, DEFAULT_LIMITS);
    remembering(text, { ...DEFAULT_LIMITS });
    expect(reads()).toBe(2);
    for (const _time of [1, 2]) remembering('a'.repeat(LONG - 1), DEFAULT_LIMITS);
    expect(reads()).toBe(4);
  });

  // Would catch: a refused document that is taken apart again by everybody who looks at it.
  it('stays refused without another look', () => {
    const { remembering, reads } = counting(() => {
      throw new Error('too deep');
    });

    for (const _time of [1, 2])
      expect(() => remembering('a'.repeat(LONG), DEFAULT_LIMITS)).toThrow('too deep');
    expect(reads()).toBe(1);
  });
});
