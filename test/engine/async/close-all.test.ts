import { expect, it } from 'vitest';
import { closeAll } from '#engine/async/close-all.ts';

// Would catch: a key that stays in memory and a database that stays open because a full disk took no last row.
it('what fails to close keeps nothing else open, and is told at the end', async () => {
  const closed: string[] = [];
  const step = (name: string, error?: Error) => () => {
    closed.push(name);
    if (error !== undefined) throw error;
  };

  const ending = closeAll([
    step('rows', new Error('full')),
    step('vault'),
    step('store', new Error('later')),
  ]);

  await expect(ending).rejects.toThrow('full');
  expect(closed).toEqual(['rows', 'vault', 'store']);
});
