import { expect, it } from 'vitest';
import { FieldwrightError } from '../../src/shared/errors.ts';
import { checkBounds } from '../../src/shared/json-bounds.ts';

const BOUNDS = { depth: 2, nodes: 4, forbidden: new Set(['__proto__']) };
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

function refusal(text: unknown, bounds: Parameters<typeof checkBounds>[1] = BOUNDS): unknown {
  try {
    return checkBounds(text, bounds, { file: 'a.json' });
  } catch (error) {
    return error instanceof FieldwrightError ? [error.code, error.shape.detail, error.shape.file] : error;
  }
}

// Would catch: a bound that is one off or not looked at, a level that only objects count for, a stack that runs out.
it('takes what is within the bounds, and says which of them is passed', () => {
  const depth = ['input-too-large', { id: 'document-depth', values: { limit: 2 } }, 'a.json'];
  const nodes = ['input-too-large', { id: 'document-nodes', values: { limit: 4 } }, 'a.json'];
  const name = ['unreadable-file', { id: 'yaml.forbidden-name', values: { name: '__proto__' } }, 'a.json'];
  const own = JSON.parse('{"__proto__":1}') as unknown;

  expect([nested(3), { a: { b: null } }, [1, 2, 3]].map((value) => refusal(value))).toEqual(
    Array(3).fill(undefined),
  );
  expect([nested(4), { a: { b: { c: 1 } } }].map((value) => refusal(value))).toEqual([depth, depth]);
  expect([[1, 2, 3, 4], { a: 1, b: { c: 1, d: 1 } }].map((value) => refusal(value))).toEqual([nodes, nodes]);
  expect(refusal(own)).toEqual(name);
  expect(refusal(own, { depth: 2, nodes: 4 })).toBeUndefined();
  expect(refusal(nested(100_000), { depth: 64, nodes: 1_000_000 })).toMatchObject([
    'input-too-large',
    { id: 'document-depth' },
    'a.json',
  ]);
});
