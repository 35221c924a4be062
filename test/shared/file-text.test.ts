import { describe, expect, it } from 'vitest';
import { decodeFile } from '#shared/text/file-text.ts';

// Would catch: names with umlauts broken by what a spreadsheet saved.
describe('a file from a spreadsheet', () => {
  const text = 'address;name\n10.0.0.1;Tür';
  const utf16 = Buffer.from(text, 'utf16le');

  it.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(text, 'utf8')],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`, 'utf8')],
    ['UTF-16 with a mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 without one', utf16],
    ['UTF-16, the other byte order', Buffer.concat([Buffer.of(0xfe, 0xff), Buffer.from(utf16).swap16()])],
    ['the western Windows set', Buffer.from(text, 'latin1')],
  ])('in %s', (_name, bytes) => {
    expect(decodeFile(bytes).text).toBe(text);
  });

  it('that is empty', () => {
    expect(decodeFile(new Uint8Array(0)).text).toBe('');
  });
});
