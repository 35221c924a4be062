/** Check of a web page before its device is shown, over real HTTP on the loopback interface. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { systemClock } from '#engine/host/clock.ts';
import type { Claim } from '#engine/discovery/types.ts';
import { createWebCheck } from '#engine/discovery/web-check.ts';
import { startSite } from '#test/helpers/strict-site.ts';
import { startServer, type Handler } from '../device/hostile-server.ts';
import { makeCertificate, startTlsServer } from '../device/tls-server.ts';
import { announced } from './claims.ts';

const never = new AbortController().signal;

type Extra = Partial<Omit<Claim, 'isAnyWeb'>> & { readonly isAnyWeb?: true | undefined };

async function web(handler: Handler = (_request, response) => response.writeHead(404).end('<html>')) {
  const server = await startServer(handler);
  onTestFinished(() => server.close());
  return server;
}
function checking() {
  const heard: Claim[] = [];
  const check = createWebCheck({
    prefixes: ['/API'],
    clock: systemClock,
    signal: never,
    onHeard: (claim) => heard.push(claim),
    onGone: () => {},
  });
  return { check, heard };
}
/** `isAnyWeb: undefined` takes the mark away. */
function anyWeb(name: string, url: string, extra: Extra = {}): Claim {
  const { isAnyWeb, ...rest } = { isAnyWeb: true as const, ...extra };
  return announced(name, url, { ...rest, ...removeUndefined({ isAnyWeb }) });
}

describe('whoever announces a web page and nothing more', () => {
  // Would catch: a router among the devices, or a device that is hidden as one.
  it('is asked before it is shown, once, without a sign-in', async () => {
    const router = await web();
    const site = await startSite({ host: '127.9.5.1' });
    onTestFinished(() => site.close());
    const { check, heard } = checking();

    check.heard(anyWeb('Router', router.url));
    check.heard(anyWeb('Gate', site.devices[0]?.url ?? ''));
    const shownUnasked = heard.length;
    await check.settled();
    check.heard(anyWeb('Router', router.url));
    await check.settled();

    expect(shownUnasked).toBe(0);
    expect(heard.map(({ name, recognised }) => `${name} ${recognised}`).toSorted()).toEqual([
      'Gate interface',
      'Router web',
      'Router web',
    ]);
    expect(router.requests.map(({ method, path, authorization }) => [method, path, authorization])).toEqual([
      ['GET', '/API/System/capabilities', undefined],
    ]);
    expect(site.device(0).requests).toHaveLength(1);
  });

  // Would catch: requests to whatever address a neighbour makes up, or to those that have said already what they are.
  it.each<[string, Extra]>([
    ['outside the networks of this computer', { outside: true }],
    ['of a type of its own', { isAnyWeb: undefined }],
    ['that names a prefix we look below', { pathPrefix: '/API' }],
    ['that is known to print', { isAnyWeb: undefined, recognised: 'web' }],
  ])('is not asked where it is one %s', async (_what, extra) => {
    const server = await web();
    const { check, heard } = checking();

    check.heard(anyWeb('Gate', server.url, extra));
    await check.settled();

    expect(heard).toHaveLength(1);
    expect(server.requests).toEqual([]);
  });

  it('is shown as it is where nobody answers there, or the search is over first', async () => {
    const hung = await web(() => {});
    const gone = await startServer(() => {});
    await gone.close();
    const { check, heard } = checking();

    check.heard(anyWeb('Gone', gone.url));
    await check.settled();
    check.heard(anyWeb('Hung', hung.url));
    check.flush();

    expect(heard.map(({ name, recognised }) => [name, recognised])).toEqual([
      ['Gone', undefined],
      ['Hung', undefined],
    ]);
  });

  // Would catch: a device taken for another web service, because it answers encrypted only.
  it('is a device where it sends on to its https address, and is shown there', async () => {
    const there = await startTlsServer(await makeCertificate(), {
      handler: (_request, response) =>
        response.writeHead(401, { 'WWW-Authenticate': 'Digest realm="x", qop="auth", nonce="n"' }).end(),
    });
    onTestFinished(() => there.close());
    const server = await web((_request, response) =>
      response.writeHead(301, { Location: `${there.url}/` }).end(),
    );
    const { check, heard } = checking();

    check.heard(anyWeb('Gate', server.url));
    await check.settled();

    expect(heard).toMatchObject([{ recognised: 'sign-in', url: there.url }]);
  });

  // Would catch: a flood of invented names behind which the devices wait to be asked.
  it('is passed on unasked in a flood', async () => {
    const { check, heard } = checking();

    for (let index = 0; index < 300; index += 1)
      check.heard(anyWeb(`n${index}`, `http://127.9.${index >> 8}.${index & 255}:9`));

    expect(heard).toHaveLength(44);
    check.flush();
    expect(heard).toHaveLength(300);
  });

  it('is not shown at all where it said goodbye meanwhile', async () => {
    const server = await web();
    const { check, heard } = checking();

    check.heard(anyWeb('Gate', server.url));
    check.gone(anyWeb('Gate', server.url).key, 'goodbye');
    await check.settled();

    expect(heard).toEqual([]);
  });
});
