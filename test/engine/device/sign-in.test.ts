import { describe, expect, it, onTestFinished } from 'vitest';
import { digestDevice, TELLS_ATTEMPTS } from './digest-device.ts';
import { errorOf, oneDevice, type OneDevice } from './directory.ts';
import { startServer, type Handler, type HostileServer } from './hostile-server.ts';
import { makeCertificate, startTlsServer } from './tls-server.ts';

const PASSWORD = 'correct horse';
const TELLING = { password: PASSWORD, refusalBody: TELLS_ATTEMPTS };

async function site(
  handler: Handler,
  options: Parameters<typeof oneDevice>[1] = {},
): Promise<{ server: HostileServer; device: OneDevice }> {
  const server = await startServer(handler);
  const device = oneDevice(server.url, { password: PASSWORD, ...options });
  onTestFinished(() => server.close());
  onTestFinished(() => device.clients.close());
  return { server, device };
}
const inTurn = async (device: OneDevice, count: number) => {
  for (let nth = 0; nth < count; nth += 1) expect((await device.get(`/API/${nth}`)).http).toBe(200);
};
const signed = (server: HostileServer) =>
  server.requests.filter((request) => request.authorization !== undefined).length;

describe('least round trips', () => {
  // Would catch: asking for a challenge each time, or sending a body twice without need.
  it.each(['MD5', 'SHA-256', 'MD5-sess', 'SHA-256-sess', undefined])(
    'N requests take N+1 exchanges with algorithm %s',
    async (algorithm) => {
      const { handler } = digestDevice({ ...TELLING, algorithm });
      const { server, device } = await site(handler);

      await inTurn(device, 10);

      expect(server.requests).toHaveLength(11);
    },
  );

  // Would catch: a sign-in proved elsewhere with every request, or where the first request is the proof itself.
  it.each([
    ['/API/1', 13],
    ['/API/System/capabilities?type=all', 11],
  ])('proves a sign-in once on a device that tells no attempts (first %s)', async (first, exchanges) => {
    const { handler } = digestDevice({ password: PASSWORD });
    const { server, device } = await site(handler);

    await device.get(first);
    await inTurn(device, 9);

    expect(server.requests).toHaveLength(exchanges);
  });

  it.each(['MD5', 'SHA-256'])('follows nextnonce without a further challenge (%s)', async (algorithm) => {
    const { handler } = digestDevice({ ...TELLING, rotate: 'nextnonce', algorithm });
    const { server, device } = await site(handler);

    await inTurn(device, 10);

    expect(server.requests).toHaveLength(11);
  });

  it.each([
    ['stale', 'MD5'],
    ['stale', 'SHA-256'],
    ['silent', 'MD5'],
    ['silent', 'SHA-256'],
  ] as const)(
    'needs two exchanges where each nonce is good for one request (%s, %s)',
    async (rotate, algorithm) => {
      const { handler, state } = digestDevice({ ...TELLING, rotate, algorithm });
      const { server, device } = await site(handler);

      await inTurn(device, 10);

      // Twice a silent end of a nonce may be a missing right as well: a proof tells, with two exchanges more.
      expect(server.requests).toHaveLength(rotate === 'silent' ? 24 : 20);
      expect(state.failures).toBe(0);
    },
  );

  // Would catch: asking the person for a password because a device restarted.
  it.each(['stale=true', 'stale="FALSE"'])('signs anew when the device forgot its nonces (%s)', async () => {
    const { handler, state } = digestDevice({ ...TELLING });
    const { server, device } = await site(handler);
    await inTurn(device, 3);

    state.forgetNonces();
    await inTurn(device, 3);

    expect(server.requests).toHaveLength(8);
    expect(state.failures).toBe(0);
  });

  it('sends nothing along where the device asks for nothing', async () => {
    const { server, device } = await site((_request, response) => response.end('<Ok/>'));

    await inTurn(device, 3);

    expect(signed(server)).toBe(0);
    expect(device.clients.about('d-1')).toEqual({ scheme: 'none', exchanges: 3 });
  });

  it('signs many requests at once with one challenge', async () => {
    const { handler } = digestDevice({ ...TELLING });
    const { server, device } = await site(handler, { profile: { inFlight: 1 } });

    await Promise.all(Array.from({ length: 20 }, (_, nth) => device.get(`/API/${nth}`)));

    expect(server.requests).toHaveLength(21);
  });
});

describe('a wrong password', () => {
  // Would catch: a queue that locks the account for half an hour.
  it('reaches the device once, whatever is queued', async () => {
    const { handler, state } = digestDevice({ password: 'another one' });
    const { server, device } = await site(handler, { profile: { inFlight: 8 } });

    const errors = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => errorOf(device.get(`/API/${nth}`))),
    );

    expect(state.failures).toBe(1);
    expect(signed(server)).toBe(1);
    expect(errors.filter((error) => error.code === 'sign-in-failed')).toHaveLength(1);
    expect(errors.filter((error) => error.code === 'sign-in-paused')).toHaveLength(49);
    expect(JSON.stringify([errors, device.log])).not.toContain(PASSWORD);
  });

  it('stays paused without touching the network until somebody acts', async () => {
    const { handler, state } = digestDevice({
      password: 'another one',
      refusalBody: (failures) => `<userCheck><retryLoginTime>${5 - failures}</retryLoginTime></userCheck>`,
    });
    const { server, device } = await site(handler);
    await errorOf(device.get('/API/1'));
    const before = server.requests.length;

    const paused = await errorOf(device.get('/API/2'));
    device.clients.lift(['d-1']);
    device.password = 'another one';
    const answer = await device.get('/API/3');

    expect(paused.code).toBe('sign-in-paused');
    expect(answer.http).toBe(200);
    expect(server.requests.length - before).toBe(2);
    expect(state.failures).toBe(1);
  });

  // Would catch: trusting an open path, then trying the password once per path.
  it('is tried once even after paths that need no sign-in', async () => {
    const { handler, state } = digestDevice({ password: 'another one' });
    const { device } = await site(
      (request, response) =>
        request.url === '/API/open' ? response.end('<Ok/>') : handler(request, response),
      { profile: { inFlight: 8 } },
    );
    await device.get('/API/open');

    await Promise.all(Array.from({ length: 20 }, (_, nth) => errorOf(device.get(`/API/${nth}`))));

    expect(state.failures).toBe(1);
  });

  it('tells attempts left and lock time from the answer', async () => {
    const body =
      '<userCheck version="1.0"><statusValue>401</statusValue><lockStatus>unlock</lockStatus><retryLoginTime>4</retryLoginTime></userCheck>';
    const { handler } = digestDevice({ password: 'another one', refusalBody: body });
    const { device } = await site(handler);

    const error = await errorOf(device.get('/API/1'));

    expect(error.code).toBe('sign-in-failed');
    expect(error.message).toContain('locks the account: 4');
    expect(error.shape.lock).toEqual({ locked: false, attemptsLeft: 4 });
  });

  // Would catch: a screen that cannot count down because only the first of fifty errors knows the numbers.
  it('tells the numbers on what is paused because of it too, and keeps them for the device', async () => {
    const body =
      '<userCheck version="1.0"><statusValue>401</statusValue><lockStatus>lock</lockStatus><retryLoginTime>0</retryLoginTime><unlockTime>1800</unlockTime></userCheck>';
    const { handler } = digestDevice({ password: 'another one', refusalBody: body });
    const clock = { now: () => new Date('2026-05-04T10:00:00Z'), delay: () => Promise.resolve() };
    const { device } = await site(handler, { clock });

    const errors = [await errorOf(device.get('/API/1')), await errorOf(device.get('/API/2'))];

    const lock = { locked: true, attemptsLeft: 0, unlocksAt: '2026-05-04T10:30:00.000Z' };
    expect(errors.map(({ code, shape }) => [code, shape.lock])).toEqual([
      ['account-locked', lock],
      ['sign-in-paused', lock],
    ]);
    const told = device.observations.filter((observation) => observation.type === 'sign-in');
    expect(told.map((observation) => observation.error?.shape.lock)).toEqual([lock]);
  });

  // Would catch: a date beyond what JavaScript can write ending the request with an internal error.
  it('does not believe numbers that cannot be', async () => {
    const body =
      '<userCheck version="1.0"><statusValue>401</statusValue><lockStatus>lock</lockStatus><unlockTime>9999999999</unlockTime></userCheck>';
    const { handler } = digestDevice({ password: 'another one', refusalBody: body });
    const { device } = await site(handler);

    expect((await errorOf(device.get('/API/1'))).shape).toMatchObject({
      code: 'account-locked',
      lock: { locked: true },
    });
  });

  // Would catch: one queue for a whole site, or a pause that spreads.
  it('of two devices that share it reaches each once, and pauses only those it is wrong for', async () => {
    const wrong = digestDevice({ password: 'another one' });
    const right = digestDevice({ password: PASSWORD });
    const [one, two] = [
      await site(wrong.handler, { profile: { inFlight: 8 } }),
      await site(right.handler, { profile: { inFlight: 8 } }),
    ];

    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, nth) => [
        one.device.get(`/API/${nth}`),
        two.device.get(`/API/${nth}`),
      ]).flat(),
    );

    expect(wrong.state.failures).toBe(1);
    expect(signed(one.server)).toBe(1);
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(50);
    expect(right.state.failures).toBe(0);
  });

  it('is not tried on an account that is locked already', async () => {
    const body =
      '<userCheck version="1.0"><statusValue>401</statusValue><lockStatus>lock</lockStatus><unlockTime>1800</unlockTime></userCheck>';
    const { handler } = digestDevice({ password: 'another one', refusalBody: body });
    const { server, device } = await site(handler);

    const error = await errorOf(device.get('/API/1'));

    expect(error.code).toBe('account-locked');
    expect(error.message).toContain('30 min');
    expect(signed(server)).toBe(0);
  });

  it('of an older sign-in does not pause the newer', async () => {
    const { handler } = digestDevice({ password: PASSWORD });
    let release = () => {};
    const { device } = await site(
      (request, response, nth) => {
        if (nth === 2) release = () => handler(request, response);
        else handler(request, response);
        if (nth === 2) entered();
      },
      { password: 'old and wrong' },
    );
    let entered = () => {};
    const waiting = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const old = errorOf(device.get('/API/old'));
    await waiting;

    device.clients.lift(['d-1']);
    device.password = PASSWORD;
    release();
    await old;

    expect((await device.get('/API/new')).http).toBe(200);
  });
});

describe('without credentials', () => {
  it('asks for them once and repeats nothing', async () => {
    const { handler } = digestDevice({ password: PASSWORD });
    const { server, device } = await site(handler, { password: undefined });
    device.password = undefined;

    const errors = await Promise.all(Array.from({ length: 10 }, () => errorOf(device.get('/API/1'))));

    expect(new Set(errors.map((error) => error.code))).toEqual(new Set(['sign-in-required']));
    expect(server.requests).toHaveLength(1);
  });

  it('profile "none" never signs', async () => {
    const { handler } = digestDevice({ password: PASSWORD });
    const { server, device } = await site(handler, { profile: { auth: 'none' } });

    expect((await errorOf(device.get('/API/1'))).code).toBe('sign-in-required');
    expect(signed(server)).toBe(0);
  });
});

describe('Basic', () => {
  const basicOnly: Handler = (request, response) => {
    const right = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
    if (request.headers.authorization === right) response.end('<Ok/>');
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="device, one"' }).end(TELLS_ATTEMPTS);
  };

  // Would catch: a password readable by everybody in the network.
  it.each(['auto', 'digest'] as const)('is refused over http with profile %s', async (auth) => {
    const { server, device } = await site(basicOnly, { profile: { auth } });

    const error = await errorOf(device.get('/API/1'));

    expect(error.code).toBe('basic-refused');
    expect(error.shape.hint).toBeTruthy();
    expect(signed(server)).toBe(0);
  });

  // Would catch: an attacker in between who offers Basic alone to read the password, over https as well.
  it('is refused over https where Digest was offered before', async () => {
    const certificate = await makeCertificate();
    const server = await startTlsServer(certificate, {
      handler: (request, response) => basicOnly(request, response, 1),
    });
    onTestFinished(() => server.close());
    const device = oneDevice(server.url, { password: PASSWORD, certificate: certificate.fingerprint });
    onTestFinished(() => device.clients.close());
    device.strength = 2;

    const error = await errorOf(device.get('/API/1'));

    expect(error.code).toBe('basic-refused');
    expect(server.requests.filter(({ authorization }) => authorization !== undefined)).toHaveLength(0);
  });

  // Would catch: a stranger behind a certificate that was trusted a moment ago reading the password by asking for Basic.
  it.each(['auto', 'digest'] as const)(
    'is refused over https too as long as nobody agreed (%s)',
    async (auth) => {
      const { server, device } = await secure(auth);

      const error = await errorOf(device.get('/API/1'));

      expect(error.shape).toMatchObject({
        code: 'basic-refused',
        reason: auth === 'auto' ? 'not-agreed' : 'profile',
      });
      expect(server.requests.filter(({ authorization }) => authorization !== undefined)).toHaveLength(0);
    },
  );

  it('is used over https where somebody agreed', async () => {
    const { device } = await secure('basic');

    expect((await device.get('/API/1')).http).toBe(200);
  });

  async function secure(auth: 'auto' | 'digest' | 'basic') {
    const certificate = await makeCertificate();
    const server = await startTlsServer(certificate, {
      handler: (request, response) => basicOnly(request, response, 1),
    });
    onTestFinished(() => server.close());
    const device = oneDevice(server.url, {
      password: PASSWORD,
      certificate: certificate.fingerprint,
      profile: { auth },
    });
    onTestFinished(() => device.clients.close());
    return { server, device };
  }

  it('is not fallen back to when Digest is offered first and then no more, in one session', async () => {
    const { handler } = digestDevice({ password: PASSWORD });
    let isDowngraded = false;
    const { server, device } = await site((request, response, nth) =>
      isDowngraded ? basicOnly(request, response, nth) : handler(request, response),
    );
    await inTurn(device, 2);
    const before = signed(server);

    isDowngraded = true;
    const error = await errorOf(device.get('/API/1'));
    const after = await errorOf(device.get('/API/2'));

    expect([error.code, after.code]).toEqual(['sign-in-failed', 'sign-in-paused']);
    expect(signed(server) - before).toBe(1);
    expect(server.requests.some(({ authorization }) => authorization?.startsWith('Basic'))).toBe(false);
  });

  it('is used where the profile says so, without asking again', async () => {
    const { server, device } = await site(basicOnly, { profile: { auth: 'basic' } });

    await inTurn(device, 3);

    expect(server.requests).toHaveLength(4);
    expect(device.clients.about('d-1').scheme).toBe('basic');
  });

  it('never wins over Digest', async () => {
    const { handler } = digestDevice({ password: PASSWORD });
    const { device } = await site((request, response) => {
      const end = response.writeHead.bind(response);
      response.writeHead = ((status: number, headers: Record<string, string>) =>
        end(
          status,
          status === 401
            ? { ...headers, 'www-authenticate': ['Basic realm="x"', headers['www-authenticate'] ?? ''] }
            : headers,
        )) as typeof response.writeHead;
      handler(request, response);
    });

    await inTurn(device, 2);

    expect(device.clients.about('d-1').scheme).toBe('digest MD5');
    expect(device.strength).toBe(2);
  });
});

describe('a weaker Digest', () => {
  const weaker: readonly (readonly [string, Handler])[] = [
    ['MD5', digestDevice({ password: PASSWORD, algorithm: 'MD5' }).handler],
    [
      'MD5 without qop',
      (_request, response) =>
        response.writeHead(401, { 'www-authenticate': 'Digest realm="device, one", nonce="n"' }).end(),
    ],
    [
      'MD5 for a nonce said to be stale',
      (request, response) =>
        response
          .writeHead(401, {
            'www-authenticate': `Digest realm="device, one", nonce="${request.url}", qop="auth", stale=true`,
          })
          .end(),
    ],
  ];

  // Would catch: an attacker in between who strikes SHA-256 out of the challenge to get a hash that can be
  // cracked.
  it.each(weaker)('is not answered where SHA-256 was offered before (%s)', async (_what, then) => {
    const strong = digestDevice({ password: PASSWORD, algorithm: 'SHA-256' }).handler;
    let isDowngraded = false;
    const { server, device } = await site((request, response, nth) =>
      (isDowngraded ? then : strong)(request, response, nth),
    );
    await inTurn(device, 2);
    device.clients.lift(['d-1']);
    const before = signed(server);

    isDowngraded = true;
    const error = await errorOf(device.get('/API/1'));

    expect(error.shape).toMatchObject({ code: 'sign-in-required', reason: 'weaker-digest' });
    expect(signed(server)).toBe(before);
  });

  it('counts after somebody agreed to it', async () => {
    const { handler } = digestDevice({ password: PASSWORD, algorithm: 'MD5' });
    const { device } = await site(handler);
    device.strength = 4;
    await errorOf(device.get('/API/1'));

    device.strength = 0;
    device.clients.lift(['d-1']);

    expect((await device.get('/API/1')).http).toBe(200);
    expect(device.strength).toBe(2);
  });
});
