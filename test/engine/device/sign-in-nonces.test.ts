/** Nonces that run out, and passwords that are changed at the device while we work with it. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { digestDevice, type DigestDeviceOptions } from './digest-device.ts';
import { errorOf, oneDevice } from './directory.ts';
import { startServer, type Handler } from './hostile-server.ts';

const PASSWORD = 'correct horse';
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function connect(handler: Handler) {
  const server = await startServer(handler);
  const device = oneDevice(server.url, { password: PASSWORD, profile: { inFlight: 1 } });
  closers.push(
    () => device.clients.close(),
    () => server.close(),
  );
  return {
    server,
    device,
    /** Counts requests without those that only prove that the sign-in is good. */
    signed: () =>
      server.requests.filter(
        ({ authorization, path }) => authorization !== undefined && !path.startsWith('/API/System/'),
      ).length,
    proofs: () => server.requests.filter(({ path }) => path.startsWith('/API/System/')).length,
  };
}
async function at(options: Partial<DigestDeviceOptions>) {
  const { handler, state } = digestDevice({ password: PASSWORD, ...options });
  return { ...(await connect(handler)), state };
}

/**
 * Returns the remaining attempts like the firmware of an access terminal: in every 401, even to an unsigned
 * request.
 */
const counting = (failures: number) =>
  `<userCheck version="1.0"><statusValue>401</statusValue><lockStatus>unlock</lockStatus><retryLoginTime>${5 - failures}</retryLoginTime></userCheck>`;

describe('a nonce for one request', () => {
  // Would catch: sending every body twice for ever to a device whose nonces are good for one request only.
  it.each(['stale', 'silent'] as const)(
    'is noticed after two, and not tried a second time from then on (%s)',
    async (rotate) => {
      const { device, signed } = await at({ rotate });

      for (let nth = 0; nth < 10; nth += 1) await device.put(`/API/${nth}`, '<A/>');

      expect(signed()).toBe(10 + 2);
    },
  );

  // Would catch: two looks at a device, some minutes apart, after which every later request is asked twice for ever.
  it('is not what a nonce is that was only too old', async () => {
    const { device, server, state } = await at({});
    const now = performance.now.bind(performance);
    let pause = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + pause);

    for (let look = 0; look < 3; look += 1) {
      await device.get('/API/look');
      pause += 60_000;
      state.forgetNonces();
    }
    const before = server.requests.length;
    for (let nth = 0; nth < 10; nth += 1) await device.get(`/API/${nth}`);

    expect(server.requests.length - before).toBe(10 + 1);
  });

  // Would catch: a session key of the first nonce used with the next (RFC 7616, 3.4.2), which costs an exchange each time.
  it.each(['MD5-sess', 'SHA-256-sess'])(
    'that is handed on by the one before needs no further challenge (%s)',
    async (algorithm) => {
      const { server, device, state } = await at({ rotate: 'nextnonce', algorithm });

      for (let nth = 0; nth < 5; nth += 1) await device.get(`/API/${nth}`);

      expect(server.requests).toHaveLength(6 + 2);
      expect(state.failures).toBe(0);
    },
  );

  // Would catch: an exchange without end with a device that finds every nonce stale.
  it('that is stale at once is not signed for ever', async () => {
    const { device, signed, proofs } = await connect((_request, response, nth) => {
      response
        .writeHead(401, { 'www-authenticate': `Digest realm="r", qop="auth", nonce="n${nth}", stale=true` })
        .end();
    });

    const error = await errorOf(device.get('/API/1'));

    expect(error.code).toBe('sign-in-failed');
    // One question without a signature, and two signatures; the request itself is not signed at all.
    expect([proofs(), signed()]).toEqual([3, 0]);
  });
});

describe('a nonce for a few requests', () => {
  // Would catch: the sign-in paused, and jobs stopped, because the third use of a nonce is refused without a challenge.
  it.each([
    ['a 401 without a challenge at the third use', { uses: { count: 2, then: 'no challenge' } }],
    ['two uses a nonce, then a fresh challenge', { uses: { count: 2, then: 'fresh challenge' } }],
    [
      'a 401 with a fresh challenge always, attempts counted',
      { uses: { count: 1, then: 'fresh challenge' }, refusalBody: counting },
    ],
    [
      'a 401 without a challenge at the second use, attempts counted',
      { uses: { count: 1, then: 'no challenge' }, refusalBody: counting },
    ],
  ] as const)('%s is a spent nonce and no wrong password', async (_what, options) => {
    const { device, state, signed } = await at(options);

    for (let nth = 0; nth < 12; nth += 1) expect((await device.put(`/API/${nth}`, '<A/>')).http).toBe(200);

    expect(state.failures).toBe(0);
    // Twice it is found out at which use a nonce runs out; from then on nothing is signed in vain.
    expect(signed()).toBe(12 + 2);
  });

  it.each(['no challenge', 'fresh challenge'] as const)(
    'a password changed at a device that counts costs one attempt (%s)',
    async (then) => {
      const { device, state } = await at({ uses: { count: 2, then }, refusalBody: counting });
      for (let nth = 0; nth < 7; nth += 1) await device.get(`/API/${nth}`);

      state.password = 'another one';
      const errors = await Promise.all(
        Array.from({ length: 50 }, (_, nth) => errorOf(device.get(`/API/${nth}`))),
      );

      expect(state.failures).toBe(1);
      expect(errors.map(({ code }) => code)).toEqual([
        'sign-in-failed',
        ...Array.from({ length: 49 }, () => 'sign-in-paused'),
      ]);
    },
  );
});

describe('a password that is changed at the device meanwhile', () => {
  // Would catch: a second attempt under the pretext of a new nonce, from a device that counts attempts.
  it('reaches it once where it counts the attempts', async () => {
    const { device, state } = await at({ refusalBody: counting });
    await device.get('/API/1');

    state.password = 'another one';
    const errors = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => errorOf(device.get(`/API/${nth}`))),
    );

    expect(state.failures).toBe(1);
    expect(errors.map(({ code }) => code)).toEqual([
      'sign-in-failed',
      ...Array.from({ length: 49 }, () => 'sign-in-paused'),
    ]);
    expect(errors[0]?.shape.lock).toEqual({ locked: false, attemptsLeft: 4 });
  });

  // A missing right looks the same, so that the proof costs a second attempt.
  it('reaches it twice at most where it refuses the same nonce that it took before', async () => {
    const challenge = { 'www-authenticate': 'Digest realm="r", qop="auth", nonce="always the same"' };
    let isChanged = false;
    const { device, signed, proofs } = await connect((request, response) => {
      if (request.headers.authorization !== undefined && !isChanged) response.end('<Ok/>');
      else response.writeHead(401, challenge).end();
    });
    await device.get('/API/1');

    const before = proofs();

    isChanged = true;
    const error = await errorOf(device.get('/API/2'));

    expect(error.code).toBe('sign-in-failed');
    expect([signed(), proofs() - before]).toEqual([2, 2]);
  });
});
