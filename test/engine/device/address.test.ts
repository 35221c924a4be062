import { describe, expect, it } from 'vitest';
import { parseAddress } from '../../../src/engine/device/transport/address.ts';
import { FieldwrightError } from '../../../src/shared/errors.ts';

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
  ])('refuses %j', (text) => {
    expect(() => parseAddress(text)).toThrow(FieldwrightError);
  });

  it('does not repeat a password that came with an address', () => {
    try {
      parseAddress('http://admin:hunter2@10.0.0.5');
    } catch (error) {
      expect(JSON.stringify(error)).not.toContain('hunter2');
    }
  });
});
