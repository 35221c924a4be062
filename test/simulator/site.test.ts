import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { startSite } from '#simulator/index.ts';
import { Agent, fetch as undiciFetch } from 'undici';
import { ask, askDigest, site, tag } from './helpers.ts';

function listen(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server));
  });
}

/** A port that is taken, while the one before it is not. */
async function portWithFreeOneBefore(): Promise<{ blocker: Server; port: number }> {
  for (;;) {
    const blocker = await listen(0);
    const { port } = blocker.address() as AddressInfo;
    const free = await listen(port - 1).then(
      (server) => {
        server.close();
        return true;
      },
      () => false,
    );
    if (free) return { blocker, port };
    blocker.close();
  }
}

const CAPABILITIES = '/API/System/capabilities';

describe('a site', () => {
  it('hands kinds out round and round, with names of their own and a password each', async () => {
    const started = await site({ devices: 5, kinds: ['thermal', 'gate'] });

    expect(started.devices.map((device) => device.kind)).toEqual([
      'thermal',
      'gate',
      'thermal',
      'gate',
      'thermal',
    ]);
    expect(started.devices[0]?.name).toMatch(/^Thermal 01 /);
    expect(started.devices[3]?.name).toMatch(/^Gate 04 /);
    expect(new Set(started.devices.map((device) => device.password)).size).toBe(5);
    expect(started.devices.every((device) => device.user === 'admin')).toBe(true);
  });

  it('is the same site for the same seed, another for another', async () => {
    const read = async (seed: number): Promise<unknown> => {
      const started = await site({ devices: 3, kinds: ['gate', 'thermal', 'counter'], seed, users: 5 });
      const search = await ask(
        started,
        'POST',
        '/API/AccessControl/UserInfo/Search?format=json',
        '{"UserInfoSearchCond":{"searchID":"1"}}',
      );
      const camera = await ask(
        started.devices[1]?.url ?? '',
        'GET',
        '/API/Thermal/channels/1/thermometry/basicParam',
      );
      return [started.devices.map(({ name, password }) => [name, password]), search.text, camera.text];
    };

    const [one, same, other] = [await read(42), await read(42), await read(43)];

    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('gives the full report on request and a reduced one otherwise', async () => {
    const started = await site();

    const reduced = await ask(started, 'GET', CAPABILITIES);
    const full = await ask(started, 'GET', `${CAPABILITIES}?type=all`);
    const other = await ask(started, 'GET', `${CAPABILITIES}?type=some`);

    expect(tag(reduced.text, 'isSupportReboot')).toBe('true');
    expect(reduced.text).not.toContain('<SysCap>');
    expect(full.text).toContain('<SysCap>');
    expect(other.http).toBe(400);
  });

  it('says which port is taken and leaves nothing open', async () => {
    const { blocker, port } = await portWithFreeOneBefore();

    await expect(startSite({ devices: 2, port: port - 1 })).rejects.toMatchObject({
      code: 'not-available',
      message: expect.stringContaining(String(port)) as string,
    });
    const probe = await listen(port - 1);

    await Promise.all(
      [blocker, probe].map(
        (server) =>
          new Promise((resolve) => {
            server.close(resolve);
          }),
      ),
    );
  });

  it.each([
    [{ devices: 0 }],
    [{ devices: 1.5 }],
    [{ port: 70_000 }],
    [{ devices: 10, port: 65_530 }],
    [{ kinds: [] }],
    [{ kinds: ['boat' as 'gate'] }],
    [{ prefix: 'API' }],
    [{ prefix: '/API/' }],
    [{ auth: 'ntlm' as 'basic' }],
    [{ faults: ['explode'] }],
    [{ seed: -1 }],
    [{ user: 'a:b' }],
    [{ latencyMs: -1 }],
  ])('refuses options that cannot be: %j', async (options) => {
    await expect(startSite(options)).rejects.toMatchObject({ code: 'usage' });
  });

  it('holds 200 devices, and none answers any more once it is closed', async () => {
    const started = await site({ devices: 200 });

    const replies = await Promise.all(started.devices.map((device) => ask(device.url, 'GET', CAPABILITIES)));
    await started.close();
    await started.close();

    expect(replies.every((reply) => reply.http === 200)).toBe(true);
    await expect(ask(started.devices[199]?.url ?? '', 'GET', CAPABILITIES)).rejects.toThrow();
  });

  it('waits the latency before each answer', async () => {
    const started = await site({ latencyMs: 60 });

    const before = performance.now();
    await ask(started, 'GET', CAPABILITIES);

    expect(performance.now() - before).toBeGreaterThanOrEqual(55);
  });

  it('speaks HTTPS with a self-signed certificate of its own for each device', async () => {
    const started = await site({ devices: 2, kinds: ['gate'], tls: true });
    const agent = new Agent({ connect: { rejectUnauthorized: false }, allowH2: false });

    const reply = await undiciFetch(`${started.devices[0]?.url ?? ''}${CAPABILITIES}`, { dispatcher: agent });
    const certificates = await Promise.all(
      started.devices.map(
        (device) =>
          new Promise<{ print: string; names: string; curve: string }>((resolve, reject) => {
            const socket = tlsConnect(
              { host: '127.0.0.1', port: Number(new URL(device.url).port), rejectUnauthorized: false },
              () => {
                const certificate = socket.getPeerCertificate();
                resolve({
                  print: certificate.fingerprint256,
                  names: certificate.subjectaltname ?? '',
                  curve: certificate.asn1Curve ?? '',
                });
                socket.destroy();
              },
            );
            socket.once('error', reject);
          }),
      ),
    );
    await agent.close();

    expect(started.devices[0]?.url).toMatch(/^https:/);
    expect(reply.status).toBe(200);
    expect(certificates[0]?.print).not.toBe(certificates[1]?.print);
    expect(certificates[0]).toMatchObject({
      names: expect.stringContaining('IP Address:127.0.0.1') as string,
      curve: 'prime256v1',
    });
    await expect(ask(started, 'GET', CAPABILITIES)).rejects.toThrow();
  });

  it('cuts an encrypted connection as well, and closes although somebody never began to speak', async () => {
    const started = await site({ kinds: ['gate'], tls: true });
    const url = started.devices[0]?.url ?? '';
    const agent = new Agent({ connect: { rejectUnauthorized: false }, allowH2: false });
    const silent = connect(Number(new URL(url).port), '127.0.0.1');
    await new Promise((resolve) => {
      silent.once('connect', resolve);
    });
    started.device(0).setFault('reset', 1, { times: 1 });

    await expect(undiciFetch(url + CAPABILITIES, { dispatcher: agent })).rejects.toThrow();
    const next = await undiciFetch(url + CAPABILITIES, { dispatcher: agent });
    const closed = new Promise((resolve) => {
      silent
        .once('close', resolve)
        .on('error', () => undefined)
        .resume();
    });
    await started.close();
    await agent.close();

    expect(next.status).toBe(200);
    await closed;
  });

  it('starts and ends with mDNS on, whatever the network says to it', async () => {
    const problems: string[] = [];
    const started = await site({ devices: 2, mdns: true, onProblem: (reason) => problems.push(reason) });

    expect((await ask(started, 'GET', CAPABILITIES)).http).toBe(200);
    await started.close();
    expect(problems.length).toBeLessThanOrEqual(1);
  });
});

describe('a device', () => {
  const MODE = '/API/Thermal/channels/1/thermometryMode';

  it('drops everybody on a restart, refuses for a while and comes back at its port', async () => {
    const started = await site({ kinds: ['thermal'] });
    const url = started.devices[0]?.url ?? '';
    await ask(started, 'PUT', MODE, '<ThermometryMode><mode>expert</mode></ThermometryMode>');

    const back = started.device(0).restart(80);
    await expect(ask(url, 'GET', MODE)).rejects.toThrow();
    await back;

    expect(started.device(0).url).toBe(url);
    expect(tag((await ask(url, 'GET', MODE)).text, 'mode')).toBe('expert');
  });

  it('can be closed in the middle of a restart', async () => {
    const started = await site({ kinds: ['thermal'] });

    const back = started.device(0).restart(600_000);
    await started.close();

    await back;
    await expect(ask(started, 'GET', MODE)).rejects.toThrow();
  });

  it('has a clock of its own behind that of the site', async () => {
    const started = await site({ devices: 2, kinds: ['counter'] });
    started.clock.freeze();
    const times = async (): Promise<number[]> =>
      Promise.all(
        started.devices.map(async (device) => {
          const text =
            tag(
              (await ask(device.url, 'GET', '/API/System/Video/inputs/channels/1/counting/status')).text,
              'time',
            ) ?? '';
          return Date.parse(`1970-01-01T${text}`);
        }),
      );
    const [first = 0, second = 0] = await times();

    started.clock.advance(3_600_000);
    started.device(1).clock.advance(1_800_000);
    const [third = 0, fourth = 0] = await times();
    const hours = (from: number, to: number): number =>
      Math.round(((to - from + 86_400_000) % 86_400_000) / 60_000) / 60;

    expect(hours(first, third)).toBe(1);
    expect(hours(second, fourth)).toBe(1.5);
    expect(() => started.clock.advance(-1)).toThrow(RangeError);
  });

  it('logs what reached it: once, in order, with bodies that hold no secret', async () => {
    const started = await site({
      devices: 2,
      kinds: ['thermal', 'gate'],
      auth: 'digest',
      password: 'sign-in secret',
    });
    const [camera, gate] = started.devices.map((device) => device.url) as [string, string];

    await askDigest(camera, 'admin', 'sign-in secret', 'GET', MODE);
    await askDigest(camera, 'admin', 'wrong', 'GET', MODE);
    const open = await site({ devices: 2, kinds: ['thermal', 'gate'] });
    await ask(open, 'PUT', MODE, '<ThermometryMode><mode>expert</mode></ThermometryMode>');
    await ask(
      open.devices[1]?.url ?? '',
      'PUT',
      '/API/AccessControl/UserInfo/SetUp?format=json',
      '{"UserInfo":{"employeeNo":"9","userType":"normal","password":"door secret"}}',
    );
    await ask(open, 'POST', '/API/System/Token/check', '<TokenInfo>token secret</TokenInfo>');

    expect(
      started.device(0).requests.map(({ method, path, http, operation }) => [method, path, http, operation]),
    ).toEqual([
      ['GET', MODE, 401, undefined],
      ['GET', MODE, 200, 'thermal.thermometryMode.get'],
      ['GET', MODE, 401, undefined],
      ['GET', MODE, 401, undefined],
    ]);
    expect(open.device(0).requests[0]).toMatchObject({
      applied: true,
      body: expect.stringContaining('expert') as string,
      bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(open.device(1).requests[0]).toMatchObject({
      applied: true,
      bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(
      JSON.stringify([started.device(0).requests, open.device(0).requests, open.device(1).requests]),
    ).not.toContain('secret');
    expect(gate).not.toBe(camera);
  });
});
