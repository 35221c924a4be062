import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findOperation,
  isSensitivePath,
  pathOfMask,
  redactBody,
  redactPlain,
  redactValue,
  secretsIn,
  withoutSignIn,
} from '../../src/protocol/index.ts';
import type { Payload } from '../../src/protocol/index.ts';
import { isSecretName } from '../../src/protocol/redact/names.ts';
import { MASK } from '../../src/shared/exchange.ts';
import { growth } from '../helpers/growth.ts';

function payload(id: string, side: 'request' | 'response'): Payload {
  const found = findOperation(id)?.[side];
  if (found === undefined) throw new Error(`${id} has no ${side}.`);
  return found;
}
const lock = payload('storage.rwLock.put', 'request');
const unlock = payload('storage.unlock.put', 'request');
const prints = payload('accessControl.fingerprints.query', 'response');

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
    expect(secretsIn(unlock, { passwd: 'open' })).toEqual(['open']);
    expect(isSensitivePath(unlock, 'passwd')).toBe(true);
    expect(isSensitivePath(prints, 'FingerPrintList[].fingerData')).toBe(true);
    expect(isSensitivePath(unlock, 'SDCardUnlockTime')).toBe(false);
  });
});

describe('bodies that nothing describes', () => {
  it.each([
    [
      '<a><password>hunter2</password><userName>bob</userName><passwordLen>8</passwordLen></a>',
      ['hunter2', 'bob'],
    ],
    ['<x:A xmlns:x="u"><x:originalPasswd><![CDATA[hunter2]]></x:originalPasswd></x:A>', ['hunter2']],
    [
      '<a key="hunter2"><!-- password="hunter3" --><b>rtsp://u:hunter4@h/1</b></a>',
      ['hunter2', 'hunter3', 'hunter4'],
    ],
    ['<a><key><part>hunter2</part></key></a>', ['hunter2']],
    [
      '{"a":{"Key":"hunter2","list":[{"dynamicCode":1234567}]},"key":{"inner":"hunter3"}}',
      ['hunter2', '1234567', 'hunter3'],
    ],
    ['{"url":"http:\\/\\/u:hunter2@h\\/x?token=hunter3&a=1"}', ['hunter2', 'hunter3']],
    ['{"password":"hunter2', ['hunter2']],
    ['<a><password>hunter2', ['hunter2']],
    ['<html><body>user=bob&password=hunter2</body></html>', ['hunter2']],
    ['password: hunter2\nfine', ['hunter2']],
    ['{"password":"hun\\"ter2","x":1}', ['ter2']],
  ])('%s', (text, secrets) => {
    const shown = redactBody(text);

    for (const secret of secrets) expect(shown).not.toContain(secret);
    expect(shown).toContain(MASK);
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
  ])('%s', (given, shown) => expect(withoutSignIn(given)).toBe(shown));
});

it('a mask is found wherever it stands (else: it is written to the device as a password)', () => {
  expect(pathOfMask([{ a: 'x', password: MASK }])).toBe('[0].password');
  expect(pathOfMask({ a: { b: `http://${MASK}@h` } })).toBe('a.b');
  expect(pathOfMask({ a: 1, b: null })).toBeUndefined();
});
