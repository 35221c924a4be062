import { expect, it } from 'vitest';
import { readWriteLimits } from '#engine/device/limits.ts';
import { findOperation } from '#protocol/index.ts';
import { FieldwrightError, type ErrorCode } from '#shared/errors.ts';

function limitsAfter(code: ErrorCode): Promise<unknown> {
  const operation = findOperation('thermal.thermometryMode.put');
  if (operation === undefined) throw new Error('There is no such operation.');
  return readWriteLimits({
    operation,
    params: { channelID: 1 },
    read: () => Promise.reject(new FieldwrightError({ code, source: 'device', message: code })),
  });
}

// Would catch: a device whose report is too long, to which nothing could ever be written, and limits that are unknown without a word.
it.each(['malformed-answer', 'answer-too-large'] as const)(
  'a report that is a %s limits no write',
  async (code) => {
    await expect(limitsAfter(code)).resolves.toEqual({
      unread: expect.objectContaining({ code, detail: expect.objectContaining({ id: 'limits-unread' }) }),
    });
  },
);

it('a device that does not answer is another matter', async () => {
  await expect(limitsAfter('unreachable')).rejects.toThrow('unreachable');
});
