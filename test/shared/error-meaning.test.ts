import { describe, expect, it } from 'vitest';
import {
  answerKind,
  isGone,
  isOwnTrouble,
  isShutOut,
  isUnreachable,
  isWorthWaiting,
  mayHaveArrived,
  isContentRefusal,
  isMissingOnDevice,
  isDeviceRefusal,
  mustStopDevice,
} from '#shared/error-meaning.ts';
import { ERROR_CODES } from '#shared/errors.ts';

describe('what an error says about its request', () => {
  // Would catch: a vault locked in between that makes a person "may have arrived" and a setting "failed".
  it.each([
    'vault-locked',
    'vault-damaged',
    'storage-damaged',
    'too-many-files',
    'changed-meanwhile',
    'usage',
  ] as const)('%s: nothing was sent', (code) => {
    expect(mayHaveArrived({ code })).toBe(false);
    expect(isDeviceRefusal({ code })).toBe(false);
  });

  // Would catch: a write sent twice, because a lost answer counted as a lost request.
  it.each(['timeout', 'connection-lost', 'malformed-answer', 'answer-too-large', 'internal'] as const)(
    '%s: it may have arrived, unless the transport saw that it had not left',
    (code) => {
      expect(mayHaveArrived({ code })).toBe(true);
      expect(mayHaveArrived({ code, sent: false })).toBe(false);
    },
  );

  // Would catch: a busy device, or one with an error of its own, whose answer is taken for a refusal of the content.
  it('busy is no no, and trouble inside the device is told from refused content', () => {
    expect(isDeviceRefusal({ code: 'device-busy' })).toBe(false);
    expect(isWorthWaiting({ code: 'device-busy' })).toBe(true);
    expect(answerKind({ code: 'device-error' })).toBe('trouble');
    expect(answerKind({ code: 'invalid-content' })).toBe('refuses');
    expect(answerKind({ code: 'not-supported' })).toBe('lacks');
  });

  // Would catch: a device in trouble, or an account without the right, taken for a device that has no such thing, or for a
  // password that was refused.
  it('only a device that looked says that something is not there, or that a content is wrong', () => {
    const codes = [
      'device-error',
      'device-busy',
      'no-permission',
      'malformed-answer',
      'reboot-required',
    ] as const;
    expect(codes.filter((code) => isMissingOnDevice({ code }))).toEqual([]);
    expect(isMissingOnDevice({ code: 'not-supported' })).toBe(true);
    expect(ERROR_CODES.filter((code) => isContentRefusal({ code }))).toEqual(['invalid-content']);
  });
});

describe('what an error says about its device', () => {
  // Would catch: one forbidden path that ends the work on a whole device.
  it('a missing right concerns one request, a missing sign-in the whole device', () => {
    expect(mustStopDevice({ code: 'no-permission' })).toBe(false);
    expect(isShutOut({ code: 'no-permission' })).toBe(false);
    expect(mustStopDevice({ code: 'sign-in-failed' })).toBe(true);
    expect(mustStopDevice({ code: 'not-activated' })).toBe(true);
  });

  // Would catch: a device that hangs on one question taken for one that is switched off.
  it('a request that left and was not answered does not make the device unreachable', () => {
    expect(isUnreachable({ code: 'timeout', sent: true })).toBe(false);
    expect(isUnreachable({ code: 'timeout', sent: false })).toBe(true);
    expect(isUnreachable({ code: 'connection-lost', sent: false })).toBe(false);
    expect(isGone({ code: 'connection-lost' })).toBe(true);
  });
});

describe('every code', () => {
  // Would catch: a code that is both the device's answer and a request that never left.
  it.each(ERROR_CODES)('%s has one meaning', (code) => {
    if (answerKind({ code }) !== undefined) expect(mayHaveArrived({ code })).toBe(true);
    if (isOwnTrouble({ code })) expect(isGone({ code }) || isShutOut({ code })).toBe(false);
    if (isShutOut({ code })) expect(mustStopDevice({ code })).toBe(true);
  });
});
