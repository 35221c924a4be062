import { describe, expect, it } from 'vitest';
import { findOtherUrl } from '#renderer/features/site/list/site-rows.ts';
import type { Sighting } from '#shared/discovery.ts';
import type { Device } from '#shared/model.ts';

const device = (url: string) => ({ url }) as Device;
const seen = (url: string, extra: Partial<Sighting> = {}) =>
  ({ url, alternatives: [], state: 'present', conflicts: [], ...extra }) as unknown as Sighting;

describe('where a device is said to be now', () => {
  // Would catch: one click that takes a pinned device to an unprotected address, or a warning about another port of the same device.
  it.each<[string, string, Sighting, string | undefined]>([
    ['another host', 'http://10.0.0.5', seen('http://10.0.0.6'), 'http://10.0.0.6'],
    ['another zone', 'http://[fe80::1%25eth0]', seen('http://[fe80::2%25eth0]'), 'http://[fe80::2%25eth0]'],
    ['another port of the same host', 'http://10.0.0.5:8080', seen('http://10.0.0.5'), undefined],
    [
      'the same host among others',
      'http://10.0.0.5',
      seen('http://10.0.1.5', { alternatives: ['http://10.0.0.5'] }),
      undefined,
    ],
    ['a protected device without protection', 'https://10.0.0.5', seen('http://10.0.0.6'), undefined],
    [
      'a protected device, protected',
      'https://10.0.0.5',
      seen('http://10.0.0.6', { alternatives: ['https://10.0.0.6'] }),
      'https://10.0.0.6',
    ],
    [
      'two that claim to be it',
      'http://10.0.0.5',
      seen('http://10.0.0.6', { conflicts: [{ kind: 'identity', with: 'http://10.0.0.7' }] }),
      undefined,
    ],
    [
      'where it was when it left',
      'http://10.0.0.5',
      seen('http://10.0.0.6', { state: 'vanished' }),
      undefined,
    ],
  ])('%s', (_what, url, sighting, expected) => {
    expect(findOtherUrl(device(url), sighting)).toBe(expected);
  });
});
