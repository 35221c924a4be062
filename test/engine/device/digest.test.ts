import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseChallenges, parseParams } from '#engine/device/sign-in/challenge.ts';
import {
  chooseDigest,
  DigestNonce,
  formatDigestLabel,
  createDigestUser,
} from '#engine/device/sign-in/digest.ts';
import { growth } from '#test/helpers/growth.ts';

function authorize(
  header: string | string[],
  request: { method?: string; uri?: string; userName: string; password: string; body?: string },
  cnonce: string,
): ReadonlyMap<string, string> {
  const challenge = chooseDigest(parseChallenges(header));
  if (challenge === undefined) throw new Error('no digest challenge understood');
  const value = new DigestNonce(challenge, createDigestUser(challenge, request), cnonce).authorize({
    method: 'GET',
    uri: '/dir/index.html',
    ...request,
  });
  return parseChallenges(value)[0]?.params ?? new Map();
}

describe('Digest against published vectors', () => {
  const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
  const rfc7616 = (algorithm: string) =>
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`;
  const mufasa = { userName: 'Mufasa', password: 'Circle of Life' };

  // Would catch: any slip in A1, A2 or the order of the response's parts.
  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('RFC 7616, 3.9.1 with %s', (algorithm, response) => {
    const sent = authorize(rfc7616(algorithm), mufasa, cnonce);

    expect(sent.get('response')).toBe(response);
    expect(sent.get('nc')).toBe('00000001');
    expect(sent.get('qop')).toBe('auth');
    expect(sent.get('opaque')).toBe('FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS');
    expect(sent.get('algorithm')).toBe(algorithm);
  });

  it('RFC 2617, 3.5', () => {
    const sent = authorize(
      'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
      { userName: 'Mufasa', password: 'Circle Of Life' },
      '0a4f113b',
    );

    expect(sent.get('response')).toBe('6629fae49393a05397450978507c4ef1');
  });

  // Would catch: sending qop, nc or cnonce to a device of the time before qop.
  it('RFC 2069 form without qop', () => {
    const sent = authorize(
      'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
      { userName: 'Mufasa', password: 'CircleOfLife' },
      'x',
    );

    expect(sent.get('response')).toBe('1949323746fe6a43ef61f9606e7febea');
    expect([...sent.keys()]).toEqual(['username', 'realm', 'nonce', 'uri', 'response', 'opaque']);
  });
});

describe('what is sent', () => {
  const user = { userName: 'admin', password: 'secret' };

  // Would catch: devices that refuse attributes they never offered.
  it('echoes algorithm and opaque only where they were given', () => {
    const sent = authorize('Digest qop="auth",realm="device",nonce="n1",stale="FALSE"', user, 'c');

    expect(sent.has('algorithm')).toBe(false);
    expect(sent.has('opaque')).toBe(false);
    expect(sent.has('userhash')).toBe(false);
  });

  it('counts the uses of a nonce in hexadecimal and keeps its cnonce', () => {
    const challenge =
      chooseDigest(parseChallenges('Digest realm="r", nonce="n", qop="auth", algorithm=MD5-sess')) ??
      expect.fail('not understood');
    const nonce = new DigestNonce(challenge, createDigestUser(challenge, user), 'fixed');
    const headers = Array.from(
      { length: 17 },
      () => parseChallenges(nonce.authorize({ method: 'GET', uri: '/' }))[0]?.params,
    );

    expect(headers.at(-1)?.get('nc')).toBe('00000011');
    expect(new Set(headers.map((params) => params?.get('cnonce')))).toEqual(new Set(['fixed']));
    expect(new Set(headers.map((params) => params?.get('response'))).size).toBe(17);
  });

  it('covers the body where only auth-int is offered', () => {
    const header = 'Digest realm="r", nonce="n", qop="auth-int"';
    const one = authorize(header, { ...user, method: 'PUT', body: '<A/>' }, 'c');
    const two = authorize(header, { ...user, method: 'PUT', body: '<B/>' }, 'c');

    expect(one.get('qop')).toBe('auth-int');
    expect(one.get('response')).not.toBe(two.get('response'));
  });

  it('sends names beyond ASCII as the device asks', () => {
    const extended = authorize(
      'Digest realm="r", nonce="n", qop="auth", charset=UTF-8, userhash=true',
      { userName: 'Jäsøn', password: 'p' },
      'c',
    );
    const plain = authorize(
      'Digest realm="r", nonce="n", qop="auth"',
      { userName: 'Jäsøn', password: 'p' },
      'c',
    );

    expect(extended.get('username*')).toBe("UTF-8''J%C3%A4s%C3%B8n");
    expect(extended.get('userhash')).toBe('false');
    expect(Buffer.from(plain.get('username') ?? '', 'latin1').toString('utf8')).toBe('Jäsøn');
  });

  // Would catch: a realm in the device's own character set that is sent back, and hashed, as other bytes than it came.
  it('gives the realm back byte by byte, whatever its character set', () => {
    const gbk = Buffer.from([0xc9, 0xe3, 0xcf, 0xf1, 0xbb, 0xfa]);
    const header = `Digest realm="${gbk.toString('latin1')}", nonce="n"`;
    const sent = authorize(header, { userName: 'Jäsøn', password: 'pässword' }, 'c');

    expect(Buffer.from(sent.get('realm') ?? '', 'latin1')).toEqual(gbk);
    const md5 = (...parts: (string | Buffer)[]) =>
      createHash('md5')
        .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
        .digest('hex');
    expect(sent.get('response')).toBe(
      md5(`${md5('Jäsøn:', gbk, ':pässword')}:n:${md5('GET:/dir/index.html')}`),
    );
  });

  // Would catch: a session key made anew for each nextnonce, which the device does not do (RFC 7616, 3.4.2).
  it('keeps the key of a session when the nonce changes, and makes another for a new challenge', () => {
    const challenge =
      chooseDigest(parseChallenges('Digest realm="r", nonce="n1", qop="auth", algorithm=MD5-sess')) ??
      expect.fail('not understood');
    const md5 = (text: string) => createHash('md5').update(text).digest('hex');
    const first = new DigestNonce(challenge, createDigestUser(challenge, user), 'c1');

    const params = parseChallenges(first.next('n2').next('n3').authorize({ method: 'GET', uri: '/' }))[0]
      ?.params;

    const key = md5(`${md5(`${user.userName}:r:${user.password}`)}:n1:c1`);
    expect(params?.get('response')).toBe(
      md5(`${key}:n3:00000001:${params?.get('cnonce')}:auth:${md5('GET:/')}`),
    );
  });

  // Would catch: a header that a quote in the realm cuts in two.
  it('survives quotes and backslashes in realm and user name', () => {
    const sent = authorize(
      'Digest realm="a \\"b\\" \\\\c", nonce="n"',
      { userName: 'x"y\\z', password: 'p' },
      'c',
    );

    expect(sent.get('realm')).toBe('a "b" \\c');
    expect(sent.get('username')).toBe('x"y\\z');
  });
});

describe('challenges as devices write them', () => {
  const choose = (header: string | string[]) => chooseDigest(parseChallenges(header));

  it.each<[string, string | string[], string]>([
    [
      'several in one header, weakest first',
      'Basic realm="x, y", Digest realm="r", nonce="a", algorithm=MD5, Digest realm="r", nonce="b", algorithm=SHA-256',
      'b',
    ],
    [
      'several headers',
      ['Digest nonce="a", realm="r"', 'Digest algorithm="SHA-256", nonce="b", realm="r"'],
      'b',
    ],
    [
      'an algorithm nobody knows beside one that is known',
      ['Digest realm="r", nonce="a", algorithm=WHIRLPOOL', 'Digest realm="r", nonce="b"'],
      'b',
    ],
    ['odd order, case and space', 'DIGEST   NONCE = "b" ,QOP="auth",  Realm="r,=\\"" , STALE="false"', 'b'],
    ['unquoted values', 'Digest realm=r, nonce=b, qop=auth, algorithm=md5', 'b'],
    ['after a blob of another scheme', 'Negotiate YII=, NTLM, Digest realm="r", nonce="b"', 'b'],
    ['a list of qop without its quotes', 'Digest realm="r", qop=auth,auth-int, nonce="b"', 'b'],
    ['a quote that never ends', 'Digest nonce="b", qop="auth", realm="never', 'b'],
    ['empty elements between commas', 'Digest ,, realm="r",, nonce="b",', 'b'],
  ])('%s', (_name, header, nonce) => {
    expect(choose(header)?.nonce).toBe(nonce);
  });

  it.each([
    '',
    ',,,',
    '"',
    'Digest',
    'Digest realm="r"',
    '= = =',
    'Digest nonce="x", qop="something-new"',
    'Basic realm="r"',
    '\u0000\u0001',
  ])('finds nothing in %j', (header) => {
    expect(choose(header)).toBeUndefined();
  });

  it.each([
    ['stale=TRUE', true],
    ['stale="True"', true],
    ['stale="FALSE"', false],
    ['stale=false', false],
  ])('reads %s', (stale, expected) => {
    expect(choose(`Digest realm="r", nonce="n", ${stale}`)?.stale).toBe(expected);
  });

  it.each([
    ['pairs', (size: number) => 'a='.repeat(size / 2)],
    ['quotes', (size: number) => `Digest realm="${'\\"'.repeat(size / 2)}`],
    ['words', (size: number) => 'Negotiate '.padEnd(size, 'a =')],
  ])('takes time in proportion to the length of a hostile header of %s', (_what, header) => {
    expect(growth((size) => parseChallenges(header(size)), 1_000_000)).toBeLessThan(3);
  });

  it('names the scheme for people', () => {
    expect(
      ['', ', algorithm=SHA-256', ', algorithm=SHA-512-256', ', algorithm=MD5-sess'].map((more) =>
        formatDigestLabel(choose(`Digest realm="r", nonce="n"${more}`) ?? expect.fail()),
      ),
    ).toEqual(['digest MD5', 'digest SHA-256', 'digest SHA-512-256', 'digest MD5-sess']);
  });

  it('reads Authentication-Info', () => {
    expect(parseParams('qop=auth, nextnonce="abc", rspauth="x"').get('nextnonce')).toBe('abc');
  });
});
