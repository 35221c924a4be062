import { expect, it } from 'vitest';
import { useAttempt } from '#renderer/common/errors/attempt.ts';

// Would catch: a device that is added twice by two quick Enters, or a dialog that stays busy after a failure.
it('runs one action at a time, and holds what went wrong until the next', async () => {
  const { busy, problem, attempt } = useAttempt();
  const { promise, reject } = Promise.withResolvers<void>();
  let runs = 0;

  const first = attempt(() => {
    runs += 1;
    return promise;
  });
  const second = await attempt(() => {
    runs += 1;
    return promise;
  });
  const between = busy.value;
  reject(
    Object.assign(new Error('refused'), {
      data: { code: 'not-allowed', source: 'user', message: 'It is there already.' },
    }),
  );

  expect([await first, second, between, busy.value, runs]).toEqual([false, false, true, false, 1]);
  expect(problem.value?.message).toBe('It is there already.');
  expect([await attempt(() => Promise.resolve()), problem.value]).toEqual([true, undefined]);
});
