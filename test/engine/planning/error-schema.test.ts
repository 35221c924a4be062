import { describe, expect, it } from 'vitest';
import { errorSchema } from '#engine/planning/error-schema.ts';
import { redact } from '#engine/device/redact.ts';
import type { ErrorShape } from '#shared/errors.ts';

const INFO = {
  fingerprint: 'ab'.repeat(32),
  subject: 'CN=x',
  issuer: 'CN=x',
  names: ['10.0.0.1'],
  validFrom: '2026-01-01T00:00:00.000Z',
  validTo: '2027-01-01T00:00:00.000Z',
  selfSigned: true,
};
const WHOLE: ErrorShape = {
  code: 'certificate-changed',
  source: 'device',
  message: 'm',
  operation: 'o',
  path: 'p',
  device: 'https://10.0.0.1',
  hint: 'h',
  sent: false,
  status: { http: 401, statusCode: 4, statusString: 's', subStatusCode: 'x', errorCode: 1, errorMsg: 'e' },
  exchange: {
    method: 'GET',
    url: '/API/x',
    requestHeaders: {},
    requestBody: 'b',
    http: 401,
    responseHeaders: { server: 'x' },
    responseBody: 'r',
    cut: true,
    ms: 3,
  },
  lock: { locked: true, attemptsLeft: 0, unlocksAt: '2026-01-01T00:00:00.000Z' },
  certificate: {
    offered: INFO,
    reason: 'changed',
    pinned: {
      fingerprint: 'cd'.repeat(32),
      how: 'first-use',
      since: '2026-01-01T00:00:00.000Z',
      info: { ...INFO, fingerprint: 'cd'.repeat(32) },
    },
  },
  others: [{ code: 'usage', source: 'user', message: 'm' }],
};

describe('an error in a plan file', () => {
  it('keeps all that an error of ours can say', () => {
    expect(errorSchema.parse(WHOLE)).toEqual(WHOLE);
  });

  // Would catch: a reviewed plan that carries anything of any size into the database and onto screens.
  it('leaves out what it does not know', () => {
    expect(
      errorSchema.parse({ ...WHOLE, more: 'x'.repeat(1_000_000), exchange: { ...WHOLE.exchange, more: {} } }),
    ).toEqual(WHOLE);
  });

  it.each<[string, object]>([
    ['a body without end', { exchange: { ...WHOLE.exchange, responseBody: 'x'.repeat(10_000) } }],
    [
      'headers without end',
      {
        exchange: {
          ...WHOLE.exchange,
          responseHeaders: Object.fromEntries(Array.from({ length: 60 }, (_, nth) => [`h${nth}`, ''])),
        },
      },
    ],
    [
      'a fingerprint that is none',
      { certificate: { ...WHOLE.certificate, offered: { ...INFO, fingerprint: '<b>' } } },
    ],
    ['a lock that is no object', { lock: 'now' }],
    ['a message that is none', { message: { text: 1 } }],
    [
      'the same in an inner error',
      { others: [{ code: 'usage', source: 'user', message: 'x'.repeat(3_000) }] },
    ],
  ])('refuses %s', (_what, change) => {
    expect(errorSchema.safeParse({ ...WHOLE, ...change }).success).toBe(false);
  });
});

describe('a secret in an exchange that goes into the journal', () => {
  // Would catch: a body cut in the middle of a secret, whose first half is no longer recognised.
  it('is masked where the body was cut inside it too', () => {
    const shown = redact(
      { ...WHOLE.exchange, requestBody: 'a top-secret-word b', responseBody: 'you sent top-secr' },
      ['top-secret-word'],
    );

    expect(shown).toMatchObject({ requestBody: 'a •••••• b', responseBody: 'you sent ••••••' });
  });

  it('and nothing else is, at the end of what was not cut', () => {
    expect(redact({ value: 'admin', cut: false }, ['admin123'])).toEqual({ value: 'admin', cut: false });
  });
});
