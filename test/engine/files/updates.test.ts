/** The check for a newer version: real files and a real https server, which may be hostile or away. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkForUpdate } from '#engine/files/updates.ts';
import {
  makeCertificate,
  startTlsServer,
  type TestCertificate,
  type TlsServerOptions,
} from '../device/tls-server.ts';

const RELEASE = {
  version: '1.3.0',
  date: '2030-01-31',
  notes: 'Gates:\n faster.\u202e',
  address: 'https://updates.example/setup.exe',
  sha256: 'ab'.repeat(32),
};

const folder = mkdtempSync(join(tmpdir(), 'fieldwright-updates-'));
let certificate: TestCertificate;
const before = getCACertificates('default');
beforeAll(async () => {
  certificate = await makeCertificate();
  setDefaultCACertificates([...before, certificate.cert]);
});
afterAll(() => {
  setDefaultCACertificates(before);
  rmSync(folder, { recursive: true, force: true });
});

async function serve(handler: TlsServerOptions['handler']): Promise<string> {
  const server = await startTlsServer(certificate, handler && { handler });
  onTestFinished(() => server.close());
  return `${server.url}/fieldwright.json`;
}

function write(text: string): string {
  const file = join(folder, 'release.json');
  writeFileSync(file, text);
  return file;
}

describe('the check for a newer version', () => {
  it('looks at nothing where the policy names no address', async () => {
    expect(await checkForUpdate('1.0.0', undefined, {})).toMatchObject({ state: 'off' });
  });

  it('reads the announcement from a server, with one request', async () => {
    let requests = 0;
    const updates = await serve((_request, response) => {
      requests += 1;
      response.end(JSON.stringify(RELEASE));
    });

    const check = await checkForUpdate('1.2.9', undefined, { updates });

    expect(check).toMatchObject({ state: 'newer', release: { ...RELEASE, notes: 'Gates:\n faster. ' } });
    expect(check.says.values).toMatchObject({ version: '1.3.0', address: updates });
    expect(requests).toBe(1);
  });

  // Would catch: 1.10.0 that counts as older than 1.9.0, and a trial version that counts as newer.
  it.each([
    ['1.3.0', '1.3.0', 'newest'],
    ['1.10.0', '1.9.0', 'newer'],
    ['1.9.0', '1.10.0', 'newest'],
    ['2.0.0', '1.9.9', 'newer'],
    ['1.3.0-rc.1', '1.3.0', 'newest'],
    ['1.3.0', '1.3.0-rc.1', 'newer'],
  ])('%s beside %s is %s', async (version, ours, state) => {
    const updates = write(JSON.stringify({ ...RELEASE, version }));

    expect(await checkForUpdate(ours, undefined, { updates })).toMatchObject({ state });
  });

  // Would catch: a script, a foreign link or a flood that comes in with the announcement.
  it.each([
    ['no JSON', '<html>'],
    ['a list', '[]'],
    ['no version', JSON.stringify({ ...RELEASE, version: 'x' })],
    ['a script as address', JSON.stringify({ ...RELEASE, address: 'javascript:alert(1)' })],
    [
      'an address that a browser reads as another one',
      JSON.stringify({ ...RELEASE, address: 'https://192.168.001.064/' }),
    ],
    ['a plain address', JSON.stringify({ ...RELEASE, address: 'http://updates.example/' })],
    ['a short checksum', JSON.stringify({ ...RELEASE, sha256: 'ab' })],
    ['too long notes', JSON.stringify({ ...RELEASE, notes: 'x'.repeat(5000) })],
    ['too many bytes', JSON.stringify({ ...RELEASE, more: 'x'.repeat(70_000) })],
    ['deep values', `{"more":${'['.repeat(50)}${']'.repeat(50)}}`],
  ])('refuses an announcement with %s', async (_name, text) => {
    expect(await checkForUpdate('1.0.0', undefined, { updates: write(text) })).toMatchObject({
      state: 'unreadable',
    });
  });

  it('reads no more of an endless answer than an announcement may have', async () => {
    let sent = 0;
    const updates = await serve((_request, response) => {
      const more = (): void => {
        sent += 16_384;
        if (!response.destroyed && sent < 1e9) response.write('x'.repeat(16_384), () => setImmediate(more));
      };
      more();
    });

    expect(await checkForUpdate('1.0.0', undefined, { updates })).toMatchObject({ state: 'unreadable' });
    expect(sent).toBeLessThan(20e6);
  });

  it('follows no redirect', async () => {
    const paths: (string | undefined)[] = [];
    const updates = await serve((request, response) => {
      paths.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });

    expect(await checkForUpdate('1.0.0', undefined, { updates })).toMatchObject({ state: 'unreadable' });
    expect(paths).toEqual(['/fieldwright.json']);
  });

  // Would catch: an error on every start of a laptop that is offline.
  it.each(['https://127.0.0.1:1/x.json', '/nowhere/release.json', '\\\\nowhere\\share\\release.json'])(
    'is silent where %s is away',
    async (updates) => {
      expect(await checkForUpdate('1.0.0', undefined, { updates })).toMatchObject({ state: 'unreachable' });
    },
  );

  it('ends with its signal where the server never answers', async () => {
    const ended = new AbortController();
    const updates = await serve(() => ended.abort());

    expect(await checkForUpdate('1.0.0', ended.signal, { updates })).toMatchObject({ state: 'unreachable' });
  });

  it('believes no server whose certificate this computer does not trust, and none below the oldest TLS of the policy', async () => {
    const answer: TlsServerOptions['handler'] = (_request, response) => response.end(JSON.stringify(RELEASE));
    const foreign = await startTlsServer(await makeCertificate({ name: 'Elsewhere' }), { handler: answer });
    const old = await startTlsServer(certificate, { handler: answer, maxVersion: 'TLSv1.2' });
    onTestFinished(() => foreign.close());
    onTestFinished(() => old.close());

    const untrusted = await checkForUpdate('1.0.0', undefined, { updates: `${foreign.url}/` });
    const allowed = await checkForUpdate('1.0.0', undefined, { updates: `${old.url}/` });
    const below = await checkForUpdate('1.0.0', undefined, { updates: `${old.url}/`, minimumTls: '1.3' });

    expect([untrusted.state, allowed.state, below.state]).toEqual(['unreachable', 'newer', 'unreachable']);
    expect(foreign.requests).toEqual([]);
  });
});
