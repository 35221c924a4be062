import { describe, expect, it } from 'vitest';
import { ask, parsed, rawExchange, site, tag } from './helpers.ts';

const MODE = '/API/Thermal/channels/1/thermometryMode';
const HOST = '/API/AccessControl/AcsCfg?format=json';
const OPTIMIZATION = '/API/AccessControl/EventOptimizationCfg?format=json';

describe('status families', () => {
  it('refuses an unknown path in the family of its address', async () => {
    const started = await site({ kinds: ['thermal'] });

    const xml = await ask(started, 'GET', '/API/Nothing/here');
    const json = await ask(started, 'GET', '/API/Nothing/here?format=json');

    expect([xml.http, tag(xml.text, 'statusCode'), tag(xml.text, 'subStatusCode')]).toEqual([
      404,
      '4',
      'notSupport',
    ]);
    expect(xml.headers.get('content-type')).toContain('xml');
    expect([json.http, parsed(json)['statusCode'], parsed(json)['subStatusCode']]).toEqual([
      404,
      4,
      'notSupport',
    ]);
    expect(json.headers.get('content-type')).toContain('json');
  });

  it('answers an XML write with the four elements of ResponseStatus', async () => {
    const started = await site({ kinds: ['thermal'] });

    const reply = await ask(started, 'PUT', MODE, '<ThermometryMode><mode>expert</mode></ThermometryMode>');

    expect(reply.text).toMatch(/<ResponseStatus version="2\.0" /);
    expect(
      ['requestURL', 'statusCode', 'statusString', 'subStatusCode'].map((name) => tag(reply.text, name)),
    ).toEqual([MODE, '1', 'OK', 'ok']);
  });

  it('answers AcsCfg and EventOptimizationCfg writes with text codes and always an error code and message', async () => {
    const started = await site({ kinds: ['gate'] });

    const good = parsed(await ask(started, 'PUT', OPTIMIZATION, '{"EventOptimizationCfg":{"enable":true}}'));
    const bad = parsed(await ask(started, 'PUT', HOST, '{"AcsCfg":{"thermalUnit":"kelvin"}}'));

    expect([good['statusCode'], typeof good['errorCode'], typeof good['errorMsg']]).toEqual([
      '1',
      'number',
      'string',
    ]);
    expect([bad['statusCode'], typeof bad['errorCode'], typeof bad['errorMsg']]).toEqual([
      '6',
      'number',
      'string',
    ]);
  });

  it('answers other JSON writes with numbers, and an error only where there is one', async () => {
    const started = await site({ kinds: ['gate'] });
    const path = '/API/AccessControl/UserInfo/SetUp?format=json';

    const good = parsed(
      await ask(started, 'PUT', path, '{"UserInfo":{"employeeNo":"77","userType":"normal"}}'),
    );
    const bad = parsed(await ask(started, 'PUT', path, '{"UserInfo":{"employeeNo":"77"}}'));

    expect(good).toMatchObject({ statusCode: 1, statusString: 'ok', subStatusCode: 'ok' });
    expect(good).not.toHaveProperty('errorCode');
    expect(bad).toMatchObject({ statusCode: 6, errorMsg: expect.stringContaining('userType') as string });
  });

  it('tells which methods an address has', async () => {
    const started = await site({ kinds: ['thermal'] });

    const post = await ask(started, 'POST', MODE, '<ThermometryMode/>');
    const patch = await ask(started, 'PATCH', MODE);
    const options = await ask(started, 'OPTIONS', MODE);
    const head = await ask(started, 'HEAD', MODE);

    expect([
      post.http,
      tag(post.text, 'statusCode'),
      tag(post.text, 'subStatusCode'),
      post.headers.get('allow'),
    ]).toEqual([405, '4', 'methodNotAllowed', 'GET, HEAD, OPTIONS, PUT']);
    expect(patch.http).toBe(405);
    expect([options.http, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, PUT']);
    expect([head.http, head.text, Number(head.headers.get('content-length')) > 100]).toEqual([200, '', true]);
  });
});

describe('bodies', () => {
  it.each([
    ['truncated', '<ThermometryMode><mode>expert</mode>'],
    ['mismatched', '<ThermometryMode><mode>expert</ThermometryMode></mode>'],
    ['two roots', '<ThermometryMode><mode>expert</mode></ThermometryMode><x/>'],
    ['empty', ''],
    ['JSON', '{"mode":"expert"}'],
    ['a bare &', '<ThermometryMode><mode>a & b</mode></ThermometryMode>'],
    ['DOCTYPE', '<!DOCTYPE x [<!ENTITY a "aaa">]><ThermometryMode><mode>&a;</mode></ThermometryMode>'],
    ['an unknown entity', '<ThermometryMode><mode>&bomb;</mode></ThermometryMode>'],
    [
      'another encoding',
      '<?xml version="1.0" encoding="UTF-16"?><ThermometryMode><mode>expert</mode></ThermometryMode>',
    ],
    ['an attribute twice', '<ThermometryMode a="1" a="2"><mode>expert</mode></ThermometryMode>'],
    ['depth 10,000', '<a>'.repeat(10_000) + '</a>'.repeat(10_000)],
    ['60,000 elements', `<ThermometryMode>${'<a/>'.repeat(60_000)}</ThermometryMode>`],
  ])('refuses unreadable XML as 5: %s', async (_name, body) => {
    const started = await site({ kinds: ['thermal'] });

    const reply = await ask(started, 'PUT', MODE, body);

    expect([reply.http, tag(reply.text, 'statusCode'), tag(reply.text, 'subStatusCode')]).toEqual([
      400,
      '5',
      'badXmlFormat',
    ]);
  });

  it('refuses bytes that are not UTF-8 and JSON that is none as 5', async () => {
    const started = await site({ devices: 2, kinds: ['thermal', 'gate'] });
    const gate = started.devices[1]?.url ?? '';

    const xml = await ask(
      started,
      'PUT',
      MODE,
      new Uint8Array([0x3c, 0x61, 0x3e, 0xff, 0xfe, 0x3c, 0x2f, 0x61, 0x3e]),
    );
    const json = await ask(gate, 'PUT', '/API/AccessControl/UserInfo/SetUp?format=json', '{"UserInfo":');

    expect(tag(xml.text, 'statusCode')).toBe('5');
    expect(parsed(json)['statusCode']).toBe(5);
  });

  it.each([
    ['another root', '<Other><mode>expert</mode></Other>'],
    [
      'a required element missing',
      '<ThermometryMode><thermometryROIEnabled>true</thermometryROIEnabled></ThermometryMode>',
    ],
    ['a value that is no option', '<ThermometryMode><mode>turbo</mode></ThermometryMode>'],
    ['an option this device does not have', '<ThermometryMode><mode>AI</mode></ThermometryMode>'],
    ['elements instead of a value', '<ThermometryMode><mode><a/></mode></ThermometryMode>'],
    [
      'no truth value',
      '<ThermometryMode><mode>expert</mode><thermometryROIEnabled>yes</thermometryROIEnabled></ThermometryMode>',
    ],
  ])('refuses content as 6 and keeps what it had: %s', async (_name, body) => {
    const started = await site({ kinds: ['thermal'] });

    const reply = await ask(started, 'PUT', MODE, body);

    expect([reply.http, tag(reply.text, 'statusCode'), tag(reply.text, 'subStatusCode')]).toEqual([
      400,
      '6',
      'badXmlContent',
    ]);
    expect(tag((await ask(started, 'GET', MODE)).text, 'mode')).toBe('normal');
  });

  it('names the place of what it refuses and never repeats the value', async () => {
    const started = await site({ kinds: ['gate'] });

    const reply = await ask(
      started,
      'PUT',
      '/API/AccessControl/UserInfo/SetUp?format=json',
      '{"UserInfo":{"employeeNo":"1","userType":"normal","password":987654,"RightPlan":[{"doorNo":"x"}]}}',
    );

    expect(reply.text).toContain('password is not a text');
    expect(reply.text).not.toContain('987654');
  });

  it('returns exactly what was written, unknown elements, comments, spelling and line ends included', async () => {
    const started = await site({ devices: 2, kinds: ['thermal', 'gate'] });
    const gate = started.devices[1]?.url ?? '';
    const xml =
      '<?xml version="1.0"?>\r\n<!-- ours -->\r\n<ThermometryMode  xmlns="urn:x"  version=\'2.0\'>\r\n\t<b:vendor xmlns:b="urn:b" q="a&#65;">007</b:vendor><mode>expert</mode>\n<x/><x></x>\r\n</ThermometryMode>\r\n';
    const json =
      '{ "AcsCfg" : {"voicePrompt":true, "__proto__": {"polluted": 1},\r\n "odd": 1.50, "odd": "007" } }';

    await ask(started, 'PUT', MODE, xml);
    await ask(gate, 'PUT', HOST, json);

    expect((await ask(started, 'GET', MODE)).text).toBe(xml);
    expect((await ask(gate, 'GET', HOST)).text).toBe(json);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('takes a PUT of every document it gives out, byte for byte', async () => {
    const started = await site({ devices: 5 });
    const paths: readonly (readonly [device: number, path: string])[] = [
      [0, HOST],
      [0, OPTIMIZATION],
      [0, '/API/AccessControl/localController/localControllerID/1'],
      [1, MODE],
      [1, '/API/Thermal/channels/2/thermometry/basicParam'],
      [1, '/API/Event/schedules/thermometry/thermometry-1'],
      [1, '/API/Event/schedules/temperature/temperature-2'],
      [1, '/API/Event/triggers/thermometry-1/preset/7'],
      [2, '/API/Intelligent/channels/4/humanRecognition'],
      [2, '/API/Intelligent/channels/4/humanRecognition/regions'],
      [3, '/API/Intelligent/channels/1/Shield/peopleCounting'],
      [4, '/API/ContentMgmt/record/passback/basicCfg'],
      [4, '/API/ContentMgmt/record/passback/historyPlanCfg?StreamID=main&Channel=9'],
      [4, '/API/Event/schedules/storageDetections/storageDetections-32'],
      [4, '/API/Event/triggers/hdBadBlock'],
      [4, '/API/Event/triggers/severeHDFailure'],
    ];

    for (const [device, path] of paths) {
      const url = started.devices[device]?.url ?? '';
      const before = await ask(url, 'GET', path);
      const put = await ask(url, 'PUT', path, before.text);
      const after = await ask(url, 'GET', path);

      expect([path, before.http, put.http]).toEqual([path, 200, 200]);
      expect(after.text).toBe(before.text);
      expect(before.text).toMatch(/\r\n$/);
    }
  });

  it('does not accept more than 1 MiB', async () => {
    const started = await site({ kinds: ['thermal'] });
    const large = `<ThermometryMode><mode>expert</mode>${' '.repeat(1024 * 1024)}</ThermometryMode>`;

    const declared = await rawExchange(
      started.devices[0]?.url ?? '',
      `PUT ${MODE} HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n`,
    );
    const chunked = await rawExchange(
      started.devices[0]?.url ?? '',
      `PUT ${MODE} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`,
    );

    expect(declared).toMatch(/^HTTP\/1\.1 413 /);
    expect(declared).toContain('<statusCode>6</statusCode>');
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
    expect((await ask(started, 'GET', MODE)).http).toBe(200);
  });
});

describe('addresses', () => {
  it('has another first segment when told so, and nothing under /API then', async () => {
    const started = await site({ kinds: ['thermal'], prefix: '/device/v2' });

    const own = await ask(started, 'GET', '/device/v2/Thermal/channels/1/thermometryMode');
    const other = await ask(started, 'GET', MODE);

    expect([own.http, other.http]).toEqual([200, 404]);
  });

  it('writes the namespace it is given, or none', async () => {
    const named = await site({ kinds: ['thermal'], namespace: 'http://example.test/v2&3' });
    const bare = await site({ kinds: ['thermal'], namespace: '' });

    expect((await ask(named, 'GET', MODE)).text).toContain(
      '<ThermometryMode version="2.0" xmlns="http://example.test/v2&amp;3">',
    );
    expect((await ask(bare, 'GET', MODE)).text).toContain('<ThermometryMode version="2.0">');
  });

  it('decodes variables, keeps a slash inside one, and takes the query in any order', async () => {
    const started = await site({ devices: 2, kinds: ['recorder', 'ai'] });
    const ai = started.devices[1]?.url ?? '';
    const recorder = started.devices[0]?.url ?? '';
    const plan = '/API/ContentMgmt/record/passback/historyPlanCfg';
    const text = (await ask(recorder, 'GET', `${plan}?StreamID=a%2Fb%20%C3%A9&Channel=3`)).text.replace(
      'true',
      'false',
    );

    await ask(recorder, 'PUT', `${plan}?Channel=3&StreamID=a%2Fb%20%C3%A9`, text);
    const same = await ask(recorder, 'GET', `${plan}?Channel=3&StreamID=a%2Fb+%C3%A9`);
    const other = await ask(recorder, 'GET', `${plan}?Channel=4&StreamID=a%2Fb+%C3%A9`);
    const slash = await ask(
      ai,
      'GET',
      '/API/Intelligent/AIOpenPlatform/algorithmModel/progress/delivered%2Fsafety?format=json',
    );
    const unreadable = await ask(
      ai,
      'GET',
      '/API/Intelligent/AIOpenPlatform/algorithmModel/progress/%E0%A4%A?format=json',
    );

    expect(same.text).toBe(text);
    expect(other.text).not.toBe(text);
    expect(parsed(slash)['subStatusCode']).toBe('notExist');
    expect(unreadable.http).toBe(400);
  });

  it('exchanges JSON only where the path says so', async () => {
    const started = await site({ kinds: ['gate'] });

    const without = await ask(started, 'GET', '/API/AccessControl/AcsCfg');
    const needless = await ask(started, 'GET', '/API/AccessControl/GateStatus?format=json');

    expect([without.http, tag(without.text, 'subStatusCode')]).toEqual([404, 'notSupport']);
    expect([needless.http, parsed(needless)['subStatusCode']]).toEqual([404, 'notSupport']);
  });

  it.each(['0', '3', '01', '-1', '1.0', '1e0', 'x', '99999999999'])(
    'has no channel %s on a device with two',
    async (channel) => {
      const started = await site({ kinds: ['thermal'] });

      const reply = await ask(started, 'GET', `/API/Thermal/channels/${channel}/thermometryMode`);

      expect([reply.http, tag(reply.text, 'statusCode')]).toEqual([404, '4']);
    },
  );
});

describe('a server in the field', () => {
  it('survives what is not HTTP and goes on', async () => {
    const started = await site({ kinds: ['thermal'] });
    const url = started.devices[0]?.url ?? '';

    const garbage = await rawExchange(url, '\x16\x03\x01 hello\r\n\r\n');
    const header = await rawExchange(
      url,
      `GET ${MODE} HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`,
    );
    const relative = await rawExchange(url, 'GET x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');

    expect(garbage).toMatch(/^HTTP\/1\.1 400 /);
    expect(header).toMatch(/^HTTP\/1\.1 431 /);
    expect(relative).toMatch(/^HTTP\/1\.1 400 /);
    expect((await ask(started, 'GET', MODE)).http).toBe(200);
  });

  it('keeps a connection for several requests, bodies of refused ones included', async () => {
    const started = await site({ kinds: ['thermal'], auth: 'digest' });
    const body = '<ThermometryMode><mode>expert</mode></ThermometryMode>';
    const request = `PUT ${MODE} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

    const text = await rawExchange(
      started.devices[0]?.url ?? '',
      `${request}${request}GET ${MODE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );

    expect(text.match(/HTTP\/1\.1 401 /g)).toHaveLength(3);
  });
});
