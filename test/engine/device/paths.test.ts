/** Free paths and prefixes lead to the device they are for, and nowhere else. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { mergeProfile } from '#engine/inventory/profile.ts';
import { DEFAULT_PROFILE } from '#shared/model.ts';
import { errorOf, oneDevice } from './directory.ts';
import { startServer, type HostileServer } from './hostile-server.ts';

async function listening(redirectTo?: string): Promise<HostileServer> {
  const server = await startServer((_request, response) => {
    if (redirectTo === undefined) response.end('<A/>');
    else response.writeHead(302, { location: redirectTo }).end();
  });
  onTestFinished(() => server.close());
  return server;
}

/** Paths to another server; `OTHER` is its host and port. */
const ELSEWHERE = [
  'http://OTHER/API/x',
  'OTHER/API/x',
  '//OTHER/API/x',
  '/\\OTHER/API/x',
  '\\\\OTHER\\x',
  '@OTHER/x',
  '/API//OTHER/x',
  '/API/\\OTHER',
  ':80@OTHER/API',
  '/API@OTHER/x',
  '/API/x\r\nHost: OTHER',
  '/API/x HTTP/1.1\r\n\r\nGET http://OTHER/',
  '/API/\u0000',
  '/API/#@OTHER',
  '/..//OTHER/x',
];
const ABOVE = [
  '/API/../secret',
  '/API/%2e%2e/secret',
  '/API/..%2fsecret',
  '/API/%2E%2E%5csecret',
  '/API/x/../../secret',
  '/API/..;/secret',
  '/API/.',
  '/APIx',
  '/secret',
  '/API/%',
];

describe('a free path', () => {
  it.each(ELSEWHERE)(
    '%j reaches no other server, below any prefix (else: the engine is a proxy for whoever runs a script in the page)',
    async (path) => {
      const [own, other] = [await listening(), await listening()];
      const written = path.replace('OTHER', `127.0.0.1:${other.port}`);

      for (const pathPrefix of ['/API', '/']) {
        const device = oneDevice(own.url, { profile: { pathPrefix } });
        await device.get(written).catch(() => undefined);
        await device.clients.close();
      }

      expect(other.requests).toEqual([]);
      expect(own.requests.filter(({ headers }) => headers.host !== `127.0.0.1:${own.port}`)).toEqual([]);
      expect(
        own.requests.filter((request) => !request.path.startsWith('/') || request.path.startsWith('//')),
      ).toEqual([]);
    },
  );

  it.each(ABOVE)('%j is not below the prefix, however a device decodes it', async (path) => {
    const own = await listening();
    const device = oneDevice(own.url);

    expect((await errorOf(device.get(path))).shape).toMatchObject({ code: 'not-allowed', path: 'path' });
    expect(own.requests).toEqual([]);
    await device.clients.close();
  });

  it('may hold dots and escapes that lead nowhere', async () => {
    const own = await listening();
    const device = oneDevice(own.url);

    await device.get('/API/a..b/%20c?next=../d&url=http://x//y');
    await device.clients.close();

    expect(own.requests.map(({ path }) => path)).toEqual(['/API/a..b/%20c?next=../d&url=http://x//y']);
  });

  it.each([
    '//OTHER/x',
    '/\\OTHER/x',
    'http://OTHER/API/x',
    'http://user@OTHER/',
    'http:\\\\OTHER/x',
    'HTTP://OTHER',
    '\t//OTHER/x',
    'ftp://OTHER/x',
    'file:///etc/passwd',
  ])('a redirect to %j is not followed', async (location) => {
    const other = await listening();
    const own = await listening(location.replace('OTHER', `127.0.0.1:${other.port}`));
    const device = oneDevice(own.url);

    const error = await errorOf(device.get('/API/x'));
    await device.clients.close();

    expect(error.code).toBe('refused');
    expect(other.requests).toEqual([]);
  });
});

describe('a free prefix', () => {
  it.each([
    'http://h/API',
    '//h',
    '/x//h',
    '@h',
    '/@h',
    '/x@h:80',
    '/\\h',
    '\\\\h',
    '/..',
    '/a/../b',
    '/.',
    '/a/./b',
    '/%2e%2e',
    '/%2f%2fh',
    ':80',
    '/:80',
    '/x?y',
    '/x#y',
    '/x\r\nHost: h',
    '/x y',
    '',
    'API',
    '/ü',
  ])('%j is refused (else: a prefix leads to another host)', (pathPrefix) => {
    expect(() => mergeProfile(DEFAULT_PROFILE, { pathPrefix })).toThrow(
      expect.objectContaining({
        shape: expect.objectContaining({ code: 'usage', path: 'profile.pathPrefix' }),
      }),
    );
  });
});
