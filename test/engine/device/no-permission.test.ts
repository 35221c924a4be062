import { describe, expect, it, onTestFinished } from 'vitest';
import type { IncomingMessage } from 'node:http';
import { createStatusError } from '#protocol/index.ts';
import { digestDevice, type DigestDeviceOptions, type Forbidding } from './digest-device.ts';
import { errorOf, oneDevice } from './directory.ts';
import { startServer, type Handler } from './hostile-server.ts';

const PASSWORD = 'correct horse';

async function connect(handler: Handler, options: Parameters<typeof oneDevice>[1] = {}) {
  const server = await startServer(handler);
  const device = oneDevice(server.url, { password: PASSWORD, ...options });
  onTestFinished(() => server.close());
  onTestFinished(() => device.clients.close());
  const signed = (path = '') =>
    server.requests.filter((one) => one.authorization !== undefined && one.path.startsWith(path)).length;
  return { server, device, signed };
}
async function at(options: Partial<DigestDeviceOptions>, profile = {}) {
  const { handler, state } = digestDevice({ password: PASSWORD, ...options });
  return { ...(await connect(handler, { profile })), handler, state };
}

const FORBIDDEN = '/API/Forbidden';
const KINDS: readonly Forbidding[] = ['fresh challenge', 'no challenge', 'status'];
const forbids =
  (how: Forbidding, path = FORBIDDEN) =>
  (request: IncomingMessage) =>
    request.url?.startsWith(path) === true ? how : undefined;
/** Returns the remaining attempts like the firmware of an access terminal, in every refusal. */
const telling = (failures: number) =>
  `<userCheck><lockStatus>unlock</lockStatus><retryLoginTime>${5 - failures}</retryLoginTime></userCheck>`;
const codeOf = (answer: { readonly status: Parameters<typeof createStatusError>[0] }) =>
  createStatusError(answer.status).code;

describe('an account without the right to one path', () => {
  // Would catch: one forbidden path that shuts the whole device, reported as a wrong password.
  it.each(KINDS)('is refused there alone after it was let in elsewhere (%s)', async (how) => {
    const { device, state } = await at({ forbids: forbids(how) });
    await device.get('/API/Allowed');

    const refused = [await device.get(FORBIDDEN), await device.put(FORBIDDEN, '<A/>')];
    const after = await device.get('/API/Allowed');

    expect(refused.map(codeOf)).toEqual(['no-permission', 'no-permission']);
    expect([after.http, state.failures]).toEqual([200, 0]);
    expect(device.observations.filter((one) => one.type === 'sign-in').map(({ state }) => state)).toEqual([
      'ok',
    ]);
  });

  // Would catch: a script whose first request is the forbidden one, paused with a report of a wrong password.
  it.each(KINDS)('is refused there alone where that is the first request (%s)', async (how) => {
    const { device, state } = await at({ forbids: forbids(how) });

    const refused = await device.get(FORBIDDEN);

    expect(codeOf(refused)).toBe('no-permission');
    expect((await device.get('/API/Allowed')).http).toBe(200);
    expect(state.failures).toBe(0);
  });

  // Would catch: the proof asked for where the device itself says that no attempt was counted.
  it.each(['first', 'later'])('of a device that tells attempts is refused there alone (%s)', async (when) => {
    const { device, state, signed } = await at({ forbids: forbids('fresh challenge'), refusalBody: telling });
    if (when === 'later') await device.get('/API/Allowed');
    expect(signed('/API/System')).toBe(0);

    expect(codeOf(await device.get(FORBIDDEN))).toBe('no-permission');
    expect((await device.get('/API/Allowed')).http).toBe(200);
    expect(state.failures).toBe(0);
  });

  it('is refused there alone where every challenge has the same nonce', async () => {
    const { device } = await at({ forbids: forbids('fresh challenge'), sameNonce: true });
    await device.get('/API/Allowed');

    expect(codeOf(await device.get(FORBIDDEN))).toBe('no-permission');
    expect((await device.get('/API/Allowed')).http).toBe(200);
  });

  // Would catch: a nonce that ran out taken for a missing right, or a missing right for a wrong password, among many at once.
  it.each(['stale', 'silent'] as const)(
    'of many requests at once only the forbidden are refused (%s)',
    async (rotate) => {
      const { device, state } = await at({ forbids: forbids('fresh challenge'), rotate }, { inFlight: 8 });

      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, nth) =>
          device.get(nth % 4 === 0 ? `${FORBIDDEN}/${nth}` : `/API/${nth}`),
        ),
      );

      expect(answers.map(({ http }) => http)).toEqual(answers.map((_, nth) => (nth % 4 === 0 ? 401 : 200)));
      expect(state.failures).toBe(0);
    },
  );

  // Would catch: a path that never says how to sign in, taken for a device that offers no way to.
  it.each(['first', 'later'])(
    'is refused there alone where nothing there asks for a sign-in (%s)',
    async (when) => {
      const { handler, state } = digestDevice({ password: PASSWORD, rotate: 'silent' });
      const { device, signed } = await connect((request, response) =>
        request.url === FORBIDDEN ? void response.writeHead(401).end() : handler(request, response),
      );
      if (when === 'later') await device.get('/API/Allowed');

      expect(codeOf(await device.put(FORBIDDEN, '<A/>'))).toBe('no-permission');
      expect((await device.get('/API/Allowed')).http).toBe(200);
      expect([signed(FORBIDDEN) > 0, state.failures]).toEqual([true, 0]);
    },
  );

  // Would catch: a large body sent again and again to a path that will never take it.
  it('has a large body refused after two signatures', async () => {
    const { device, signed } = await at({ forbids: forbids('fresh challenge') });
    await device.get('/API/Allowed');

    const refused = await device.put(FORBIDDEN, `<A>${'x'.repeat(2_000_000)}</A>`);

    expect(codeOf(refused)).toBe('no-permission');
    expect(signed(FORBIDDEN)).toBeLessThanOrEqual(2);
  });

  it.each([
    ['Basic alone', ['Basic realm="r"']],
    ['two challenges', ['Basic realm="r"', 'Negotiate']],
  ])('signs in with %s and is refused there alone', async (_what, challenge) => {
    const right = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
    const { device } = await connect(
      (request, response) => {
        if (request.headers.authorization === right && request.url !== FORBIDDEN) response.end('<Ok/>');
        else response.writeHead(401, { 'www-authenticate': challenge }).end();
      },
      { profile: { auth: 'basic' } },
    );

    const answers = [await device.get(FORBIDDEN), await device.get('/API/1'), await device.get(FORBIDDEN)];

    expect(answers.map(({ http }) => http)).toEqual([401, 200, 401]);
  });

  it('is refused there alone where a redirection leads to it', async () => {
    const { handler } = digestDevice({
      password: PASSWORD,
      forbids: forbids('fresh challenge'),
      answer: (request, response) => {
        if (request.url === '/API/Moved') response.writeHead(307, { location: FORBIDDEN }).end();
        else response.end('<Ok/>');
      },
    });
    const { device } = await connect(handler);

    expect(codeOf(await device.get('/API/Moved'))).toBe('no-permission');
    expect((await device.get('/API/Allowed')).http).toBe(200);
  });
});

describe('a wrong password', () => {
  // Would catch: the document that proves a sign-in asked after the request, so that each wrong password costs two attempts.
  it.each([
    ['tells nothing', undefined],
    ['tells attempts', telling],
    ['always tells the same number of attempts', telling(0)],
  ] as const)(
    'costs one attempt, whatever is asked first, on a device that %s',
    async (_what, refusalBody) => {
      const { device, state } = await at({ password: 'another one', ...(refusalBody && { refusalBody }) });

      const errors = [await errorOf(device.put(FORBIDDEN, '<A/>')), await errorOf(device.get('/API/1'))];

      expect(errors.map(({ code }) => code)).toEqual(['sign-in-failed', 'sign-in-paused']);
      expect(state.failures).toBeLessThanOrEqual(refusalBody === telling(0) ? 2 : 1);
    },
  );

  // Would catch: a document that everybody may read taken for a proof, and then every wrong password for a missing right.
  it('is not proved by what everybody may read', async () => {
    const { handler, state } = digestDevice({ password: 'another one' });
    const { device } = await connect((request, response) =>
      request.url?.includes('/System/capabilities') === true
        ? void response.end('<DeviceCap/>')
        : handler(request, response),
    );

    const errors = [await errorOf(device.get('/API/1')), await errorOf(device.get('/API/2'))];

    expect(errors.map(({ code }) => code)).toEqual(['sign-in-failed', 'sign-in-paused']);
    expect(state.failures).toBe(1);
  });

  // Would catch: a device that fails, or is too busy to look at the signature, taken for one that found it right.
  it.each([
    ['503', 503, ''],
    ['500', 500, ''],
    ['Device Busy', 400, '<ResponseStatus><statusCode>2</statusCode></ResponseStatus>'],
  ])('is not proved by a device that answers %s to the signature', async (_what, http, body) => {
    const { handler, state } = digestDevice({ password: 'another one' });
    const { device } = await connect((request, response) =>
      request.url?.includes('/System/capabilities') === true && request.headers.authorization !== undefined
        ? void response.writeHead(http).end(body)
        : handler(request, response),
    );

    const errors = [await errorOf(device.get('/API/1')), await errorOf(device.get('/API/2'))];

    expect(errors.map(({ code }) => code)).toEqual(['sign-in-failed', 'sign-in-paused']);
    expect(state.failures).toBe(1);
  });

  // Would catch: a right password refused because the document that is to prove it belongs to another realm.
  it('is not looked for in another realm', async () => {
    const { handler } = digestDevice({ password: PASSWORD });
    const { device } = await connect((request, response) =>
      request.url?.includes('/System/capabilities') === true
        ? void response
            .writeHead(401, { 'www-authenticate': 'Digest realm="another", qop="auth", nonce="n"' })
            .end()
        : handler(request, response),
    );

    expect((await device.get('/API/1')).http).toBe(200);
  });

  // Would catch: a password that is changed while it is in use, reported as a missing right with every
  // request, until the account is locked.
  it.each([
    ['MD5', {}],
    ['the same nonce', { sameNonce: true }],
    ['one use a nonce', { rotate: 'silent' as const }],
  ])('that was right a moment ago costs two attempts at most (%s)', async (_what, options) => {
    const { device, state } = await at(options);
    await device.get('/API/1');

    state.password = 'another one';
    const errors = [];
    for (let nth = 2; nth < 12; nth += 1) errors.push(await errorOf(device.get(`/API/${nth}`)));

    expect(errors.map(({ code }) => code)).toEqual([
      'sign-in-failed',
      ...Array.from({ length: 9 }, () => 'sign-in-paused'),
    ]);
    expect(state.failures).toBeLessThanOrEqual(2);
    // Would catch: the next command that sends it again.
    expect(device.refusals).toHaveLength(1);
  });
});

describe('a nonce that ran out', () => {
  /** Tells the number of attempts only from the second refusal on. */
  const tellingLater = (failures: number, refusals: number) => (refusals === 1 ? '' : telling(failures));

  // Would catch: a number of attempts that was not known before taken for one that fell.
  it.each(
    [1, 2, 3].flatMap((count) =>
      (['no challenge', 'fresh challenge'] as const).map((then) => [count, then] as const),
    ),
  )('after %s uses with %s is no wrong password, though attempts are told only now', async (count, then) => {
    const { device, state } = await at({ uses: { count, then }, refusalBody: tellingLater });

    for (let nth = 0; nth < 12; nth += 1)
      expect((await (nth % 2 === 0 ? device.put(`/API/${nth}`, '<A/>') : device.get('/API/same'))).http).toBe(
        200,
      );

    expect(state.failures).toBe(0);
  });

  // Would catch: wrong passwords of another program at the same device taken for one's own.
  it('is no wrong password where somebody else used up attempts meanwhile', async () => {
    const { device, state } = await at({ refusalBody: telling, rotate: 'silent' });
    await device.get('/API/1');

    state.failures += 2;

    expect((await device.get('/API/2')).http).toBe(200);
    expect(state.failures).toBe(2);
  });
});

describe('a device that was never activated', () => {
  const REFUSALS = [
    [
      '401, isActivated false',
      401,
      '<userCheck><statusValue>401</statusValue><isActivated>false</isActivated></userCheck>',
    ],
    ['401 with a challenge', 401, '<userCheck><isActivated> FALSE </isActivated></userCheck>'],
    ['401 in JSON', 401, '{"userCheck":{"statusValue":401,"isActivated":false}}'],
    [
      '403, notActivated',
      403,
      '<ResponseStatus><statusCode>4</statusCode><subStatusCode>notActivated</subStatusCode></ResponseStatus>',
    ],
  ] as const;

  // Would catch: "wrong password" or "no way to sign in" said of a device that has no password yet, and a password sent to it.
  it.each(REFUSALS)(
    'is told as that, for reads and writes, and gets no password (%s)',
    async (what, http, body) => {
      let isActivated = false;
      const { handler } = digestDevice({ password: PASSWORD });
      const { device, signed } = await connect((request, response) => {
        if (isActivated) return handler(request, response);
        const challenge = { 'www-authenticate': 'Digest realm="device, one", qop="auth", nonce="n"' };
        return void response.writeHead(http, what.includes('challenge') ? challenge : {}).end(body);
      });

      const errors = [await errorOf(device.get('/API/1')), await errorOf(device.put('/API/2', '<A/>'))];
      const before = signed();
      isActivated = true;

      expect(errors.map(({ code }) => code)).toEqual(['not-activated', 'not-activated']);
      expect(errors[0]?.shape.exchange?.http).toBe(http);
      expect(before).toBe(0);
      // No refusal is remembered against the device.
      expect((await device.get('/API/3')).http).toBe(200);
    },
  );
});
