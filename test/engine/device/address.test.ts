import { describe, expect, it } from 'vitest';
import { parseAddress } from '#engine/device/transport/address.ts';
import words from '../../../resources/locales/zh-CN/inventory.json' with { type: 'json' };
import { redirectPath } from '#engine/device/transport/redirect.ts';
import type { HttpAnswer } from '#engine/device/transport/transport.ts';
import { FieldwrightError, type ErrorShape } from '#shared/errors.ts';

function errorFrom(work: () => unknown): ErrorShape {
  try {
    work();
  } catch (error) {
    if (error instanceof FieldwrightError) return error.shape;
    throw error;
  }
  throw new Error('nothing was refused');
}

const zh = (id: string): string => (words as Readonly<Record<string, string>>)[id] ?? '';

// Would catch: a device that is in the list twice, and written to by two jobs at once.
it.each([
  '[::ffff:127.0.0.1]',
  '::ffff:127.0.0.1',
  '::FFFF:7f00:1',
  '0:0:0:0:0:ffff:7f00:0001',
  '[0000::ffff:127.0.0.1%25eth0]',
])('%s is the IPv4 address that it carries', (text) => {
  expect(parseAddress(text)).toEqual(parseAddress('127.0.0.1'));
});
it('an IPv6 address with ffff elsewhere stays one', () => {
  expect(parseAddress('[1::ffff:7f00:1]:8080').host).toBe('1::ffff:7f00:1');
});

describe('parseAddress', () => {
  it.each([
    ['10.0.0.5', 'http://10.0.0.5', '10.0.0.5', 80],
    [' 10.0.0.5:8080 ', 'http://10.0.0.5:8080', '10.0.0.5', 8080],
    ['http://10.0.0.5:80/', 'http://10.0.0.5', '10.0.0.5', 80],
    ['HTTPS://Gate.Local', 'https://gate.local', 'gate.local', 443],
    ['https://gate.local:80', 'https://gate.local:80', 'gate.local', 80],
    ['fe80::1', 'http://[fe80::1]', 'fe80::1', 80],
    ['[FE80:0:0::1]:8080', 'http://[fe80::1]:8080', 'fe80::1', 8080],
    ['[fe80::1%25eth0]:80', 'http://[fe80::1%25eth0]', 'fe80::1%eth0', 80],
    ['http://[fe80::1%eth0]', 'http://[fe80::1%25eth0]', 'fe80::1%eth0', 80],
    ['fe80::1%eth0', 'http://[fe80::1%25eth0]', 'fe80::1%eth0', 80],
    ['tür.example', 'http://xn--tr-xka.example', 'xn--tr-xka.example', 80],
  ])('%s', (text, url, host, port) => {
    expect(parseAddress(text)).toMatchObject({ url, host, port });
    // Would catch: a stored address that reads back as another one, so that duplicates slip in.
    expect(parseAddress(url)).toEqual(parseAddress(text));
  });

  it('leaves the zone out of what the device sees', () => {
    expect(parseAddress('[fe80::1%25eth0]:81').origin).toBe('http://[fe80::1]:81');
  });

  it.each([
    '',
    '   ',
    'http://',
    'ftp://10.0.0.5',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://admin:pw@10.0.0.5',
    'admin@10.0.0.5',
    '10.0.0.5:0',
    '10.0.0.5:99999',
    '10.0.0.5:http',
    '10.0.0.5/path',
    'http://10.0.0.5?x=1',
    'http://10.0.0.5#x',
    '10.0.0.5 10.0.0.6',
    '[::1',
    '::1]',
    '1.2.3.4.5.6/24',
    'http://a\r\nb',
    'http:///x',
    'http://exa mple',
    'http://[::1]x',
    '[fe80::1%25e;rm]',
    '.',
    '..',
    'gate..local',
    '.gate',
    '127.0.0.1..',
    `${'a'.repeat(64)}.local`,
    '//10.0.0.5',
    'http:/10.0.0.5',
    '10.0.0.5:８０',
    '10.0.0.5:0x50',
    '10.0.0.5:80:90',
  ])('refuses %j', (text) => {
    expect(() => parseAddress(text)).toThrow(FieldwrightError);
  });

  it.each([
    ['192.168.001.064', '192.168.1.64'],
    ['http://192.168.001.064:8080', '192.168.1.64'],
    ['127.0.0.010', '127.0.0.10'],
    ['192.168.1.08', '192.168.1.8'],
    ['00192.168.1.64', '192.168.1.64'],
    ['192.168.1.64.', '192.168.1.64'],
    ['3232235777', '192.168.1.1'],
    ['0x7f000008', '127.0.0.8'],
    ['0X7F000008', '127.0.0.8'],
    ['127.8', undefined],
    ['192.168.1', undefined],
    ['192.168.1.', undefined],
    ['1', undefined],
    ['017700000001', undefined],
    ['0x7f.1', undefined],
    ['192.168.0x1.64', undefined],
    ['192.168.1.0x40', undefined],
    ['192.168.1.256', undefined],
    ['192.168.1.64.5', undefined],
    ['192.168..64', undefined],
    ['gate.1', undefined],
    ['１２７.０.０.１０', '127.0.0.10'],
    ['１２７。０。０。１０', '127.0.0.10'],
    ['192。168。1。64', '192.168.1.64'],
    ['192,168,1,64', '192.168.1.64'],
    ['192.168. 1.64', '192.168.1.64'],
    ['192.168.1.\u200b64', '192.168.1.64'],
    ['①②⑦.0.0.1', '127.0.0.1'],
    ['1२७.0.0.1', undefined],
    ['०१२', undefined],
    ['０１２', undefined],
    ['0x', undefined],
    ['gate.0x1f', undefined],
    ['+1.2.3.4', undefined],
  ])('%s is no address, and does not become another one', (text, nearest) => {
    const thrown = errorFrom(() => parseAddress(text));

    expect(thrown).toMatchObject({ code: 'usage', path: 'address' });
    expect(thrown.nearest).toBe(nearest);
  });

  it.each(['gate-1', '1.gate', 'gate.1a', '10-0-0-5.local', '0.0.0.0', '255.255.255.255'])(
    '%s stays what it is',
    (text) => {
      expect(parseAddress(text).host).toBe(text);
    },
  );

  it('the sentence says what an address is in both languages', () => {
    const { message, hint, detail } = errorFrom(() => parseAddress('192.168.001.064'));

    expect(`${message} ${hint}`).toMatch(/four decimal parts/);
    expect(zh(detail?.id ?? '')).toMatch(/十进制/);
  });

  it('does not repeat a password that came with an address', () => {
    try {
      parseAddress('http://admin:hunter2@10.0.0.5');
    } catch (error) {
      expect(JSON.stringify(error)).not.toContain('hunter2');
    }
  });
});

describe('redirects', () => {
  const address = parseAddress('127.0.0.8:8080');
  const follow = (location: string) =>
    redirectPath(
      { http: 302, headers: { location } } as unknown as HttpAnswer,
      { method: 'GET', path: '/API/x', hops: 0 },
      address,
    );

  it.each([
    'http://127.000.000.010:8080/API/y',
    'http://0x7f000008:8080/API/y',
    'http://127.8:8080/API/y',
    '//127.000.000.010:8080/API/y',
    'http:\\\\127.8:8080/API/y',
    'http://2130706440:8080/API/y',
    'http://１２７.0.0.8:8080/API/y',
  ])('%s does not become the address of this device', (location) => {
    const { reason, detail } = errorFrom(() => follow(location));

    expect([reason, detail?.id]).toEqual(['redirect', expect.stringMatching(/redirect-(nowhere|elsewhere)/)]);
  });

  it.each(['javascript:void(0)', 'ftp://127.0.0.8/', 'about:blank', 'mailto:a@b.c'])(
    '%s is no address (else: the address null is proposed)',
    (location) => {
      expect(errorFrom(() => follow(location)).detail?.id).toBe('device.redirect-nowhere');
    },
  );

  it.each([
    'http://127.0.0.8:8080/API/y',
    'http://127.0.0.8:08080/API/y',
    '//127.0.0.8:8080/API/y',
    '\\\\127.0.0.8:8080/API/y',
    '/API/y',
    'http:/API/y',
    'y',
  ])('%s leads on at the same device', (location) => {
    expect(follow(location)).toBe('/API/y');
  });
});
