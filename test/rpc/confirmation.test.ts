import { expect, it } from 'vitest';
import { createConfirmer } from '#rpc/confirmation.ts';

// Would catch: "you did not agree" about a question that was never asked.
it('a question too many is refused with its own reason, and those before it go on waiting', async () => {
  const confirmer = createConfirmer(
    (_question, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve('no'), { once: true })),
  );
  const leave = new AbortController();
  const question = () => ({ message: '', details: [] });
  const asked = Array.from({ length: 4 }, () => confirmer.agree(question, leave.signal));
  const results = Promise.allSettled(asked);

  await expect(confirmer.agree(question, leave.signal)).rejects.toMatchObject({
    shape: { code: 'confirmation-needed', reason: 'outside-busy' },
  });

  leave.abort();
  expect((await results).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
});
