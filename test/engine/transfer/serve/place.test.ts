import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildFilePath,
  buildFileUrl,
  isToken,
  createToken,
  parseRequestPath,
  normaliseAddress,
  makePlainName,
} from '#engine/transfer/serve/place.ts';

describe('the address of a file', () => {
  it.each([
    ['model.zip', 'model.zip'],
    ['安全帽 v2.bin', 'v2.bin'],
    ['安全帽.bin', 'model.bin'],
    ['../../etc/passwd', 'etc_passwd'],
    ['a b&c?d#e%2f.tar.gz', 'a_b_c_d_e_2f.tar.gz'],
    ['.hidden', 'model.hidden'],
    ['', 'model'],
  ])('%j is served as %s', (name, plain) => {
    expect(makePlainName(name)).toBe(plain);
  });

  it('is at most 256 plain characters long, whatever the file is called', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 400 }), (name) => {
        const url = buildFileUrl(
          '2001:db8:1111:2222:3333:4444:5555:6666',
          65_535,
          buildFilePath(createToken(), name),
        );

        expect(url.length).toBeLessThanOrEqual(256);
        expect(url).toMatch(/^http:\/\/\[[0-9a-f:]+\]:\d+\/[\w-]{22}\/[A-Za-z0-9_-][A-Za-z0-9._-]*$/);
        expect(new URL(url).href).toBe(url);
      }),
    );
  });

  it('has 128 bits that nobody guesses', () => {
    const tokens = new Set(Array.from({ length: 1000 }, createToken));

    expect(tokens.size).toBe(1000);
    expect(
      [...tokens].every((token) => isToken(token) && Buffer.from(token, 'base64url').length === 16),
    ).toBe(true);
  });

  it.each([
    ['/a/b', '/a/b'],
    ['/a/b?x=1', '/a/b'],
    ['http://10.0.0.1:80/a/b', '/a/b'],
    ['*', undefined],
    ['10.0.0.1:80', undefined],
  ])('the path of %s', (target, path) => {
    expect(parseRequestPath(target)).toBe(path);
  });

  it.each([
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::FFFF:10.0.0.1', '10.0.0.1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['FE80:0:0::1', 'fe80::1'],
    ['10.0.0.1', '10.0.0.1'],
  ])('%s is %s', (address, plain) => {
    expect(normaliseAddress(address)).toBe(plain);
  });
});
