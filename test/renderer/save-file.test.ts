import { describe, expect, it } from 'vitest';
import { toSafeFileName } from '#shared/text/file-name.ts';

describe('safeFileName', () => {
  it.each([
    ['../../etc/passwd', 'etc-passwd'],
    ['plan: lobby/north?.json', 'plan- lobby-north-.json'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['...', 'file'],
    ['', 'file'],
    ['入口.csv', '入口.csv'],
  ])('makes of %j a name that stays where it is saved', (name, safe) => {
    expect(toSafeFileName(name)).toBe(safe);
  });

  it('keeps the ending of a long name', () => {
    expect(toSafeFileName(`${'x'.repeat(400)}.json`)).toMatch(/^x{145}\.json$/);
  });
});
