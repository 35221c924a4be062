import { expect, test } from 'vitest';
import { z } from 'zod';
import { createInputError } from '#rpc/input-error.ts';

function errorOf(schema: z.ZodType, input: unknown) {
  return createInputError(schema.safeParse(input).error?.issues ?? [], input);
}

test('a value never appears in an error (else: a mistyped password on the screen and in reports)', () => {
  const schema = z.object({ password: z.string().max(3), mode: z.enum(['a', 'b']), port: z.number().max(9) });

  const error = errorOf(schema, { password: 'hunter2-secret', mode: 'hunter2-mode', port: 4711 });

  expect(JSON.stringify(error)).not.toMatch(/hunter2|4711/);
});

test('thousands of wrong items give a short list (else: a hostile input makes a huge answer)', () => {
  const error = errorOf(z.object({ ids: z.array(z.string()) }), {
    ids: Array.from({ length: 5000 }, (_, index) => index),
  });

  expect(error.path).toBe('ids[0]');
  expect(error.others?.length).toBeLessThan(50);
});

test('an inherited property does not count as given (else: "constructor" is a value)', () => {
  const error = errorOf(z.object({ constructor: z.string() }), {});

  expect(error).toMatchObject({ path: 'constructor', code: 'missing-field' });
});
