import { describe, expect, it } from 'vitest';
import type { Site, SiteOptions } from '#simulator/index.ts';
import { startSite as startStrictSite } from '../helpers/strict-site.ts';
import { findBody } from '#simulator/specification/bodies.ts';
import { checkXmlBody } from '#simulator/wire/check.ts';
import { readXml, type XmlNode } from '#simulator/wire/xml-reader.ts';
import { ask, site, tag, type Reply } from './helpers.ts';

const NAMESPACE = 'urn:a-device';
const XML = { 'content-type': 'application/xml; charset="UTF-8"' };
const JSON_BODY = { 'content-type': 'application/json' };
const MODE = '/API/Thermal/channels/1/thermometryMode';
const BASIC = '/API/Thermal/channels/1/thermometry/basicParam';
const TOKEN = '/API/System/Token/secretKey';
const HOST = '/API/AccessControl/AcsCfg?format=json';
const SET_UP = '/API/AccessControl/UserInfo/SetUp?format=json';

function strictSite(options: SiteOptions = {}): Promise<Site> {
  return site({ strict: true, namespace: NAMESPACE, kinds: ['thermal'], ...options });
}

function document(root: string, inner: string, attributes = `version="2.0" xmlns="${NAMESPACE}"`): string {
  return `<${root} ${attributes}>${inner}</${root}>`;
}

function read(text: string): XmlNode {
  const reading = readXml(text);
  if (!reading.ok) throw new TypeError(reading.detail);
  return reading.root;
}

function put(
  started: Site,
  path: string,
  body: string,
  headers: Record<string, string> = XML,
): Promise<Reply> {
  return ask(started, 'PUT', path, body, headers);
}

function refusalOf({ http, text }: Reply): readonly (string | number | undefined)[] {
  if (text.startsWith('{')) {
    const { statusCode, subStatusCode } = JSON.parse(text) as Record<string, string | number>;
    return [http, Number(statusCode), subStatusCode];
  }
  return [http, Number(tag(text, 'statusCode')), tag(text, 'subStatusCode')];
}

const TAKEN = [200, 1, 'ok'];

describe('a strict site', () => {
  it('takes a document that the specification allows, and notes no violation', async () => {
    const started = await strictSite();

    const reply = await put(started, MODE, document('ThermometryMode', '<mode>expert</mode>'));

    expect(refusalOf(reply)).toEqual(TAKEN);
    expect(started.violations).toEqual([]);
  });

  // Each would catch a client that writes what only a lenient device takes.
  it.each<[what: string, body: string, sub: string]>([
    [
      'another namespace',
      document('ThermometryMode', '<mode>expert</mode>', 'version="2.0" xmlns="urn:other"'),
      'namespaceMismatch',
    ],
    [
      'no namespace',
      document('ThermometryMode', '<mode>expert</mode>', 'version="2.0"'),
      'namespaceMismatch',
    ],
    [
      'another version',
      document('ThermometryMode', '<mode>expert</mode>', `version="1.0" xmlns="${NAMESPACE}"`),
      'versionMismatch',
    ],
    [
      'no version',
      document('ThermometryMode', '<mode>expert</mode>', `xmlns="${NAMESPACE}"`),
      'versionMismatch',
    ],
    [
      'elements out of order',
      document('ThermometryMode', '<thermometryROIEnabled>true</thermometryROIEnabled><mode>expert</mode>'),
      'elementOrder',
    ],
    [
      'an element nobody lists',
      document('ThermometryMode', '<mode>expert</mode><colour>red</colour>'),
      'unknownElement',
    ],
    [
      'an element twice',
      document('ThermometryMode', '<mode>expert</mode><mode>normal</mode>'),
      'duplicateElement',
    ],
    [
      'an attribute nobody lists',
      document('ThermometryMode', '<mode opt="normal,expert">expert</mode>'),
      'unknownAttribute',
    ],
    ['a value that is none', document('ThermometryMode', '<mode>sideways</mode>'), 'badXmlContent'],
    ['another root', document('ThermometryModes', '<mode>expert</mode>'), 'badXmlContent'],
  ])('refuses %s with 6, says which, and notes it', async (_what, body, sub) => {
    const started = await strictSite();

    const reply = await put(started, MODE, body);

    expect(refusalOf(reply)).toEqual([400, 6, sub]);
    expect(started.violations).toEqual([
      {
        device: started.devices[0]?.name,
        method: 'PUT',
        path: MODE,
        violation: expect.stringMatching(`^${sub}: `) as string,
      },
    ]);
  });

  it.each([
    ['none', {}],
    ['plain text', { 'content-type': 'text/plain' }],
    ['JSON', JSON_BODY],
    ['another character set', { 'content-type': 'application/xml; charset=iso-8859-1' }],
  ])('refuses the content type of an XML body: %s', async (_what, headers) => {
    const started = await strictSite();

    const reply = await put(started, MODE, document('ThermometryMode', '<mode>expert</mode>'), {
      'content-type': '',
      ...headers,
    });

    expect(refusalOf(reply)).toEqual([400, 5, 'contentType']);
  });

  it('refuses XML where JSON is spoken, in the family of the address', async () => {
    const started = await strictSite({ kinds: ['gate'] });

    const reply = await put(started, HOST, '{"AcsCfg":{}}', XML);

    expect(refusalOf(reply)).toEqual([400, 5, 'contentType']);
    expect(JSON.parse(reply.text)).toMatchObject({ statusCode: '5', errorMsg: expect.any(String) as string });
  });

  it('refuses a body where the operation has none', async () => {
    const started = await strictSite({ kinds: ['counter'] });

    const reply = await put(started, '/API/System/Video/inputs/channels/1/counting/resetCount', '<x/>');

    expect(refusalOf(reply)).toEqual([400, 6, 'unexpectedBody']);
  });

  it('refuses an address that it does not have before what is sent to it', async () => {
    const started = await strictSite();

    const reply = await put(
      started,
      MODE.replace('channels/1', 'channels/99'),
      '<ThermometryMode><mode>expert</mode></ThermometryMode>',
    );

    expect(refusalOf(reply)).toEqual([404, 4, 'notExist']);
    expect(started.violations).toEqual([]);
  });

  it('expects version 1.0 of the shield alone (3:9)', async () => {
    const started = await strictSite({ kinds: ['counter'] });
    const shield = '/API/Intelligent/channels/1/Shield/peopleCounting';
    const of = (version: string) =>
      document('Shield', '<enabled>false</enabled>', `version="${version}" xmlns="${NAMESPACE}"`);

    const [one, two] = [await put(started, shield, of('1.0')), await put(started, shield, of('2.0'))];

    expect([refusalOf(one), refusalOf(two)]).toEqual([TAKEN, [400, 6, 'versionMismatch']]);
  });

  // Would catch: writes that have no document to read first and go out without the device's namespace.
  it('judges what has no document of its own by the namespace the device shows elsewhere', async () => {
    const started = await strictSite();
    const off = '<tokenAuthenticateEnable>false</tokenAuthenticateEnable>';

    const bare = await ask(
      started,
      'POST',
      TOKEN,
      `<TokenSecretKey version="2.0">${off}</TokenSecretKey>`,
      XML,
    );
    const right = await ask(started, 'POST', TOKEN, document('TokenSecretKey', off), XML);

    expect([refusalOf(bare), refusalOf(right)]).toEqual([[400, 6, 'namespaceMismatch'], TAKEN]);
  });

  it('wants no namespace where the device shows none', async () => {
    const started = await strictSite({ namespace: '' });

    const bare = await put(
      started,
      MODE,
      document('ThermometryMode', '<mode>expert</mode>', 'version="2.0"'),
    );
    const named = await put(started, MODE, document('ThermometryMode', '<mode>normal</mode>'));

    expect([refusalOf(bare), refusalOf(named)]).toEqual([TAKEN, [400, 6, 'namespaceMismatch']]);
  });

  it('takes a prefix that stands for its namespace', async () => {
    const started = await strictSite();

    const reply = await put(
      started,
      MODE,
      `<d:ThermometryMode version="2.0" xmlns:d="${NAMESPACE}"><d:mode>expert</d:mode></d:ThermometryMode>`,
    );

    expect(refusalOf(reply)).toEqual(TAKEN);
  });

  // Would catch: a strict site that breaks the lossless round trip it is there to prove.
  it.each(['thermal', 'gate', 'ai', 'counter', 'recorder'] as const)(
    'takes back every document that a %s shows',
    async (kind) => {
      const started = await strictSite({ kinds: [kind] });
      const paths = [
        MODE,
        BASIC,
        HOST,
        '/API/AccessControl/EventOptimizationCfg?format=json',
        '/API/AccessControl/localController/localControllerID/1',
        '/API/Intelligent/channels/1/Shield/peopleCounting',
        '/API/Event/schedules/storageDetections/storageDetections-1',
        '/API/Event/schedules/thermometry/thermometry-1',
        '/API/Event/schedules/temperature/temperature-1',
        '/API/Event/triggers/hdBadBlock',
        '/API/Event/triggers/severeHDFailure',
        '/API/Event/triggers/thermometry-1/preset/1',
        '/API/ContentMgmt/record/passback/basicCfg',
        '/API/ContentMgmt/record/passback/historyPlanCfg?StreamID=main&Channel=1',
        '/API/Intelligent/channels/1/humanRecognition',
        '/API/Intelligent/channels/1/humanRecognition/regions',
      ];

      const outcomes: (readonly unknown[])[] = [];
      for (const path of paths) {
        const shown = await ask(started, 'GET', path);
        if (shown.http !== 200) continue;
        outcomes.push([
          path,
          ...refusalOf(await put(started, path, shown.text, path.includes('json') ? JSON_BODY : XML)),
        ]);
      }

      expect(outcomes.length).toBeGreaterThan(0);
      expect(outcomes).toEqual(outcomes.map(([path]) => [path, ...TAKEN]));
      expect(started.violations).toEqual([]);
    },
  );

  it('takes back a name that it shows itself, at its own place alone', async () => {
    const started = await strictSite({ kinds: ['gate'] });
    const one = '/API/AccessControl/localController/localControllerID/1';
    const { text } = await ask(started, 'GET', one);

    const own = await put(started, one, text);
    const other = await put(
      started,
      '/API/AccessControl/localController/addDevice',
      text.replace('<localControllerID>1<', '<localControllerID>2<'),
    );

    expect(text).toContain('<serialNumber>');
    expect([refusalOf(own), refusalOf(other)]).toEqual([TAKEN, [400, 6, 'unknownElement']]);
  });

  // Would catch: a strict site that refuses the order in which the device itself writes.
  it.each([
    ['as the device shows it', '<mode>expert</mode>', undefined],
    ['as nobody shows it', '', 'elementOrder'],
  ])('takes elements out of order %s', (_what, heldMode, expected) => {
    const held = read(
      document('ThermometryMode', `<thermometryROIEnabled>true</thermometryROIEnabled>${heldMode}`),
    );
    const sent = read(
      document('ThermometryMode', '<thermometryROIEnabled>true</thermometryROIEnabled><mode>normal</mode>'),
    );

    const wrong = checkXmlBody(findBody('thermometryMode'), sent, { namespace: NAMESPACE, held: [held] });

    expect(wrong?.name).toBe(expected);
  });

  it('refuses names nobody lists in JSON, beside the root and inside it', async () => {
    const started = await strictSite({ kinds: ['gate'] });

    const inside = await put(started, HOST, '{"AcsCfg":{"voicePromt":true}}', JSON_BODY);
    const beside = await put(started, HOST, '{"AcsCfg":{},"more":1}', JSON_BODY);

    expect([refusalOf(inside), refusalOf(beside)]).toEqual([
      [400, 6, 'unknownElement'],
      [400, 6, 'unknownElement'],
    ]);
  });

  it('refuses what a person only returns, unless the device shows it of them', async () => {
    const started = await strictSite({ kinds: ['gate'] });
    const person = { employeeNo: '77', userType: 'normal' };

    const counted = await put(
      started,
      SET_UP,
      JSON.stringify({ UserInfo: { ...person, numOfFP: 2 } }),
      JSON_BODY,
    );
    const shown = await put(
      started,
      SET_UP,
      JSON.stringify({ UserInfo: { ...person, badgePrinted: true } }),
      JSON_BODY,
    );

    expect([refusalOf(counted), refusalOf(shown)]).toEqual([[400, 6, 'readOnlyElement'], TAKEN]);
  });

  it('does not judge a body that the specification does not show', async () => {
    const started = await strictSite({ kinds: ['gate'] });

    const reply = await put(
      started,
      '/API/AccessControl/localController/control/localControllerID/1',
      '<LocalControllerControl><commandType>reboot</commandType></LocalControllerControl>',
      {},
    );

    expect(refusalOf(reply)).toEqual(TAKEN);
  });

  it('refuses an element of another namespace inside a right document', async () => {
    const started = await strictSite();

    const reply = await put(
      started,
      MODE,
      document('ThermometryMode', '<v:mode xmlns:v="urn:v">expert</v:mode>'),
    );

    expect(refusalOf(reply)).toEqual([400, 6, 'namespaceMismatch']);
  });

  it('refuses an XML element that devices return and nobody writes (3:2.2)', async () => {
    const started = await strictSite();

    const reply = await put(
      started,
      '/API/Smart/storageDetection/unlock',
      document('UnLock', '<passwd>12</passwd><SDCardUnlockTime>3</SDCardUnlockTime>'),
    );

    expect(refusalOf(reply)).toEqual([400, 6, 'readOnlyElement']);
  });

  it('takes back what the list of tasks shows of a task (1:2.8)', async () => {
    const started = await strictSite({ kinds: ['ai'] });
    const tasks = '/API/Intelligent/AIOpenPlatform/picturePollingAnalysisTask';
    const task = { pollingTime: 5, channel: [1] };
    await ask(
      started,
      'POST',
      `${tasks}?format=json`,
      JSON.stringify({ taskID: 't', engine: 1, ...task }),
      JSON_BODY,
    );

    const strange = await put(
      started,
      `${tasks}/t?format=json`,
      JSON.stringify({ ...task, colour: 1 }),
      JSON_BODY,
    );
    const kept = await put(started, `${tasks}/t?format=json`, JSON.stringify(task), JSON_BODY);

    expect([refusalOf(strange), refusalOf(kept)]).toEqual([[400, 6, 'unknownElement'], TAKEN]);
  });

  it('can be made to hold what a maker adds, and takes it back', async () => {
    const started = await strictSite();
    const own = document(
      'ThermometryMode',
      '<v:extra xmlns:v="urn:v">1</v:extra><thermometryROIEnabled>true</thermometryROIEnabled><mode>expert</mode>',
    );
    await started.device(0).hold(MODE, own);

    const shown = await ask(started, 'GET', MODE);
    const back = await put(started, MODE, shown.text.replace('expert', 'normal'));

    expect(shown.text).toBe(own);
    expect(refusalOf(back)).toEqual(TAKEN);
    await expect(started.device(0).hold(MODE, '<x/>')).rejects.toThrow(/badXmlContent/);
  });
});

describe('the site of the other tests', () => {
  it('is strict, and its close fails where the specification was broken', async () => {
    const started = await startStrictSite({ kinds: ['thermal'], auth: 'none' });
    await put(started, MODE, '<ThermometryMode><mode>expert</mode></ThermometryMode>');

    await expect(started.close()).rejects.toThrow(/does not allow 1 of .*\n.*namespaceMismatch/);
  });
});

describe('a site that is not strict', () => {
  it('takes what is merely unusual', async () => {
    const started = await site({ kinds: ['thermal'] });

    const reply = await ask(
      started,
      'PUT',
      MODE,
      '<ThermometryMode><colour>red</colour><mode>expert</mode></ThermometryMode>',
    );

    expect(refusalOf(reply)).toEqual(TAKEN);
    expect(started.violations).toEqual([]);
  });
});
