/**
 * Two devices that swap their addresses, and accounts that must not be used, against servers written for it.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseChallenges } from '#engine/device/sign-in/challenge.ts';
import { createEngine, createKeyFileProtection } from '#engine/index.ts';
import { errorOf, oneDevice, type OneDevice } from './directory.ts';
import { startServer, type Handler, type HostileServer } from './hostile-server.ts';

const PASSWORD = 'correct horse';
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closers.splice(0)) await close();
});

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** Answers as a device whose realm contains its serial number; its nonce never runs out. */
function device(serial: string, { refusal = '', mark = '' } = {}): Handler {
  const realm = `Device ${serial}`;
  return (request, response) => {
    const params = parseChallenges(request.headers.authorization)[0]?.params;
    const ha1 = md5(`admin:${realm}:${PASSWORD}`);
    const expected = md5(
      `${ha1}:${params?.get('nonce')}:${params?.get('nc')}:${params?.get('cnonce')}:auth:${md5(`${request.method}:${request.url}`)}`,
    );
    if (params?.get('response') === expected && params.get('realm') === realm && refusal === '')
      return void response.end('<DeviceCap version="2.0"/>');
    response
      .writeHead(401, {
        'www-authenticate': `Digest realm="${realm}", nonce="n-${serial}", qop="auth"${mark}`,
      })
      .end(params === undefined ? '' : refusal);
  };
}

const basic =
  (realm: string): Handler =>
  (request, response) => {
    if (request.headers.authorization === `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`)
      response.end('<Ok/>');
    else response.writeHead(401, { 'www-authenticate': `Basic realm="${realm}"` }).end();
  };

/** Makes an address at which one device answers, then another. */
async function place(
  first: Handler,
  options: Parameters<typeof oneDevice>[1] = {},
): Promise<{ server: HostileServer; one: OneDevice; swap: (next: Handler) => void }> {
  let current = first;
  const server = await startServer((request, response, nth) => current(request, response, nth));
  const one = oneDevice(server.url, { password: PASSWORD, ...options });
  closers.push(
    () => one.clients.close(),
    () => server.close(),
  );
  return {
    server,
    one,
    swap: (next) => {
      current = next;
    },
  };
}
const answersTo = (server: HostileServer, realm: string) =>
  server.requests.filter(({ authorization }) => authorization?.includes(realm) === true).length;

describe('two devices that swapped their addresses', () => {
  // Would catch: after a DHCP lease the sign-in of one device, and what is to be written to it, go to another.
  it.each(['', ', stale=true'])(
    'the other one gets no answer to its challenge%s, in the session that goes on',
    async (mark) => {
      const { server, one, swap } = await place(device('A'));
      await one.get('/API/1');

      swap(device('B', { mark }));
      const errors = [await errorOf(one.put('/API/2', '<Secret/>')), await errorOf(one.get('/API/3'))];

      expect(errors.map(({ code, shape }) => [code, shape.reason])).toEqual([
        ['sign-in-required', 'other-device'],
        ['sign-in-required', 'other-device'],
      ]);
      expect(answersTo(server, 'Device B')).toBe(0);
    },
  );

  it('is noticed after a restart of the app as well, before anything is signed', async () => {
    const { server, one, swap } = await place(device('A'));
    await one.get('/API/1');
    const again = oneDevice(server.url, { password: PASSWORD });
    closers.push(() => again.clients.close());
    again.lessons = one.lessons;

    swap(device('B'));
    const error = await errorOf(again.get('/API/2'));

    expect(error.shape).toMatchObject({ code: 'sign-in-required', reason: 'other-device' });
    expect(answersTo(server, 'Device B')).toBe(0);
    expect(JSON.stringify(one.lessons)).not.toContain('Device A');
  });

  it('is noticed where Basic was allowed, before the password is sent', async () => {
    const { server, one, swap } = await place(basic('A'), { profile: { auth: 'basic' } });
    await one.get('/API/1');
    one.clients.lift(['d-1']);
    const before = server.requests.length;

    swap(basic('B'));
    const error = await errorOf(one.get('/API/2'));

    expect(error.shape.reason).toBe('other-device');
    expect(server.requests.slice(before).map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  it('goes on when the device is back', async () => {
    const { one, swap } = await place(device('A'));
    await one.get('/API/1');
    swap(device('B'));
    await errorOf(one.get('/API/2'));

    swap(device('A'));
    one.clients.lift(['d-1']);

    expect((await one.get('/API/3')).http).toBe(200);
  });
});

describe('the app, started again', () => {
  async function open(dataDir: string) {
    const engine = await createEngine({
      dataDir,
      resourcesDir: dataDir,
      face: 'cli',
      version: '0',
      protections: [createKeyFileProtection(join(dataDir, 'vault.key'))],
    });
    closers.unshift(() => engine.close());
    return engine;
  }
  async function restarted() {
    const dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-other-'));
    closers.push(() => rm(dataDir, { recursive: true, force: true }));
    const at = await place(device('A'));
    const first = await open(dataDir);
    const { id } = first.devices.add({ address: at.server.url });
    first.credentials.save({ label: 'x', userName: 'admin', password: PASSWORD, deviceIds: [id] });
    return { ...at, id, first, again: () => open(dataDir) };
  }
  const never = new AbortController().signal;

  // Would catch: lessons kept in memory only; or a replaced device that can never be signed in to.
  it('still knows who let it in, until a person who was told tests again', async () => {
    const { id, first, again, server, swap } = await restarted();
    await first.devices.test({ ids: [id] }, never);
    await first.close();
    swap(device('B'));

    const engine = await again();
    const [refused] = await engine.devices.test({ ids: [id] }, never);
    const answered = answersTo(server, 'Device B');
    const read = await errorOf(
      engine.operations.request({ deviceId: id, method: 'GET', path: '/API/x' }, never),
    );
    const [accepted] = await engine.devices.test({ ids: [id] }, never);
    await engine.close();

    expect(refused).toMatchObject({ ok: false, error: { code: 'sign-in-required', reason: 'other-device' } });
    expect([answered, read.shape.reason]).toEqual([0, 'other-device']);
    expect(accepted?.ok).toBe(true);
  });

  // Would catch: a restart within the wait that sends the password into the lock.
  it('still knows that the account is locked', async () => {
    const { id, first, again, server, swap } = await restarted();
    swap(
      device('A', {
        refusal: '<userCheck><lockStatus>lock</lockStatus><unlockTime>600</unlockTime></userCheck>',
      }),
    );
    const [locked] = await first.devices.test({ ids: [id] }, never);
    await first.close();
    swap(device('A'));
    const signed = answersTo(server, 'Device A');

    const engine = await again();
    const [waiting] = await engine.devices.test({ ids: [id] }, never);
    engine.credentials.save({ label: 'y', userName: 'operator', password: PASSWORD, deviceIds: [id] });
    const [other] = await engine.devices.test({ ids: [id] }, never);

    expect([locked?.error?.code, waiting?.error?.code, waiting?.error?.lock?.unlocksAt]).toEqual([
      'account-locked',
      'account-locked',
      locked?.error?.lock?.unlocksAt,
    ]);
    expect(
      server.requests.filter(({ authorization }) => authorization?.includes('username="admin"')).length,
    ).toBe(signed);
    expect(other?.error?.code).toBe('sign-in-failed');
  });
});

/** Makes a clock that can be set, and time that passes on its own and on it. */
function time() {
  const passing = performance.now.bind(performance);
  let passed = 0;
  let shift = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => passing() + passed);
  const clock = {
    now: () => new Date(Date.parse('2026-05-04T10:00:00Z') + passed + shift),
    delay: () => Promise.resolve(),
  };
  return {
    clock,
    pass: (ms: number) => {
      passed += ms;
    },
    set: (ms: number) => {
      shift += ms;
    },
  };
}
const DAY = 86_400_000;

describe('a locked account', () => {
  const LOCKED = '<userCheck><lockStatus>lock</lockStatus><unlockTime>600</unlockTime></userCheck>';

  // Would catch: testing again, or starting the app again, sends the password into the lock, which starts the wait anew.
  it('is left alone until the time the device told, whoever asks', async () => {
    const { clock, pass } = time();
    const { server, one, swap } = await place(device('A', { refusal: LOCKED }), { clock });
    await errorOf(one.get('/API/1'));
    const signed = () => answersTo(server, 'Device A');
    const again = oneDevice(server.url, { password: PASSWORD, clock });
    closers.push(() => again.clients.close());
    again.lessons = one.lessons;
    one.clients.lift(['d-1']);
    swap(device('A'));

    pass(599_000);
    const errors = [await errorOf(one.get('/API/2')), await errorOf(again.get('/API/2'))];
    expect(errors.map(({ code, shape }) => [code, shape.lock?.unlocksAt])).toEqual(
      Array.from({ length: 2 }, () => ['account-locked', '2026-05-04T10:10:00.000Z']),
    );
    expect(signed()).toBe(1);

    pass(1_001);
    one.clients.lift(['d-1']);
    expect((await one.get('/API/3')).http).toBe(200);
  });

  // Would catch: a lock that ends, or never ends, because the clock was set: a computer without a battery gets its time late.
  it.each([
    ['years on', 3 * 365 * DAY],
    ['years back', -3 * 365 * DAY],
  ])('lasts as long as the device told, though the clock is set %s', async (_what, jump) => {
    const { clock, pass, set } = time();
    const { server, one, swap } = await place(device('A', { refusal: LOCKED }), { clock });
    await errorOf(one.get('/API/1'));
    swap(device('A'));
    const signed = () => answersTo(server, 'Device A');

    set(jump);
    pass(590_000);
    one.clients.lift(['d-1']);
    const waiting = await errorOf(one.get('/API/2'));
    const before = signed();
    pass(11_000);
    one.clients.lift(['d-1']);

    expect([waiting.code, before]).toEqual(['account-locked', 1]);
    expect(Date.parse(waiting.shape.lock?.unlocksAt ?? '') - clock.now().getTime()).toBeLessThan(11_000);
    expect((await one.get('/API/3')).http).toBe(200);
  });

  // Would catch: a device locked out for years by a run whose clock was wrong.
  it('of an earlier run lasts no longer than it was told to', async () => {
    const { clock, pass, set } = time();
    const { server, one, swap } = await place(device('A', { refusal: LOCKED }), { clock });
    await errorOf(one.get('/API/1'));
    swap(device('A'));
    set(-3 * 365 * DAY);
    const again = oneDevice(server.url, { password: PASSWORD, clock });
    closers.push(() => again.clients.close());
    again.lessons = one.lessons;

    const waiting = await errorOf(again.get('/API/2'));
    pass(601_000);
    again.clients.lift(['d-1']);

    expect(waiting.code).toBe('account-locked');
    expect((await again.get('/API/3')).http).toBe(200);
  });

  it('is open again at once where the device says so', async () => {
    const { one, swap } = await place(device('A', { refusal: LOCKED }));
    await errorOf(one.get('/API/1'));
    const open: Handler = (request, response, nth) => {
      if (request.headers.authorization !== undefined) device('A')(request, response, nth);
      else
        response
          .writeHead(401, { 'www-authenticate': 'Digest realm="Device A", nonce="x", qop="auth"' })
          .end('<userCheck><lockStatus>unlock</lockStatus></userCheck>');
    };

    swap(open);
    one.clients.lift(['d-1']);

    expect((await one.get('/API/2')).http).toBe(200);
  });
});

describe('Basic where Digest was offered', () => {
  // Would catch: a Digest of an unknown kind put beside Basic to get the password.
  it('is not used beside a Digest that cannot be answered', async () => {
    const { server, one } = await place(
      (_request, response) => {
        response
          .writeHead(401, {
            'www-authenticate': ['Digest realm="A", nonce="n", algorithm=SHA3-999', 'Basic realm="A"'],
          })
          .end();
      },
      { profile: { auth: 'basic' } },
    );

    expect((await errorOf(one.get('/API/1'))).shape).toMatchObject({
      code: 'basic-refused',
      reason: 'digest-before',
    });
    expect(server.requests).toHaveLength(1);
  });

  // Would catch: a consent to Basic for an old device that sends the password to any server that leaves
  // Digest out.
  it('is not used, although the profile allows it', async () => {
    const both: Handler = (request, response, nth) => {
      if (request.headers.authorization !== undefined) device('A')(request, response, nth);
      else
        response
          .writeHead(401, {
            'www-authenticate': ['Basic realm="Device A"', 'Digest realm="Device A", nonce="n", qop="auth"'],
          })
          .end();
    };
    const { server, one, swap } = await place(both, { profile: { auth: 'basic' } });
    await one.get('/API/1');

    swap(basic('Device A'));
    one.clients.lift(['d-1']);
    const error = await errorOf(one.get('/API/2'));

    expect(error.shape).toMatchObject({ code: 'basic-refused', reason: 'digest-before' });
    expect(server.requests.some(({ authorization }) => authorization?.startsWith('Basic') === true)).toBe(
      false,
    );
  });
});
