import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findOperation,
  isSensitivePath,
  operations,
  findMaskPath,
  redactBody,
  redactPlain,
  redactProse,
  redactValue,
  listSecrets,
  maskPlainSecrets,
  type Payload,
} from '#protocol/index.ts';
import { listFieldsBelow, rootField } from '#protocol/fields/field-at.ts';
import { redactUnlisted } from '#protocol/redact/index.ts';
import { isSecretHolder, isSecretName } from '#protocol/redact/names.ts';
import { isInterfaceWord } from '#protocol/redact/words.ts';
import { MASK } from '#shared/exchange.ts';
import { growth } from '../helpers/growth.ts';
import { bare, int, json, list, object, text, xml } from './words.ts';

function payload(id: string, side: 'request' | 'response'): Payload {
  const found = findOperation(id)?.[side];
  if (found === undefined) throw new Error(`${id} has no ${side}.`);
  return found;
}
const lock = payload('storage.rwLock.put', 'request');
const unlock = payload('storage.unlock.put', 'request');
const prints = payload('accessControl.fingerprints.query', 'response');

// First, for what is gathered from the definitions is gathered once. Would catch: a field that one model lists under
// another, undescribed part of an answer, and that is shown there.
it('every name that a definition calls secret is secret everywhere, and no other', () => {
  const sensitive = operations.flatMap(({ request, response }) =>
    [request, response].flatMap((payload) =>
      payload === undefined
        ? []
        : listFieldsBelow(rootField(payload)).filter(({ field }) => field.sensitive === true),
    ),
  );
  const names = new Set(sensitive.map(({ field }) => field.name));

  expect([...names].filter((name) => !isSecretHolder(name))).toEqual(['URL']);
  expect(names.size).toBeGreaterThan(5);
  expect(['PASSWD', 'enabled', 'mode', 'name'].map(isSecretName)).toEqual([true, false, false, false]);
});

describe('bodies that a definition describes', () => {
  it('lose what it marks sensitive, and nothing else (else: a card password on the screen, or a changed document)', () => {
    const text =
      '<?xml version="1.0" ?>\r\n<RWLock version="2.0"  xmlns="urn:x">\r\n  <enabled>true</enabled><passwd min="1">a&amp;b</passwd>\r\n<extra a=\'1\'/></RWLock>\r\n';
    const found = new Set<string>();

    const shown = redactBody(text, { payload: lock, found });

    expect(shown).toBe(text.replace('a&amp;b', MASK));
    expect([...found]).toEqual(['a&b']);
  });

  it('lose fingerprints under their root (else: biometric data in a copied answer)', () => {
    const text = `{"${prints.root}": {"status":"OK", "FingerPrintList": [{"cardReaderNo": 1, "fingerData" : "MzAx\\u0041=="}, {"fingerData":"QUJD"}]}}`;

    expect(redactBody(text, { payload: prints })).toBe(
      text.replace('"MzAx\\u0041=="', `"${MASK}"`).replace('"QUJD"', `"${MASK}"`),
    );
  });

  it("lose members the definition does not know by their names (else: a device's own field leaks)", () => {
    const text = '{"UserInfoSearch":{"UserInfo":[{"employeeNo":"1","name":"Ann","webPassword":"x1y2"}]}}';

    expect(redactBody(text, { payload: payload('accessControl.users.search', 'response') })).toBe(
      text.replace('x1y2', MASK),
    );
  });

  it('are not shown at all where they hold secrets and cannot be read', () => {
    expect(redactBody('{"fingerData": "abcd', { payload: prints, sensitive: true })).not.toContain('abcd');
    expect(redactBody('<a><b>abcd</a>', { sensitive: true })).not.toContain('abcd');
  });

  it('mask values and say which texts of a request are secret', () => {
    expect(redactValue(unlock, { passwd: 'open' })).toMatchObject({ passwd: MASK });
    expect(redactValue(undefined, { at: ['rtsp://a:b@h/1', 5, true, null] })).toEqual({
      at: [`rtsp://${MASK}@h/1`, 5, true, null],
    });
    expect(listSecrets(unlock, { passwd: 'open' })).toEqual(['open']);
    expect(isSensitivePath(unlock, 'passwd')).toBe(true);
    expect(isSensitivePath(prints, 'FingerPrintList[].fingerData')).toBe(true);
    expect(isSensitivePath(unlock, 'SDCardUnlockTime')).toBe(false);
  });
});

/**
 * Returns the text without its marks, and as it may be shown: `«»` around a secret, `‹›` around one that gets
 * quotes.
 */
function marked(text: string): readonly [given: string, shown: string] {
  return [
    text.replace(/[«»‹›]/g, ''),
    text.replace(/«[^»]*»/g, MASK).replace(/‹[^›]*›/g, JSON.stringify(MASK)),
  ];
}

describe('what a definition says of names that tell nothing', () => {
  const fields = [
    text('userName', 'Shown here'),
    text('plate', 'Plate', { sensitive: true }),
    list('Plates', 'Plates', text('no', 'No', { sensitive: true })),
    bare('Tags', 'Tags', text('tag', 'Tag', { sensitive: true })),
    list('Rows', 'Rows', object('Row', 'Row', [text('plate', 'Plate', { sensitive: true }), text('a', 'A')])),
    object('Owner', 'Owner', [text('first', 'First')], { sensitive: true }),
  ];

  it.each([
    '<Root><userName>bob</userName><plate>«AB1»</plate><a>b</a><password>«hunter2»</password></Root>',
    '<Root><Plates><no>«AB1»</no><no>«AB2»</no><a>b</a><password>«hunter2»</password></Plates></Root>',
    '<v:Root xmlns:v="u"><v:tag>«AB1»</v:tag><v:tag>«AB2»</v:tag></v:Root>',
    '<Root><Rows><Row><plate>«AB1»</plate><a>b</a></Row></Rows><a><no>c</no></a></Root>',
    '<Root><Owner min="1" size="2" xmlns:v="u" v:by="«Ann»">\r\n  <first v:at="«x»">«Bo»</first>«<!-- Cy -->»</Owner></Root>',
    '<Root><Owner>«Ann»<first>«Bo»</first>\r\n</Owner></Root>',
    '{"Root": {"userName": "bob", "plate": "«AB1»", "a": "b", "password": "«hunter2»"}}',
    '{"Root": {"Plates": ["«AB1»", "«AB2»", ‹3›]}}',
    '{"Root": {"Rows": [{"plate": ‹12›, "a": "\\u0041"}], "a": {"no": "b"}}}',
    '{"Root": {"Owner": {"first": "«Bo»", "last": "«X»", "@min": 1, "@max": 2, "@size": 3, "@opt": "«a,b»"}}}',
    '{"v": "plate", "Root": {"plate": "«AB1»"}}',
    // A device that leaves out the root, as some do.
    '{"plate": "«AB1»", "userName": "bob"}',
  ])('counts: %s', (text) => {
    const [given, shown] = marked(text);

    for (const payload of [xml('Root', '1:1', fields), json('Root', '1:1', fields)])
      expect(redactBody(given, { payload })).toBe(shown);
  });

  it('counts for the payload alone: under another root names decide', () => {
    const payload = xml('Root', '1:1', fields);

    expect(redactBody('<Other><plate>AB1</plate><userName>bob</userName></Other>', { payload })).toBe(
      `<Other><plate>AB1</plate><userName>${MASK}</userName></Other>`,
    );
    expect(redactBody('<password>hunter2</password>', { payload })).toBe(`<password>${MASK}</password>`);
    expect(
      redactBody('<password>plain here</password>', { payload: xml('password', '1:1', fields) }),
    ).toContain('plain here');
  });

  it('finds in a value what has to be masked elsewhere too, each once', () => {
    const payload = json('Root', '1:1', [...fields, int('pin', 'Pin', { sensitive: true })]);
    const value = { plate: 'AB1', Plates: ['AB1', '', null, true, 'AB2'], pin: 1234, userName: 'bob' };
    const found = new Set<string>();

    expect(listSecrets(payload, value)).toEqual(['AB1', 'AB2', '1234']);
    redactBody(JSON.stringify({ Root: value }), { payload, found });
    expect([...found].toSorted()).toEqual(['1234', 'AB1', 'AB2']);
  });

  it('of a member beside it: what is around it, its name and what it holds decide', () => {
    const payload = json('Root', '1:1', fields);
    const shown = (path: string, value: unknown) => redactUnlisted(payload, { path, value });

    expect(shown('Owner.last', 'Ann')).toEqual({ path: 'Owner.last', value: MASK });
    expect(shown('Ext.webPassword', 'hunter2')).toEqual({ path: 'Ext.webPassword', value: MASK });
    expect(shown('Ext', [{ a: 1, key: 'hunter2' }])).toEqual({ path: 'Ext', value: [{ a: 1, key: MASK }] });
    expect(redactUnlisted(undefined, { path: 'plate', value: 'AB1' }).value).toBe('AB1');
    expect(redactUnlisted(undefined, { path: 'pwd', value: 'AB1' }).value).toBe(MASK);
    expect(shown('Ext', 1n).value).toBe(MASK);
    expect(
      ['Owner.last', 'userName', 'Ext.userName', 'Ext.a'].map((path) => isSensitivePath(payload, path)),
    ).toEqual([true, false, true, false]);
  });
});

describe('bodies that nothing describes', () => {
  it.each([
    '<a><password>«hunter2»</password><userName>«bob»</userName><passwordLen>8</passwordLen></a>',
    '<x:A xmlns:x="u"><x:originalPasswd>«<![CDATA[hunter2]]>»</x:originalPasswd></x:A>',
    '<a key="«hunter2»" x:key=\'«hunter2»\' b="rtsp://«u:p»@h"><!-- password=«"hunter3"» --><b>rtsp://«u:hunter4»@h/1</b></a>',
    '<?p token=«abc» ?><!-- token=«abc» --><a>user: bob<![CDATA[user: bob]]></a><!-- <key>«abc»</key> -->',
    '<a><key><part>«hunter2»</part></key><key>«hunter3<!-- a -->»</key></a>',
    '<a><webPassword>«hunter2»<b>«c»</b></webPassword><webPassword>\n<b>c</b></webPassword></a>',
    '<a><password>true</password><password/><password> </password><key/></a>',
    '{"a":{"Key":"«hunter2»","list":[{"dynamicCode":‹1234567›}]},"key":{"inner":"«hunter3»"}}',
    '{"a":"\\u0041","password":["«hunter2»",null,"",true,‹5›],"key":null}',
    '{"url":"http://«u:hunter2»@h/x?token=«hunter3»&a=1","link":"play?token=«abc»"}',
    '{"password":‹"hunter2›',
    '{"password":"«hun\\"ter2»","x":1}',
    '<a><password>«hunter2»',
    '<a><password><![CDATA[«hunter2»]]></password>',
    '<html><body>user=«bob»&password=«hunter2»</body></html>',
    'password: «hunter2»\nfine',
    '',
    ' \r\n',
  ])('%s', (text) => {
    const [given, shown] = marked(text);

    expect(redactBody(given)).toBe(shown);
  });

  it('stay empty where they hold secrets and are empty', () => {
    expect(redactBody('<a><password><!-- hunter2 --></password></a>')).toBe('<a><password></password></a>');
    expect(redactBody(' \r\n', { sensitive: true })).toBe(' \r\n');
    expect(redactBody('abcd', { sensitive: true })).toBe(`[4: ${MASK}]`);
  });

  it('keep what is about a secret without being one', () => {
    const text =
      '<Cap><isSupportTokenKey>true</isSupportTokenKey><passwordLen>8</passwordLen><keyInfo><type>AES</type></keyInfo><password/></Cap>';

    expect(redactBody(text)).toBe(text);
    expect(redactBody('{"TokenSecretKey":{"enabled":true,"algorithm":"AES","key":"hunter2"}}')).toBe(
      `{"TokenSecretKey":{"enabled":true,"algorithm":"AES","key":"${MASK}"}}`,
    );
    expect(redactBody('<TokenSecretKey><algorithm>AES</algorithm><key>hunter2</key></TokenSecretKey>')).toBe(
      `<TokenSecretKey><algorithm>AES</algorithm><key>${MASK}</key></TokenSecretKey>`,
    );
    expect([
      isSecretName('maxPasswordLen'),
      isSecretName('fingerData'),
      isSecretName('issueToken'),
      isSecretName('keyword'),
    ]).toEqual([false, true, true, false]);
  });

  it('stay as they are without secrets, and never fail (else: the console dies of a hostile answer)', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.json(),
          fc.string().map((text) => `<a>${text}`),
        ),
        (text) => {
          redactBody(text);
        },
      ),
    );
    expect(redactBody('{"a": 1.50, "a": 2}\r\n')).toBe('{"a": 1.50, "a": 2}\r\n');
  });

  it.each(['a://b:c', '<a ', '"a":"', 'a=', 'password=', '://@', '<password>', '"password":"\\'])(
    'made of %s are masked in time that grows with their length (else: four hostile megabytes stop the app)',
    (part) => {
      expect(growth((size) => redactPlain(part.repeat(size / part.length)), 500_000)).toBeLessThan(3);
    },
  );
});

describe('addresses', () => {
  it.each([
    ['rtsp://admin:p@ss@10.0.0.1:554/1', `rtsp://${MASK}@10.0.0.1:554/1`],
    ['http://admin:pa/ss@10.0.0.1/x', `http://${MASK}@10.0.0.1/x`],
    ['http://10.0.0.1:80/users/a@b.c', 'http://10.0.0.1:80/users/a@b.c'],
    ['http://h/x?format=json&access_token=abc&b=1', `http://h/x?format=json&access_token=${MASK}&b=1`],
    ['mail a@b.c', 'mail a@b.c'],
  ])('%s', (given, shown) => expect(maskPlainSecrets(given)).toBe(shown));
});

it('a mask is found wherever it stands (else: it is written to the device as a password)', () => {
  expect(findMaskPath([{ a: 'x', password: MASK }])).toBe('[0].password');
  expect(findMaskPath({ a: { b: `http://${MASK}@h` } })).toBe('a.b');
  expect(findMaskPath({ a: 1, b: null })).toBeUndefined();
});

// Would catch: an answer garbled because the password is one of the words that every document holds.
it('words of the interface are names, their parts, parameters, options and the usual accounts', () => {
  const words = ['fingerData', 'Finger', 'FingerPrintList', 'ThermometryMode', 'channelID', 'Admin'];
  const options = ['degreeFahrenheit', 'FAHRENHEIT', 'centigrade'];
  const others = ['hunter2', 'fingerprints9', 'ahrenhei', 'undefined', '[object object]'];

  expect([...words, ...options].filter((word) => !isInterfaceWord(word))).toEqual([]);
  expect(others.filter(isInterfaceWord)).toEqual([]);
});

describe('sentences', () => {
  const sign = Buffer.from('admin:Tr1cky pass').toString('base64');

  // Would catch: a secret that a person or a device wrote into a sentence, carried to the support.
  it.each([
    ['The password is hunter2.', 'hunter2'],
    ['old password was "open sesame" until today', 'open sesame'],
    ['Password set to: swordfish', 'swordfish'],
    ['Refused: PIN 4711 is taken', '4711'],
    ['pin=4711&door=2', '4711'],
    ['use pin code 0815 at door 3', '0815'],
    ['GET /x?user=bob&token=abcdef12 HTTP/1.1', 'abcdef12'],
    ['GET /x?door=2&amp;apiKey=k-99 HTTP/1.1', 'k-99'],
    [`Authorization: Basic ${sign}`, sign],
    [`sent Basic ${sign} twice`, sign],
    [`login ${sign} failed`, sign],
    ['login YWRtaW46cHcxMg== failed', 'YWRtaW46cHcxMg'],
    ['<password><![CDATA[hunter2]]></password>', 'hunter2'],
    ['Authorization: Bearer eyJhbGciOi.J9.x-y_z', 'eyJhbGciOi'],
    ['authorization: Digest username="admin", nonce="0a1b", response="c0ffee"', 'c0ffee'],
    ['got Digest username="admin", realm="x", response="c0ffee"', 'c0ffee'],
    ['Set-Cookie: WebSession=5e551on; path=/', '5e551on'],
    ['http://admin:hunter2@10.0.0.1/ did not answer', 'hunter2'],
    ['设备密码是hunter2。请更改', 'hunter2'],
    ['密码：hunter2', 'hunter2'],
    ['the Wi-Fi key is w1f1-pass', 'w1f1-pass'],
  ])('hide what they say: %s', (text, secret) => {
    const shown = redactProse(text);

    expect(shown).not.toContain(secret);
    expect(shown).toContain(MASK);
  });

  // Would catch: a trace that no longer says by which scheme a device was signed in to.
  it.each(['Digest username="admin", response="c0ffee"', 'Bearer eyJhbGciOi.J9.x-y_z'])(
    'name the scheme of what they hide: %s',
    (header) => expect(redactProse(`got ${header}`)).toBe(`got ${header.split(' ', 1)[0] ?? ''} ${MASK}`),
  );

  // Would catch: a bundle in which the fault cannot be read any more.
  it.each([
    'engine abcdefghi of 9 characters',
    'The password is wrong.',
    '<TokenSecretKey>\n  <keyLen>128</keyLen>\n</TokenSecretKey>',
    'A password is required for this device.',
    'password is not set',
    'The certificate is pinned; pin it again with device trust.',
    'Basic thermometry parameters of channel 2 were refused.',
    'Digest authentication failed: sign-in refused (401).',
    'token key capabilities: not supported',
    'http://10.0.0.1:8000/API/System/capabilities answered 403 notSupport',
    'j-5130ea6780e7 3d0718a1a2010288 effective 27',
    '密码错误，请重新登录。',
  ])('stay as they are: %s', (text) => expect(redactProse(text)).toBe(text));

  // Would catch: minutes of computing that one hostile answer costs.
  it('are read in one go, however long and odd', () => {
    for (const part of ['password is ', 'Basic ', 'Digest a=', 'pin "', '密码是', 'QUJD', 'authorization: '])
      expect(redactProse(part.repeat(200_000 / part.length)).length).toBeGreaterThan(0);
  });
});
