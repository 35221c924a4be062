/** Values for many devices from a spreadsheet: encodings, separators, and complaints by line. */
import { describe, expect, it } from 'vitest';
import type { VariableDeclaration } from '#engine/template/document.ts';
import { readValuesCsv } from '#engine/template/values/values-csv.ts';

const VARIABLES: readonly VariableDeclaration[] = [
  { name: 'channel', type: 'integer', default: 1, required: false },
  { name: 'emissivity', type: 'number', min: 0, max: 1, required: true },
  { name: 'label', type: 'string', default: '', required: false },
  { name: 'key', type: 'secret', required: true },
];
const read = (text: string | Uint8Array, given?: readonly string[]) =>
  readValuesCsv(typeof text === 'string' ? Buffer.from(text) : text, VARIABLES, { file: 'v.csv', given });

describe('reading values', () => {
  const expected = [
    { row: 2, device: 'http://10.0.0.1', values: { emissivity: '0.9', label: 'Tür' } },
    { row: 3, device: 'gate 2', values: { emissivity: '1', label: 'a;b' } },
  ];
  const text = 'device,emissivity,label\nhttp://10.0.0.1,0.9,Tür\ngate 2,1,a;b\n';
  const utf16 = (content: string, bigEndian: boolean): Uint8Array => {
    const bytes = Buffer.from(`\ufeff${content}`, 'utf16le');
    return bigEndian ? bytes.swap16() : bytes;
  };

  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 little endian', utf16(text, false)],
    ['UTF-16 big endian', utf16(text, true)],
    ['UTF-16 without a mark', Buffer.from(text, 'utf16le')],
    ['tabs', Buffer.from(text.replaceAll(',', '\t'))],
    [
      'semicolons and CRLF',
      Buffer.from('device;emissivity;label\r\nhttp://10.0.0.1;0.9;Tür\r\ngate 2;1;"a;b"\r\n'),
    ],
    ['a heading as spreadsheets begin it', Buffer.from(text.replace('device', '\u00a0DEVICE '))],
    ['spaces that break no line', Buffer.from(text.replaceAll(',', '\u00a0,\u3000'))],
    [
      'columns and rows that somebody once touched',
      Buffer.from(`${text.replaceAll('\n', ',,\n')},,,,\n,,\n`),
    ],
  ])('%s', (_what, bytes) => {
    expect(read(bytes)).toEqual({ rows: expected, errors: [] });
  });

  // Would catch: `sep=;` taken for the header, and lines counted without it.
  it.each(['sep=;', '"SEP=;"', 'sep=;;;'])('a first line %j names the separator', (note) => {
    const { rows, errors } = read(`\ufeff${note}\r\ndevice;emissivity;label\r\nd1;0.5;a,b\r\nd2;7;\r\n`);

    expect(rows[0]).toEqual({ row: 3, device: 'd1', values: { emissivity: '0.5', label: 'a,b' } });
    expect(errors).toMatchObject([{ code: 'out-of-range', line: 4 }]);
  });

  it('the names of variables stay exact, the nearest is told; a variable called Device is none of the devices', () => {
    const own = readValuesCsv(Buffer.from('Device,DEVICE\nfront,d1\n'), [
      { name: 'Device', type: 'string', required: true },
    ]);

    expect(read('Device,Emissivity\nd,1').errors).toMatchObject([
      { code: 'undefined-variable', nearest: 'emissivity', column: 2 },
      { code: 'undefined-variable' },
    ]);
    expect(own).toEqual({ rows: [{ row: 2, device: 'd1', values: { Device: 'front' } }], errors: [] });
  });

  it('leaves an empty cell to the default and skips empty lines', () => {
    expect(read('device,emissivity,channel\n\nd1,1,\n').rows).toEqual([
      { row: 3, device: 'd1', values: { emissivity: '1' } },
    ]);
  });

  it.each([
    ['an unknown column', 'device,emisivity\nd,1', 'undefined-variable', 1],
    ['no device column', 'emissivity\n1', 'missing-field', 1],
    ['a secret', 'device,emissivity,key\nd,1,abc', 'not-allowed', 1],
    ['a column twice', 'device,emissivity,emissivity\nd,1,1', 'not-allowed', 1],
    ['no column for a variable without default', 'device,channel\nd,1', 'undefined-variable', 1],
    ['no value for a variable without default', 'device,emissivity\nd,', 'undefined-variable', 2],
    ['a value of the wrong type', 'device,emissivity\nd,1\ne,high', 'wrong-type', 3],
    ['a value out of range', 'device,emissivity\nd,2', 'out-of-range', 2],
    ['a row too short', 'device,emissivity,label\nd,1', 'unreadable-file', 2],
    ['a row without device', 'device,emissivity\n,1', 'missing-field', 2],
    ['a device twice', 'device,emissivity\nd,1\ne,1\nd,1', 'duplicate-device', 4],
    ['a header only', 'device,emissivity', 'unreadable-file', 1],
    ['a quote that is not closed', 'device,emissivity\n"d,1', 'unreadable-file', 2],
    [
      'a row below a cell of two lines and an empty line',
      'device,emissivity,label\nd,1,"a\nb"\n\ne,2,c',
      'out-of-range',
      5,
    ],
    ['a row that itself takes two lines', 'device,emissivity,label\nd,2,"a\nb"', 'out-of-range', 2],
  ])('%s is reported by line', (_what, content, code, line) => {
    const { errors } = read(content);

    expect(errors).toContainEqual(expect.objectContaining({ code, line, file: 'v.csv' }));
    expect(JSON.stringify(errors)).not.toContain('abc');
  });

  it('takes a value given elsewhere for the missing one', () => {
    expect(read('device\nd', ['emissivity']).errors).toEqual([]);
  });

  it.each([
    ['an empty file', new Uint8Array()],
    ['another encoding', Buffer.from([0x64, 0x65, 0xfc, 0xfe, 0xff])],
  ])('%s is no table', (_what, bytes) => {
    expect(read(bytes).errors).toMatchObject([{ code: 'unreadable-file', file: 'v.csv' }]);
  });

  it.each([
    [
      'Latin-1',
      Buffer.from('device,emissivity,label\nd1,1,Tor\nd2,1,T\u00fcr\nd3,1,\u00e9t\u00e9\n', 'latin1'),
    ],
    [
      'GB18030',
      Buffer.concat([
        Buffer.from('device,emissivity,label\nd1,1,Tor\nd2,1,'),
        Buffer.from([0xb4, 0xf3, 0xc3, 0xc5]),
        Buffer.from('\nd3,1,'),
        Buffer.from([0xb4, 0xf3]),
        Buffer.from('\n'),
      ]),
    ],
  ])('%s is told by every line that gives it away, and nothing is read', (_what, bytes) => {
    const { rows, errors } = read(bytes);

    expect(rows).toEqual([]);
    expect(errors).toMatchObject([
      {
        code: 'unreadable-file',
        file: 'v.csv',
        line: 3,
        column: expect.any(Number),
        hint: expect.stringContaining('UTF-8'),
        others: [{ line: 4 }],
      },
    ]);
  });

  it('is bounded', () => {
    expect(
      read(`device,emissivity\n${Array.from({ length: 10_001 }, (_, at) => `d${at},1`).join('\n')}`).errors,
    ).toMatchObject([{ code: 'input-too-large' }]);
  });
});
