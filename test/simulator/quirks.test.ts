/** Habits of devices in the field, each switched on by a fault. */
import { describe, expect, it } from 'vitest';
import { parseFault, type Site, type SiteOptions } from '#simulator/index.ts';
import { ask, challenge, digestHeader, parsed, site, tag, type Reply } from './helpers.ts';

const MODE = '/API/Thermal/channels/1/thermometryMode';
const EXPERT = '<ThermometryMode><mode>expert</mode></ThermometryMode>';
const ACCESS = '/API/AccessControl';
const PASSWORD = 'Pa55-word';

function signedSite(fault: string): Promise<Site> {
  return site({ kinds: ['thermal'], auth: 'digest', password: PASSWORD, faults: [fault] });
}

/** Signs with one nonce, used for the `use`-th time. */
async function ask401(
  url: string,
  nonceOf: Awaited<ReturnType<typeof challenge>>,
  { use = 1, path = MODE, method = 'GET' } = {},
): Promise<Reply> {
  return ask(url, method, path, method === 'PUT' ? EXPERT : undefined, {
    authorization: digestHeader(nonceOf, {
      user: 'admin',
      password: PASSWORD,
      method,
      uri: path,
      nc: String(use).padStart(8, '0'),
    }),
  });
}

async function modeOf(from: Site): Promise<string | undefined> {
  return tag((await ask(from, 'GET', MODE)).text, 'mode');
}

describe('not-activated', () => {
  it('answers 401 without a challenge, and that it was never activated', async () => {
    const started = await signedSite('not-activated');

    const reply = await ask(started, 'GET', MODE);

    expect([reply.http, reply.headers.get('www-authenticate'), tag(reply.text, 'isActivated')]).toEqual([
      401,
      null,
      'false',
    ]);
  });

  it('answers 403 with a status with how=status', async () => {
    const started = await signedSite('not-activated,how=status');

    const reply = await ask(started, 'GET', MODE);

    expect([reply.http, tag(reply.text, 'statusCode'), tag(reply.text, 'subStatusCode')]).toEqual([
      403,
      '4',
      'notActivated',
    ]);
  });
});

describe('forbidden', () => {
  it.each([
    ['a fresh challenge and the attempts that are left', '', true, 'retryLoginTime', '5'],
    ['a fresh challenge and a page', ',attempts=hidden', true, 'h1', 'Please sign in'],
    ['no challenge', ',how=bare', false, 'statusValue', '401'],
    ['a status that names the reason', ',how=low-privilege', true, 'subStatusCode', 'lowPrivilege'],
  ])(
    'answers 401 to its paths alone, with %s, and counts no attempt',
    async (_what, more, asksAgain, name, said) => {
      const started = await signedSite(`forbidden,path=/basicParam${more}`);
      const url = started.devices[0]?.url ?? '';
      const nonce = await challenge(url, MODE);

      const refused = await ask401(url, nonce, { path: '/API/Thermal/channels/1/thermometry/basicParam' });
      const allowed = await ask401(url, nonce, { use: 2 });
      const lock = await ask(started, 'GET', MODE);

      expect([refused.http, refused.headers.has('www-authenticate'), tag(refused.text, name)]).toEqual([
        401,
        asksAgain,
        said,
      ]);
      expect([allowed.http, tag(lock.text, 'retryLoginTime')]).toEqual([200, '5']);
    },
  );

  it('lasting: from the first one on everywhere, in the form that was asked for', async () => {
    const started = await signedSite('forbidden,path=/basicParam,how=bare,lasting=yes');
    const url = started.devices[0]?.url ?? '';
    const nonce = await challenge(url, MODE);

    const replies = [
      await ask401(url, nonce),
      await ask401(url, nonce, { use: 2, path: '/API/Thermal/channels/1/thermometry/basicParam' }),
      await ask401(url, nonce, { use: 3 }),
    ];

    expect(replies.map(({ http, text }) => [http, tag(text, 'statusValue')])).toEqual([
      [200, undefined],
      [401, '401'],
      [401, '401'],
    ]);
  });

  it('lets an account read that may not write', async () => {
    const started = await signedSite('forbidden,method=PUT');
    const url = started.devices[0]?.url ?? '';
    const nonce = await challenge(url, MODE);

    const [read, written] = [await ask401(url, nonce), await ask401(url, nonce, { use: 2, method: 'PUT' })];

    expect([read.http, written.http]).toEqual([200, 401]);
    expect(started.device(0).requests.at(-1)).toMatchObject({ applied: false, fault: 'forbidden' });
  });
});

describe('short-nonces', () => {
  it.each([1, 2, 3])('are good for %i uses, then asked again as stale', async (uses) => {
    const started = await signedSite(`short-nonces,uses=${uses}`);
    const url = started.devices[0]?.url ?? '';
    const nonce = await challenge(url, MODE);

    const replies: Reply[] = [];
    for (let use = 1; use <= uses + 1; use += 1) replies.push(await ask401(url, nonce, { use }));

    expect(replies.map(({ http }) => http)).toEqual([...Array<number>(uses).fill(200), 401]);
    expect(replies.at(-1)?.headers.get('www-authenticate')).toContain('stale=true');
    expect(tag(replies.at(-1)?.text ?? '', 'retryLoginTime')).toBe('5');
  });

  it('may say nothing of stale', async () => {
    const started = await signedSite('short-nonces,stale=no');
    const url = started.devices[0]?.url ?? '';
    const nonce = await challenge(url, MODE);
    await ask401(url, nonce);

    const again = await ask401(url, nonce, { use: 2 });

    expect([again.http, again.headers.get('www-authenticate')?.includes('stale')]).toEqual([401, false]);
  });

  it.each([
    ['shown', ['5', '5']],
    ['hidden', [undefined, undefined]],
    ['later', [undefined, '5']],
  ])('show how many attempts are left: %s', async (attempts, expected) => {
    const started = await signedSite(`short-nonces,stale=no,attempts=${attempts}`);
    const url = started.devices[0]?.url ?? '';
    const nonce = await challenge(url, MODE);
    await ask401(url, nonce);

    const [first, later] = [await ask(started, 'GET', MODE), await ask401(url, nonce, { use: 2 })];

    expect([first, later].map(({ text }) => tag(text, 'retryLoginTime'))).toEqual(expected);
  });
});

describe('refused', () => {
  it.each([
    ['', 403, '4', 'notSupport'],
    [',sub=employeeNoAlreadyExist', 400, '6', 'employeeNoAlreadyExist'],
  ])('names the reason it was given: "%s"', async (more, http, code, sub) => {
    const started = await site({ kinds: ['thermal'], faults: [`refused,path=type=all${more}`] });

    const full = await ask(started, 'GET', '/API/System/capabilities?type=all');
    const plain = await ask(started, 'GET', '/API/System/capabilities');

    expect([full.http, tag(full.text, 'statusCode'), tag(full.text, 'subStatusCode')]).toEqual([
      http,
      code,
      sub,
    ]);
    expect(plain.http).toBe(200);
  });

  it('may say no more than errorCode and errorMsg in JSON', async () => {
    const started = await site({
      kinds: ['gate'],
      faults: ['refused,how=error-only,sub=deviceUserAlreadyExist'],
    });

    const reply = await setUp(started, {});

    expect(reply).toEqual({ errorCode: expect.any(Number) as number, errorMsg: 'deviceUserAlreadyExist' });
  });
});

describe('a write and its answer', () => {
  it.each([
    ['no', 'normal', false],
    ['yes', 'expert', true],
  ])('html: an HTML page with 200, the write carried out: %s', async (done, mode, applied) => {
    const started = await site({ kinds: ['thermal'], faults: [`html,done=${done},method=PUT`] });

    const reply = await ask(started, 'PUT', MODE, EXPERT);

    expect([reply.http, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(started.device(0).requests[0]?.applied).toBe(applied);
    expect(await modeOf(started)).toBe(mode);
  });

  it.each([
    ['', 'expert'],
    [',done=no', 'normal'],
  ])('cut-status%s: the status breaks off before its code', async (more, mode) => {
    const started = await site({ kinds: ['thermal'], faults: [`cut-status${more}`] });

    const reply = await ask(started, 'PUT', MODE, EXPERT);

    expect([reply.http, reply.text.endsWith('<statusCode>')]).toEqual([200, true]);
    expect(await modeOf(started)).toBe(mode);
  });

  it('cut-status: in JSON too', async () => {
    const started = await site({ kinds: ['gate'], faults: ['cut-status'] });

    const reply = await ask(started, 'PUT', `${ACCESS}/AcsCfg?format=json`, '{"AcsCfg":{}}');

    expect(reply.text).toMatch(/"statusCode":\s*$/);
  });

  it('done-later: success is said, and it shows when the time has passed', async () => {
    const started = await site({ kinds: ['thermal'], faults: ['done-later,ms=5000'] });
    started.clock.freeze();

    const reply = await ask(started, 'PUT', MODE, EXPERT);
    const seen = [await modeOf(started)];
    started.clock.advance(4_999);
    seen.push(await modeOf(started));
    started.clock.advance(1);
    seen.push(await modeOf(started));

    expect(tag(reply.text, 'statusCode')).toBe('1');
    expect(seen).toEqual(['normal', 'normal', 'expert']);
  });

  it('done-later: or when so many requests have come', async () => {
    const started = await site({ kinds: ['thermal'], faults: ['done-later,requests=2'] });
    await ask(started, 'PUT', MODE, EXPERT);

    const seen = [await modeOf(started), await modeOf(started), await modeOf(started)];

    expect(seen).toEqual(['normal', 'normal', 'expert']);
  });

  it('busy: so often, then it is done', async () => {
    const started = await site({ kinds: ['thermal'], faults: ['busy,times=2,method=PUT'] });

    const codes = [];
    for (let attempt = 0; attempt < 3; attempt += 1)
      codes.push(tag((await ask(started, 'PUT', MODE, EXPERT)).text, 'statusCode'));

    expect(codes).toEqual(['2', '2', '1']);
  });
});

interface Finger {
  readonly cardReaderNo: number;
  readonly fingerPrintID: number;
  readonly fingerType: string;
  readonly leaderFP?: readonly number[];
}

async function gate(options: SiteOptions = {}): Promise<Site> {
  return site({ kinds: ['gate'], users: 0, ...options });
}

async function json(
  from: Site,
  method: string,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  return parsed(await ask(from, method, `${ACCESS}${path}?format=json`, JSON.stringify(body)));
}

async function enrol(from: Site, fingerPrintID: number, more: object = {}): Promise<unknown> {
  const { FingerPrintStatus } = await json(from, 'POST', '/FingerPrint/SetUp', {
    FingerPrintCfg: {
      employeeNo: '7',
      enableCardReader: [1],
      fingerPrintID,
      fingerType: 'normalFP',
      fingerData: Buffer.alloc(60, fingerPrintID).toString('base64'),
      ...more,
    },
  });
  return (FingerPrintStatus as { StatusList?: unknown }).StatusList;
}

async function fingersShown(from: Site, more: object = {}): Promise<readonly Finger[]> {
  const { FingerPrintInfo } = await json(from, 'POST', '/FingerPrintUpload', {
    FingerPrintCond: { searchID: 'a', employeeNo: '7', ...more },
  });
  return (FingerPrintInfo as { FingerPrintList?: readonly Finger[] }).FingerPrintList ?? [];
}

function setUp(from: Site, person: object): Promise<Record<string, unknown>> {
  return json(from, 'PUT', '/UserInfo/SetUp', {
    UserInfo: { employeeNo: '7', userType: 'normal', ...person },
  });
}

async function person(from: Site): Promise<Record<string, unknown> | undefined> {
  const { UserInfoSearch } = await json(from, 'POST', '/UserInfo/Search', {
    UserInfoSearchCond: {
      searchID: 'p',
      searchResultPosition: 0,
      maxResults: 10,
      EmployeeNoList: [{ employeeNo: '7' }],
    },
  });
  return (UserInfoSearch as { UserInfo?: readonly Record<string, unknown>[] }).UserInfo?.[0];
}

describe('fingerprints', () => {
  // Would catch: a duress finger that is kept as a normal one and passes for proved.
  it('keep and show their type and the doors of first authentication', async () => {
    const started = await gate();
    await enrol(started, 3, { fingerType: 'hijackFP', leaderFP: [1] });

    expect(await fingersShown(started)).toMatchObject([
      { fingerPrintID: 3, fingerType: 'hijackFP', leaderFP: [1] },
    ]);
  });

  it('of the same person under the same number are taken again, with their new type', async () => {
    const started = await gate();
    await enrol(started, 3);

    const again = await enrol(started, 3, { fingerType: 'patrolFP' });

    expect(again).toEqual([{ id: 1, cardReaderRecvStatus: 1 }]);
    expect((await fingersShown(started)).map(({ fingerType }) => fingerType)).toEqual(['patrolFP']);
  });

  it('own-finger-exists: or answered 5 with the own number, and nothing is changed', async () => {
    const started = await gate({ faults: ['own-finger-exists'] });
    await enrol(started, 3);

    const again = await enrol(started, 3, { fingerType: 'patrolFP' });

    expect(again).toEqual([{ id: 1, cardReaderRecvStatus: 5, errorMsg: '7' }]);
    expect((await fingersShown(started)).map(({ fingerType }) => fingerType)).toEqual(['normalFP']);
  });

  it('finger-plain: are kept as normal ones without doors, and success is said', async () => {
    const started = await gate({ faults: ['finger-plain'] });

    const said = await enrol(started, 3, { fingerType: 'hijackFP', leaderFP: [1] });

    expect(said).toEqual([{ id: 1, cardReaderRecvStatus: 1 }]);
    const [shown] = await fingersShown(started);
    expect([shown?.fingerType, shown?.leaderFP]).toEqual(['normalFP', undefined]);
  });

  it('one-finger: the first alone, unless a number is named', async () => {
    const started = await gate({ faults: ['one-finger'] });
    for (const id of [4, 1, 7]) await enrol(started, id);

    const numbers = [
      await fingersShown(started),
      await fingersShown(started),
      await fingersShown(started, { fingerPrintID: 7 }),
    ];

    expect(numbers.map((list) => list.map(({ fingerPrintID }) => fingerPrintID))).toEqual([[1], [1], [7]]);
  });

  it('one-finger,next=search: the next by the same search again, until there is none', async () => {
    const started = await gate({ faults: ['one-finger,next=search'] });
    for (const id of [4, 1]) await enrol(started, id);

    const numbers = [
      await fingersShown(started),
      await fingersShown(started),
      await fingersShown(started),
      await fingersShown(started, { searchID: 'b' }),
    ];

    expect(numbers.map((list) => list.map(({ fingerPrintID }) => fingerPrintID))).toEqual([
      [1],
      [4],
      [],
      [1],
    ]);
  });

  it.each([
    ['no fault', [], 1],
    ['fingers-leave', ['fingers-leave'], 0],
  ])('stay when their person is deleted; with %s', async (_what, faults, left) => {
    const started = await gate({ faults });
    await setUp(started, { name: 'Ann' });
    await enrol(started, 3);

    await setUp(started, { deleteUser: true });

    expect(await fingersShown(started)).toHaveLength(left);
  });
});

describe('people', () => {
  it('counts-hidden: come without the numbers of what is linked to them', async () => {
    const started = await gate({ faults: ['counts-hidden'] });
    await setUp(started, { name: 'Ann' });

    expect(Object.keys((await person(started)) ?? {})).toEqual(['employeeNo', 'userType', 'name']);
  });

  // Would catch: a client that leaves a PIN out and takes for granted what becomes of it.
  it('keep what SetUp leaves out', async () => {
    const started = await gate();
    await setUp(started, { name: 'Ann', password: '4711' });

    await setUp(started, { name: 'Anne' });

    expect(await person(started)).toMatchObject({ name: 'Anne', password: '4711' });
  });

  it('person-replaced: lose it', async () => {
    const started = await gate({ faults: ['person-replaced'] });
    await setUp(started, { name: 'Ann', password: '4711' });

    await setUp(started, { name: 'Anne' });

    expect(await person(started)).not.toHaveProperty('password');
  });

  it('pin-hidden: are shown without their PIN, which is kept', async () => {
    const started = await gate({ faults: ['pin-hidden'] });
    await setUp(started, { name: 'Ann', password: '4711' });

    const hidden = await person(started);
    started.device(0).clearFaults();

    expect(hidden).not.toHaveProperty('password');
    expect(await person(started)).toMatchObject({ password: '4711' });
  });
});

describe('rules between fields', () => {
  it('individual behavior allows one region (3:2.6)', async () => {
    const started = await site({ kinds: ['ai'] });
    const of = (most: number) =>
      `<HumanRecognition><id>1</id><analysisParam><analysisMode>individualBehavior</analysisMode><maxRegionNum>${most}</maxRegionNum></analysisParam></HumanRecognition>`;

    const replies = [
      await ask(started, 'PUT', '/API/Intelligent/channels/1/humanRecognition', of(1)),
      await ask(started, 'PUT', '/API/Intelligent/channels/1/humanRecognition', of(2)),
    ];

    expect(replies.map(({ text }) => tag(text, 'statusCode'))).toEqual(['1', '6']);
  });
});

describe('the command line', () => {
  it('writes what narrows a fault behind its kind', () => {
    expect(parseFault('forbidden:0.5,path=/Thermal/,method=PUT,how=bare')).toEqual({
      kind: 'forbidden',
      rate: 0.5,
      scope: { path: '/Thermal/', method: 'PUT', how: 'bare' },
    });
  });
});
