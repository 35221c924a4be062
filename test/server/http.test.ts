import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../../src/server/index.ts';
import { PAGE, startTestServer } from '../rpc/helpers/running-server.ts';
import type { TestServer } from '../rpc/helpers/running-server.ts';

let running: TestServer;
beforeAll(async () => { running = await startTestServer(); });
afterAll(() => running.close());

interface Answer { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

/** Paths and headers exactly as given: no client tidies them up. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { hostname, port } = new URL(running.origin);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers: { host: `${hostname}:${port}`, ...headers } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => { body += chunk; }).on('end', () => { resolve({ status: response.statusCode ?? 0, headers: response.headers, body }); });
    });
    sent.on('error', reject).end();
  });
}

function linkPath(url = running.server.newUrl()): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

describe('the one-time link', () => {
  test('becomes a session cookie that scripts and other sites never see, and a clean address', async () => {
    const answer = await ask(linkPath());

    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe('/');
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^fieldwright-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('works once; the second time a page says how to get a new one (else: a leaked link is a key)', async () => {
    const path = linkPath();
    await ask(path);

    const second = await ask(path);

    expect(second.status).toBe(403);
    expect(second.headers['set-cookie']).toBeUndefined();
    expect(second.body).toContain('start it again');
  });

  test('used again by the browser that has the session just opens the app (else: "back" locks the person out)', async () => {
    const path = linkPath();
    const cookie = (await ask(path)).headers['set-cookie']?.[0]?.split(';')[0] ?? '';

    expect(await ask(path, { cookie })).toMatchObject({ status: 303, headers: { location: '/' } });
  });

  test.each([['HEAD', {}], ['GET', { 'sec-purpose': 'prefetch;prerender' }], ['GET', { purpose: 'preview' }]])('is not used up by a %s with %o (else: a preview takes it)', async (method, headers) => {
    const path = linkPath();

    const preview = await ask(path, headers as Record<string, string>, method);

    expect(preview.status).toBe(503);
    expect((await ask(path)).status).toBe(303);
  });

  test.each(['', 'x', 'A'.repeat(43), 'é'.repeat(5000)])('a wrong token (%#) gives no session', async (token) => {
    const answer = await ask(`/?token=${encodeURIComponent(token)}`);

    expect(answer.status).toBeOneOf([403, 431]);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });
});

describe('the page', () => {
  test('is served to the session alone, with its policy', async () => {
    const stranger = await ask('/');
    const known = await ask('/', { cookie: await running.signIn() });

    expect(stranger.status).toBe(401);
    expect(stranger.body).not.toBe(PAGE);
    expect(known).toMatchObject({ status: 200, body: PAGE });
    expect(known.headers).toMatchObject({
      'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY',
    });
    const policy = String(known.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/script-src 'self'(;|$)/);
  });

  test.each(['fieldwright-1=x', 'other=1', 'fieldwright-=', '=', ';;;', 'a'.repeat(4000)])('a made-up cookie (%#) is no session', async (cookie) => {
    expect((await ask('/', { cookie })).status).toBe(401);
  });

  test.each(['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/assets/..%5c..%5csecret.txt', '//secret.txt', '/%', '/%00', '//', '/?x', '*'])('the path %s leads nowhere (else: files outside the page)', async (path) => {
    const answer = await ask(path, { cookie: await running.signIn() });

    expect(answer.status).toBeOneOf(path === '/?x' ? [200] : [404]);
    expect(answer.body).not.toContain('outside the page');
  });

  test.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1:1', 'localhost.evil.example', '127.0.0.1:99999', 'a b', '[::1'])('the host %j is refused (else: a foreign name that points here reads the page)', async (host) => {
    const answer = await ask('/', { host, cookie: await running.signIn() });

    expect(answer.status).toBe(421);
  });

  test.each(['localhost', 'LOCALHOST', '[::1]'])('the host %s with our port is accepted', async (name) => {
    const { port } = new URL(running.origin);

    expect((await ask('/', { host: `${name}:${port}`, cookie: await running.signIn() })).status).toBe(200);
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])('%s is refused (else: something changes by HTTP)', async (method) => {
    expect((await ask('/', { cookie: await running.signIn() }, method)).status).toBe(405);
  });

  test('tells a page whether its session is still valid', async () => {
    expect((await ask('/session')).status).toBe(401);
    expect((await ask('/session', { cookie: await running.signIn() })).status).toBe(204);
  });
});

describe('starting', () => {
  test('a port in use is a clear error, not a crash', async () => {
    const port = Number(new URL(running.origin).port);

    await expect(startServer({ engine: running.engine, port, rendererDir: `${running.folder}/renderer` })).rejects.toMatchObject({ shape: { code: 'not-available', source: 'user' } });
  });

  test('without a built renderer the error names the command', async () => {
    await expect(startServer({ engine: running.engine, rendererDir: `${running.folder}/nowhere` })).rejects.toMatchObject({ shape: { code: 'not-available', hint: expect.stringContaining('build') as string } });
  });
});
