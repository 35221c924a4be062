import { describe, expect, it } from 'vitest';
import { decodeBody, encodeBody } from '#engine/device/transport/charset.ts';
import { encodePercent, replaceCarried } from '#shared/text/carried-bytes.ts';
import { replaceUnseen } from '#shared/text/unseen.ts';
import { createRandom } from '#simulator/random.ts';

/** Bytes of every kind, with short runs that are valid in some character set. */
function randomBytes(seed: number): Buffer {
  const random = createRandom(seed);
  const pieces = [
    Buffer.from('Tür'),
    Buffer.from('北'),
    Buffer.from([0xb1, 0xb1]),
    Buffer.from('\u{10fe90}'),
  ];
  return Buffer.concat(
    Array.from({ length: 40 }, () => {
      const at = Math.floor(random() * 8);
      return (
        pieces[at] ??
        Buffer.from([at < 6 ? 0x20 + Math.floor(random() * 94) : 0x80 + Math.floor(random() * 128)])
      );
    }),
  );
}

describe('bytes that do not fit the declared character set', () => {
  it.each([
    'utf-8',
    'gbk',
    'gb18030',
    'big5',
    'euc-kr',
    'euc-jp',
    'shift_jis',
    'windows-1252',
    'windows-1253',
    'iso-8859-8',
  ])('go back as they came, declared as %s', (charset) => {
    let carried = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      const bytes = randomBytes(seed);
      const read = decodeBody(bytes, `text/xml; charset=${charset}`);
      if (read.carried) carried += 1;

      const sent = encodeBody(read.text, 'xml', read.charset);

      expect(read.lossy).toBe(false);
      expect(Buffer.from(sent?.bytes ?? []), `seed ${seed}`).toEqual(bytes);
      if (read.carried) expect(sent?.charset, 'no character set is declared').toBeUndefined();
    }
    expect(carried, 'cases tried').toBeGreaterThan(charset === 'windows-1252' ? -1 : 20);
  });

  it.each([
    ['gb18030', [0x81, 0x30, 0x81, 0x30, 0xb1, 0xb1], 'four bytes'],
    ['gb18030', [0x95, 0x32, 0x82, 0x36], 'four bytes'],
    ['shift_jis', [0x88, 0x9f, 0xee, 0xf9, 0x81, 0xca], 'the second spelling of a character'],
    ['euc-jp', [0x8f, 0xb0, 0xa1, 0xb0, 0xa1], 'three bytes'],
    ['big5', [0xa1, 0x5a, 0xa1, 0xc3], 'twins'],
  ])('go back as they came where %s knows more spellings: %j, %s', (charset, name) => {
    const bytes = Buffer.concat([Buffer.from('<A>'), Buffer.from(name), Buffer.from('</A>')]);

    const read = decodeBody(bytes, `text/xml; charset=${charset}`);

    expect(read.lossy).toBe(false);
    expect(Buffer.from(encodeBody(read.text, 'xml', read.charset)?.bytes ?? [])).toEqual(bytes);
  });

  it('leave JSON readable where a second spelling ends in a backslash, and are then not written', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xfa, 0x5c]), Buffer.from('"}')]);

    const read = decodeBody(bytes, 'application/json; charset=shift_jis');

    expect(JSON.parse(read.text)).toEqual({ a: '纊' });
    expect(read.lossy).toBe(true);
  });

  it('are shown as replacement characters, and stand in a path as the bytes that they are', () => {
    const { text } = decodeBody(Buffer.from([0x41, 0xa7, 0xff, 0x42]), 'text/xml');

    expect(replaceCarried(text)).toBe('A\ufffd\ufffdB');
    expect(replaceUnseen(text, () => '\ufffd')).toBe('A\ufffd\ufffdB');
    expect(encodePercent(text)).toBe('A%A7%FFB');
  });

  it('are not carried by the million (else: a picture costs four times its size)', () => {
    const read = decodeBody(Buffer.alloc(200_000, 0xa7), 'text/xml');

    expect(read).toMatchObject({ carried: false, lossy: true });
  });
});
