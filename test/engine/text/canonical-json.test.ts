import { describe, expect, it } from 'vitest';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';

describe('canonical JSON', () => {
  // Would catch: a hash that another program, which follows the RFC, cannot compute again.
  it('is that of RFC 8785 (3.2.2 and 3.2.3)', () => {
    const literals = {
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"\u002f',
      literals: [null, true, false],
    };
    const names = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };

    expect(encodeCanonicalJson(literals)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
    expect(Object.values(JSON.parse(encodeCanonicalJson(names)) as object).length).toBe(7);
    expect([...encodeCanonicalJson(names).matchAll(/:"([^"]+)"/g)].map(([, name]) => name)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });
  // Would catch: "10" before "9" in one place and after it in the other, because objects put whole numbers first.
  it('sorts names that are numbers as text, and leaves out what has no value', () => {
    expect(encodeCanonicalJson({ b: undefined, 10: [undefined, 1], 9: {} })).toBe('{"10":[null,1],"9":{}}');
  });
});
