import { describe, expect, it } from 'vitest';
import { redactResult } from '#engine/device/redact-result.ts';

describe('a result without secrets', () => {
  // Would catch: a job that cannot end because a password that is an ordinary word was masked in its own outcome.
  it('keeps what decides, whatever word the secret is', () => {
    const result = redactResult(
      {
        index: 0,
        label: 'refused',
        outcome: 'refused',
        error: {
          code: 'refused',
          source: 'device',
          message: 'refused: Hid3-me',
          status: { http: 400, errorMsg: 'refused' },
        },
      },
      ['refused', 'Hid3-me'],
    );

    expect(result).toMatchObject({ label: 'refused', outcome: 'refused', error: { code: 'refused' } });
    expect(result.error?.message).not.toMatch(/refused|Hid3-me/);
    expect(result.error?.status?.errorMsg).not.toContain('refused');
  });
});
