/** Units that a device names are words from outside. */
import { describe, expect, it } from 'vitest';
import { UNIT_RULES, unitChange } from '../../../src/engine/swap/units.ts';

describe('a unit by the name of something that every object has', () => {
  it.each(['constructor', 'toString', '__proto__'])('%s is none', (word) => {
    const [rule] = UNIT_RULES;
    if (rule === undefined) throw new Error('no rule');

    expect(unitChange(rule, { [rule.unit]: word }, {}, undefined)).toBeUndefined();
    expect(unitChange(rule, { [rule.unit]: 'feet' }, { [rule.unit]: word }, [word])?.to).toBe(rule.standard);
  });
});
