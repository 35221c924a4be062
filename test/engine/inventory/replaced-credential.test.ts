import { describe, expect, it } from 'vitest';
import { findReplacedCredential } from '#engine/inventory/access/give-sign-in.ts';
import type { CredentialScope } from '#shared/access.ts';

const credential = { id: 'c', label: 'Lobby', userName: 'admin', devices: 2 };
const uses = { credentialId: 'c' };
const tag: CredentialScope = { kind: 'tag', tag: 'a' };

describe('a credential whose place a new one takes', () => {
  it('is the one that exactly these devices use', () => {
    expect(findReplacedCredential([uses, uses], undefined, [credential])).toBe(credential);
  });
  it.each([
    ['others use it too', [uses]],
    ['one uses another', [uses, { credentialId: 'd' }]],
    ['one has none', [uses, {}]],
    ['there is no device', []],
  ] as const)('is none where %s, so that nobody else is signed out', (_reason, devices) => {
    expect(findReplacedCredential(devices, undefined, [credential])).toBeUndefined();
  });
  it('is never one that a tag or a site uses too', () => {
    expect(
      findReplacedCredential([uses, uses], undefined, [{ ...credential, scopes: [tag] }]),
    ).toBeUndefined();
  });
  it('is the one given to this tag alone', () => {
    expect(findReplacedCredential([], tag, [{ ...credential, scopes: [tag] }])?.id).toBe('c');
    expect(
      findReplacedCredential([], tag, [{ ...credential, scopes: [tag, { kind: 'site', siteId: 's' }] }]),
    ).toBeUndefined();
  });
});
