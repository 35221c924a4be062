import { afterEach, describe, expect, it } from 'vitest';
import { filesOf } from '#test/helpers/traces-of.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import { engineSite, never, PASSWORD, type EngineSite } from '../device/engine-site.ts';
import { startServer } from '../device/hostile-server.ts';

let here: EngineSite | undefined;
afterEach(async () => {
  await here?.close();
  here = undefined;
});

describe('device test', () => {
  it('signs in once and learns the kinds from what each device answers', async () => {
    here = await engineSite({ devices: 5, kinds: ['gate', 'thermal', 'ai', 'counter', 'recorder'] });

    const results = await here.engine.devices.test({ ids: here.ids }, never);

    expect(results.map((result) => [result.ok, result.scheme, result.kinds.join()])).toEqual(
      ['gate', 'thermal', 'ai', 'counter', 'recorder'].map((kind) => [true, 'digest MD5', kind]),
    );
    expect(Math.max(...results.map((result) => result.requests))).toBeLessThanOrEqual(8);
    expect(
      here.engine.devices.list().every((device) => device.signIn === 'ok' && device.reach === 'reachable'),
    ).toBe(true);
  });

  it('says what happened where it did not work, and goes on with the others', async () => {
    here = await engineSite({ devices: 2, kinds: ['gate'] });
    const lost = here.engine.devices.add({ address: 'http://127.0.0.1:9', name: 'gone' });

    const results = await here.engine.devices.test({ ids: [lost.id, ...here.ids] }, never);

    expect(results.map((result) => [result.ok, result.error?.code])).toEqual([
      [false, 'connection-refused'],
      [true, undefined],
      [true, undefined],
    ]);
    expect(here.engine.devices.find(lost.id)).toMatchObject({
      reach: 'unreachable',
      lastError: { code: 'connection-refused' },
    });
  });

  // Would catch: knowledge lost because a device was busy for a moment.
  it('does not forget a kind because the device is busy', async () => {
    here = await engineSite({ kinds: ['thermal'] });
    await here.engine.devices.test({ ids: here.ids }, never);
    here.site.device(0).setFault('busy', 1, { operation: 'thermal.capabilities.get' });

    const [result] = await here.engine.devices.test({ ids: here.ids }, never);

    expect(result).toMatchObject({ ok: true, kinds: ['thermal'] });
  });

  // Would catch: "signed in" said of a router, of a device that only answers over https, and of a wrong path prefix.
  it.each<[string, number, Record<string, string>, string, Partial<ErrorShape>]>([
    [
      'the page of a router',
      200,
      { 'content-type': 'text/html' },
      '<html><title>Router</title></html>',
      { code: 'malformed-answer' },
    ],
    [
      'nothing below this prefix',
      404,
      { 'content-type': 'text/html' },
      '<html>Not found</html>',
      { code: 'not-found', reason: 'not-this-interface' },
    ],
    [
      'a port that wants https',
      400,
      { 'content-type': 'text/html' },
      '<html>The plain HTTP request was sent to HTTPS port</html>',
      { code: 'refused', reason: 'wants-tls' },
    ],
    [
      'a redirect to https',
      302,
      { location: 'https://127.0.0.1:9/API/System/capabilities' },
      '',
      { code: 'refused', reason: 'redirect' },
    ],
    ['a broken web server', 500, {}, '', { code: 'device-error' }],
  ])('does not take %s for a device', async (_what, http, headers, body, expected) => {
    here = await engineSite({ devices: 1, kinds: ['gate'] });
    const server = await startServer((_request, response) => {
      response.writeHead(http, headers).end(body);
    });
    try {
      const { id } = here.engine.devices.add({ address: server.url });

      const [result] = await here.engine.devices.test({ ids: [id] }, never);

      expect(result).toMatchObject({
        ok: false,
        error: { ...expected, device: server.url, exchange: { http } },
      });
      expect(here.engine.devices.find(id)).toMatchObject({ reach: 'reachable', lastError: expected });
      if (http !== 200) expect(here.engine.devices.find(id).signIn).toBe('unknown');
    } finally {
      await server.close();
    }
  });

  // Would catch: a device shut out because its firmware lacks the one document that was asked for first.
  it('takes a device without a capability document for one', async () => {
    here = await engineSite({ devices: 1, kinds: ['gate'] });
    const server = await startServer((request, response) => {
      if (request.url?.startsWith('/API/AccessControl/GateStatus') === true)
        response.writeHead(200, { 'content-type': 'application/xml' }).end('<GateStatus version="2.0"/>');
      else response.writeHead(404).end();
    });
    try {
      const { id } = here.engine.devices.add({ address: server.url });

      expect((await here.engine.devices.test({ ids: [id] }, never))[0]).toMatchObject({
        ok: true,
        kinds: ['gate'],
      });
    } finally {
      await server.close();
    }
  });

  // Would catch: "signed in, of no kind" said of a device that stopped letting us in after the first read.
  it('hides no error that comes after the first read, and keeps the kinds that are known', async () => {
    here = await engineSite({ kinds: ['thermal'] });
    await here.engine.devices.test({ ids: here.ids }, never);
    here.site.device(0).setFault('unauthorized', 1, { operation: 'thermal.capabilities.get', lasting: true });

    const [result] = await here.engine.devices.test({ ids: here.ids }, never);

    expect(result).toMatchObject({ ok: false, kinds: ['thermal'], error: { code: 'sign-in-failed' } });
  });

  // Would catch: an account that may not read one area reported as a failed sign-in, or a device that loses
  // its kind because of it.
  it('of an account without the right to one area says that the sign-in works, and keeps the kinds that are known', async () => {
    here = await engineSite({ kinds: ['thermal'] });
    await here.engine.devices.test({ ids: here.ids }, never);
    here.site.device(0).setFault('unauthorized', 1, { operation: 'thermal.capabilities.get' });

    const [result] = await here.engine.devices.test({ ids: here.ids }, never);

    expect(result).toMatchObject({ ok: true, kinds: ['thermal'] });
    expect(here.engine.devices.find(here.ids[0] ?? '').signIn).toBe('ok');
  });

  // Would catch: a wrong prefix taken for a device without kinds because the 404 is written as a status, and a probe that leads back to it.
  it('is not ok below a wrong prefix, and the probe leads away from it', async () => {
    here = await engineSite({ devices: 1, kinds: ['gate'] });
    const server = await startServer((request, response) => {
      if (request.headers.authorization === undefined)
        response.writeHead(401, { 'www-authenticate': 'Digest realm="r", nonce="n", qop="auth"' }).end();
      else
        response
          .writeHead(404, { 'content-type': 'application/json' })
          .end('{"statusCode":4,"statusString":"Invalid Operation","subStatusCode":"notSupport"}');
    });
    try {
      here.engine.profiles.save({ name: 'Plant', profile: { pathPrefix: '/SVC' } });
      const { id } = here.engine.devices.add({ address: server.url });
      here.engine.credentials.save({ label: 'x', userName: 'admin', password: PASSWORD, deviceIds: [id] });
      const before = await here.engine.devices.probe({ address: server.url }, never);

      const [result] = await here.engine.devices.test({ ids: [id] }, never);
      const after = await here.engine.devices.probe({ address: server.url }, never);

      expect(result).toMatchObject({
        ok: false,
        kinds: [],
        error: { code: 'not-found', reason: 'not-this-interface' },
      });
      expect([before, after].map(({ findings }) => findings.map(({ pathPrefix }) => pathPrefix))).toEqual([
        ['/API'],
        ['/SVC'],
      ]);
    } finally {
      await server.close();
    }
  });

  it('lifts the pause that a wrong password left', async () => {
    here = await engineSite({ kinds: ['gate'] }, 'wrong');
    const [id = ''] = here.ids;
    const code = async () =>
      here?.engine.operations.call({ deviceId: id, operation: 'gate.status.get' }, never).then(
        () => 'ok',
        (error: unknown) => toErrorShape(error).code,
      );
    const first = [await code(), await code()];
    const before = here.site.device(0).requests.length;

    const [tested] = await here.engine.devices.test({ ids: [id] }, never);
    const attempts = here.site.device(0).requests.length - before;
    const [saved] = here.engine.credentials.list();
    here.engine.credentials.save({
      id: saved?.id ?? '',
      label: 'Site',
      userName: 'admin',
      password: PASSWORD,
    });

    expect(first).toEqual(['sign-in-failed', 'sign-in-paused']);
    expect(tested?.error?.code).toBe('sign-in-failed');
    expect(attempts).toBe(2);
    expect(await code()).toBe('ok');
  });
});

describe('a password', () => {
  // Would catch: a secret in a file, an error, an event or a log line.
  it('is nowhere but in the vault, whatever goes wrong', async () => {
    const wrong = 'N0t-the-Right-0ne';
    here = await engineSite({ devices: 2, kinds: ['gate', 'thermal'] }, wrong);
    const { engine, ids, folder, log } = here;
    const seen: unknown[] = [];

    const all = await Promise.allSettled(
      Array.from({ length: 50 }, () =>
        engine.operations.call({ deviceId: ids[0] ?? '', operation: 'gate.status.get' }, never),
      ),
    );
    seen.push(
      all.map((result) =>
        result.status === 'rejected'
          ? [toErrorShape(result.reason), String(result.reason), (result.reason as Error).stack]
          : result.value,
      ),
    );
    engine.devices.addTransient({
      url: here.site.devices[1]?.url ?? '',
      userName: 'admin',
      password: PASSWORD,
    });
    seen.push(
      await engine.devices.test({ ids }, never),
      engine.devices.list(),
      engine.credentials.list(),
      engine.info(),
      log,
    );

    expect(
      all.filter(
        (result) => result.status === 'rejected' && toErrorShape(result.reason).code === 'sign-in-paused',
      ),
    ).toHaveLength(49);
    expect(here.site.device(0).requests.length).toBeLessThanOrEqual(4);
    expect(log.length).toBeGreaterThan(50);
    for (const secret of [wrong, PASSWORD]) {
      expect(JSON.stringify(seen)).not.toContain(secret);
      for (const [name, bytes] of filesOf(folder))
        expect([name, bytes.includes(secret)]).toEqual([name, false]);
    }
  });
});
