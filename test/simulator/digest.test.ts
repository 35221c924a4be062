import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  ask,
  askDigest,
  challenge,
  digestHeader,
  digestResponse,
  readChallenge,
  site,
  tag,
} from './helpers.ts';

const PATH = '/API/System/capabilities';
const USER = 'admin';
const PASSWORD = 'pässword "1"\\';

describe('Digest sign-in', () => {
  it.each([
    ['digest', 'MD5'],
    ['digest-sha256', 'SHA-256'],
  ] as const)('%s accepts what the formula of RFC 7616 gives', async (auth, algorithm) => {
    const started = await site({ auth, password: PASSWORD });
    const url = started.devices[0]?.url ?? '';

    const asked = await challenge(url, PATH);
    const reply = await ask(url, 'GET', PATH, undefined, {
      authorization: digestHeader(asked, { user: USER, password: PASSWORD, method: 'GET', uri: PATH }),
    });

    expect(asked.header).toContain('qop="auth"');
    expect(asked.algorithm).toBe(algorithm);
    expect(asked.opaque).not.toBe('');
    expect(reply.http).toBe(200);
  });

  it('reads attributes in any order, with quoted escapes, odd spacing and upper case', async () => {
    const started = await site({ auth: 'digest', password: PASSWORD, user: 'back\\slash' });
    const url = started.devices[0]?.url ?? '';
    const asked = await challenge(url, PATH);
    const response = digestResponse(asked, {
      user: 'back\\slash',
      password: PASSWORD,
      method: 'GET',
      uri: PATH,
    });

    const reply = await ask(url, 'GET', PATH, undefined, {
      authorization: `DIGEST  NC=00000001 , cnonce="abc\\def",qop="auth",  opaque="${asked.opaque}", response="${response.toUpperCase()}",uri="${PATH}" , nonce="${asked.nonce}",realm="${asked.realm}", userName="back\\\\slash"`,
    });

    expect(reply.http).toBe(200);
  });

  it('answers 400 to a header that cannot be read or is for another address, without counting an attempt', async () => {
    const started = await site({ auth: 'digest', password: PASSWORD });
    const url = started.devices[0]?.url ?? '';
    const asked = await challenge(url, PATH);
    const good = digestHeader(asked, { user: USER, password: PASSWORD, method: 'GET', uri: PATH });
    const bad = [
      'Digest',
      'Digest username="admin',
      good.replace(/, nc=\d+/, ''),
      good.replace('qop=auth', 'qop=auth-int'),
      good.replace('nc=00000001', 'nc=1'),
      good.replace('algorithm=MD5', 'algorithm=SHA-256'),
      `${good}, nc=00000002`,
      digestHeader(asked, {
        user: USER,
        password: PASSWORD,
        method: 'GET',
        uri: '/API/System/Token/secretKey/capabilities',
      }),
    ];

    for (const authorization of bad) {
      const reply = await ask(url, 'GET', PATH, undefined, { authorization });
      expect([authorization, reply.http]).toEqual([authorization, 400]);
    }

    expect(tag((await ask(url, 'GET', PATH)).text, 'retryLoginTime')).toBe('5');
  });

  it('refuses a response made for another method', async () => {
    const started = await site({ auth: 'digest', password: PASSWORD });
    const url = started.devices[0]?.url ?? '';
    const asked = await challenge(url, PATH);

    const reply = await ask(url, 'GET', PATH, undefined, {
      authorization: digestHeader(asked, { user: USER, password: PASSWORD, method: 'PUT', uri: PATH }),
    });

    expect(reply.http).toBe(401);
  });

  it('asks for a new nonce, not a new password, when a count repeats or the nonce is old', async () => {
    const started = await site({ auth: 'digest', password: PASSWORD });
    const url = started.devices[0]?.url ?? '';
    const asked = await challenge(url, PATH);
    const send = (nc: string) =>
      ask(url, 'GET', PATH, undefined, {
        authorization: digestHeader(asked, { user: USER, password: PASSWORD, method: 'GET', uri: PATH, nc }),
      });

    const first = await send('00000001');
    const replayed = await send('00000001');
    const later = await send('00000003');
    const outOfOrder = await send('00000002');
    started.clock.advance(5 * 60_000 + 1);
    const expired = await send('00000004');

    expect([first.http, replayed.http, later.http, outOfOrder.http, expired.http]).toEqual([
      200, 401, 200, 200, 401,
    ]);
    expect(readChallenge(replayed.headers.get('www-authenticate') ?? '').stale).toBe(true);
    expect(readChallenge(expired.headers.get('www-authenticate') ?? '').stale).toBe(true);
    expect(tag(expired.text, 'retryLoginTime')).toBe('5');
  });

  it('locks the account for half an hour after five wrong passwords, even for the right one', async () => {
    const started = await site({ auth: 'digest', password: PASSWORD });
    const url = started.devices[0]?.url ?? '';

    const left: (string | undefined)[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1)
      left.push(tag((await askDigest(url, USER, 'wrong', 'GET', PATH)).text, 'retryLoginTime'));
    const locked = await askDigest(url, USER, PASSWORD, 'GET', PATH);
    started.clock.advance(29 * 60_000);
    const stillLocked = await askDigest(url, USER, PASSWORD, 'GET', PATH);
    started.clock.advance(61_000);
    const open = await askDigest(url, USER, PASSWORD, 'GET', PATH);

    expect(left).toEqual(['4', '3', '2', '1', '0']);
    expect(locked.http).toBe(401);
    expect(tag(locked.text, 'lockStatus')).toBe('lock');
    expect(Number(tag(locked.text, 'unlockTime'))).toBeGreaterThan(1790);
    expect(stillLocked.http).toBe(401);
    expect(open.http).toBe(200);
  });

  it('counts neither questions nor forgets: the right password resets the count', async () => {
    const started = await site({ auth: 'digest', password: PASSWORD });
    const url = started.devices[0]?.url ?? '';

    for (let attempt = 0; attempt < 10; attempt += 1) await ask(url, 'GET', PATH);
    await askDigest(url, USER, 'wrong', 'GET', PATH);
    await askDigest(url, USER, PASSWORD, 'GET', PATH);
    const wrongAgain = await askDigest(url, USER, 'wrong', 'GET', PATH);

    expect(tag(wrongAgain.text, 'retryLoginTime')).toBe('4');
    expect(tag(wrongAgain.text, 'lockStatus')).toBe('unlock');
  });

  it('does not tell whether a user exists', async () => {
    const started = await site({ auth: 'digest', password: PASSWORD });
    const url = started.devices[0]?.url ?? '';

    const known = await askDigest(url, USER, 'wrong', 'GET', PATH);
    const unknown = await askDigest(url, 'nobody', 'wrong', 'GET', PATH);

    expect(unknown.text).toBe(known.text);
    expect(unknown.http).toBe(known.http);
  });
});

describe('Basic sign-in and none', () => {
  it('takes the right password, counts the wrong one and does not take Digest', async () => {
    const started = await site({ auth: 'basic', password: 'a:b' });
    const url = started.devices[0]?.url ?? '';
    const basic = (text: string) =>
      ask(url, 'GET', PATH, undefined, { authorization: `Basic ${Buffer.from(text).toString('base64')}` });

    const asked = await ask(url, 'GET', PATH);
    const right = await basic('admin:a:b');
    const wrong = await basic('admin:a');
    const unreadable = await basic('admin');

    expect(asked.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
    expect([right.http, wrong.http, unreadable.http]).toEqual([200, 401, 400]);
    expect(tag(wrong.text, 'retryLoginTime')).toBe('4');
  });

  it('a device with Digest does not take Basic', async () => {
    const started = await site({ auth: 'digest', password: 'pw' });

    const reply = await ask(started, 'GET', PATH, undefined, {
      authorization: `Basic ${Buffer.from('admin:pw').toString('base64')}`,
    });

    expect(reply.http).toBe(401);
    expect(tag(reply.text, 'retryLoginTime')).toBe('5');
  });
});

const curl = await promisify(execFile)('curl', ['--version']).then(
  () => true,
  () => false,
);

describe.skipIf(!curl)('curl', () => {
  it.each(['digest', 'digest-sha256'] as const)('signs in with %s', async (auth) => {
    const started = await site({ auth, password: 'curl secret' });
    const url = started.devices[0]?.url ?? '';

    const { stdout } = await promisify(execFile)('curl', [
      '-s',
      '-S',
      '--digest',
      '-u',
      'admin:curl secret',
      '-w',
      '\n%{http_code}',
      `${url}${PATH}?type=all`,
    ]);

    expect(stdout.trimEnd().split('\n').at(-1)).toBe('200');
    expect(stdout).toContain('<SysCap>');
  });
});
