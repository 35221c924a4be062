/**
 * Answers that a device must not be able to hurt with: each as long, as deep or as many-parted as an
 * answer may be at all, or a little beyond, made for what reads it slowly. Deterministic.
 */
import { deflateSync, gzipSync } from 'node:zlib';
import { DEFAULT_LIMITS } from '#protocol/index.ts';

/** `root`: the name that the document asked for has; empty where it has none. */
export interface HostileShape {
  readonly name: string;
  /** Bytes on the wire, status line included. */
  readonly answer: (root: string) => readonly Uint8Array[];
}

const BYTES = DEFAULT_LIMITS.bytes - 1_000;
const NODES = DEFAULT_LIMITS.nodes - 1_000;
const DEPTH = DEFAULT_LIMITS.depth - 4;
const NAME = DEFAULT_LIMITS.name - 1;

/** Repeats the piece as often as fits into an answer. */
function full(piece: string, bytes = BYTES): string {
  return piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)));
}
/** Joins as many different pieces as fit, of `nodes` parts each. */
function many(piece: (nth: number) => string, nodes: number, separator = ''): string {
  const parts: string[] = [];
  let bytes = 0;
  for (let nth = 0; nth < NODES / nodes && bytes < BYTES; nth += 1) {
    const part = piece(nth);
    bytes += part.length + separator.length;
    if (bytes < BYTES) parts.push(part);
  }
  return parts.join(separator);
}

type Head = Readonly<Record<string, string>>;

function reply(body: string | Uint8Array, head: Head = {}, status = '200 OK'): Uint8Array[] {
  const bytes = Buffer.from(body as Uint8Array);
  const lines = Object.entries({
    'content-length': String(bytes.byteLength),
    connection: 'close',
    ...head,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return [Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`, 'latin1'), bytes];
}

function xml(
  name: string,
  inner: () => string,
  around: (document: string) => string = (document) => document,
): HostileShape {
  return {
    name: `XML, ${name}`,
    answer: (root) =>
      reply(around(`<?xml version="1.0"?><${root || 'A'}>${inner()}</${root || 'A'}>`), {
        'content-type': 'application/xml',
      }),
  };
}
function json(name: string, inner: () => string): HostileShape {
  return {
    name: `JSON, ${name}`,
    answer: (root) =>
      reply(root === '' ? inner() : `{"${root}":${inner()}}`, { 'content-type': 'application/json' }),
  };
}
function text(name: string, body: () => string, head: Head = {}, status?: string): HostileShape {
  return {
    name: `text, ${name}`,
    answer: () => reply(body(), { 'content-type': 'text/html', ...head }, status),
  };
}
function bytes(name: string, body: () => Uint8Array, head: Head): HostileShape {
  return { name: `bytes, ${name}`, answer: () => reply(body(), head) };
}
function wire(name: string, head: string, body: () => string): HostileShape {
  return {
    name: `wire, ${name}`,
    answer: () => [Buffer.from(`${head}\r\n`, 'latin1'), Buffer.from(body(), 'latin1')],
  };
}
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n';
const FOUND = 'HTTP/1.1 200 OK\r\nconnection: close\r\n';

/** An object inside an object, so deep, with `inner` in the middle. */
function nested(deep: number, name: string, inner: string): string {
  return `{"${name}":`.repeat(deep) + inner + '}'.repeat(deep);
}
function nestedXml(deep: number, name: (level: number) => string, inner: string): string {
  const names = Array.from({ length: deep }, (_, level) => name(level));
  return (
    names.map((each) => `<${each}>`).join('') +
    inner +
    names
      .toReversed()
      .map((each) => `</${each}>`)
      .join('')
  );
}

const ITEM =
  '<TimeBlock><dayOfWeek>99</dayOfWeek><TimeRange><beginTime>0</beginTime><endTime>x</endTime></TimeRange></TimeBlock>';
const ROUGH = '<UserInfo><employeeNo>1</employeeNo><password>p</password></UserInfo>';

const XML: readonly HostileShape[] = [
  xml('bare ampersands', () => `<id>${full('&')}</id>`),
  xml('bare ampersands in many texts', () => many(() => '<id>&&&&&&&&</id>', 2)),
  xml('bare ampersands in an attribute', () => `<id a="${full('&')}"/>`),
  xml('unknown references', () => `<id>${full('&a;', NODES * 3)}</id>`),
  xml('character references', () => `<id>${full('&#65;', NODES * 5)}</id>`),
  xml('more character references', () => `<id>${full('&#65;')}</id>`),
  xml('items of a list, all out of range', () => `<TimeBlockList>${many(() => ITEM, 10)}</TimeBlockList>`),
  xml('a listed element time and again', () => many((nth) => `<id>${nth}</id>`, 2)),
  xml('strangers of one name', () => many(() => '<a/>', 1)),
  xml('strangers of different names', () => many((nth) => `<e${nth}/>`, 1)),
  xml('people with passwords', () => many(() => ROUGH, 6)),
  xml('attributes of one element', () => `<a ${many((nth) => `a${nth}=""`, 2, ' ')}/>`),
  xml('attributes of many elements', () => many(() => '<a min="1" max="2" opt="1,2" def="1" size="9"/>', 11)),
  xml('a long attribute', () => `<a opt="${full('x')}"/>`),
  xml('a list of options', () => `<enabled opt="${full('1,')}"/>`),
  xml('lists of options', () => many((nth) => `<e${nth} opt="${'true,'.repeat(10)}"/>`, 3)),
  xml('a long name', () => {
    const name = full('n', BYTES / 2);
    return `<${name}></${name}>`;
  }),
  xml('long names', () => many((nth) => `<${'n'.repeat(NAME)}${nth % 10}/>`, 1)),
  xml('long names inside each other', () =>
    nestedXml(
      30,
      (level) => `n${level}${full('x', NAME - 5)}`,
      many((nth) => `<e${nth}/>`, 1)
        .slice(0, BYTES / 3)
        .replace(/<[^>]*$/, ''),
    ),
  ),
  xml('as deep as may be', () =>
    full(
      nestedXml(DEPTH, () => 'a', ''),
      NODES * 3.4,
    ),
  ),
  xml('deeper', () => nestedXml(20_000, () => 'a', '')),
  xml('comments', () => full('<!---->')),
  xml('comments between elements', () => many(() => '<a/><!-- <password>p</password> -->', 1)),
  xml('openings of comments', () => `<!--${full('<!- ')}-->`),
  xml('a comment that does not end', () => `<!--${full('<!- ')}`),
  xml('CDATA', () => `<id>${full('<![CDATA[]]>')}</id>`),
  xml('brackets in CDATA', () => `<id><![CDATA[${full(']')}]]></id>`),
  xml('processing instructions', () => full('<?p?>')),
  xml(
    'processing instructions before the root',
    () => '<id/>',
    (document) => full('<?p?>') + document.slice(document.indexOf('?>') + 2),
  ),
  xml(
    'cut off',
    () => `<id>${full('x')}`,
    (document) => document.slice(0, -20),
  ),
  xml('a quote that does not end', () => `<id a="${full('x')}`),
  xml('opening brackets', () => full('<')),
  xml('opening brackets with spaces', () => full('< ')),
  xml('line ends, and a fault at the end', () => `${full('\n')}</wrong>`),
  xml('carriage returns', () => `<id>${full('\r')}</id>`),
  xml('spaces in a tag', () => `<id${full(' ')}/>`),
  xml(
    'spaces before the root',
    () => '<id/>',
    (document) => full(' ') + document,
  ),
  xml(
    'zero bytes behind',
    () => '<id/>',
    (document) => document + full('\0'),
  ),
  xml('a wrong end of each element', () => many(() => '<a></b>', 2)),
  xml('elements that do not end', () => many(() => '<a>', 1)),
  xml('prefixes', () => many((nth) => `<p${nth}:id xmlns:p${nth}="u">x</p${nth}:id>`, 4)),
  xml(
    'entities',
    () => '<id>&z;</id>',
    (document) => `<!DOCTYPE A [${full('<!ENTITY a "aaaaaaaa">')}]>${document}`,
  ),
];

const JSONS: readonly HostileShape[] = [
  json('numbers', () => `[${many(() => '1', 1, ',')}]`),
  json('a number of many digits', () => `{"a":${full('9')}}`),
  json('powers', () => `[${many(() => '1e308', 1, ',')}]`),
  json('fractions of many digits', () => `[${many(() => `0.${'3'.repeat(700)}`, 1, ',')}]`),
  json('a key repeated', () => `{${many((nth) => `"voicePrompt":${nth}`, 1, ',')}}`),
  json('different keys', () => `{${many((nth) => `"k${nth}":0`, 1, ',')}}`),
  json('numbers as keys', () => `{${many((nth) => `"${nth * 7919}":0`, 1, ',')}}`),
  json('escapes', () => `{"a":"${full('\\u0041')}"}`),
  json('escaped strings', () => `[${many(() => '"\\u0041"', 1, ',')}]`),
  json('backslashes', () => `{"a":"${full('\\\\')}"}`),
  json('escaped quotes', () => `{"a":"${full('\\"')}"}`),
  json('empty strings', () => `[${many(() => '""', 1, ',')}]`),
  json('empty objects', () => `[${many(() => '{}', 2, ',')}]`),
  json('lists of lists', () => `[${many(() => '['.repeat(30) + ']'.repeat(30), 31, ',')}]`),
  json('deeper', () => '['.repeat(BYTES / 2)),
  json('a long key', () => `{"${full('k')}":1}`),
  json('long keys inside each other', () =>
    nested(
      30,
      full('k', BYTES / 100),
      `{${many((nth) => `"k${nth}":0`, 1, ',')
        .slice(0, BYTES / 3)
        .replace(/,[^,]*$/, '')}}`,
    ),
  ),
  json('limits', () => `{${many((nth) => `"k${nth}":{"@min":1,"@max":2,"@opt":"1,2","@def":1}`, 6, ',')}}`),
  json('a list of options', () => `{"voicePrompt":{"@opt":"${full('1,')}"}}`),
  json('options one by one', () => `{"voicePrompt":{"@opt":[${many(() => '1', 1, ',')}]}}`),
  json('names that objects inherit', () => `{${many(() => '"__proto__":{"constructor":1}', 3, ',')}}`),
  json('white space', () => `{"a":1${full(' \n')}}`),
  json('cut off', () => `{"a":[${many(() => '1', 1, ',')}`),
  json('a fault at the end', () => `[${many(() => '1', 1, ',')},,]`),
  json('half surrogates', () => `{"a":"${full('\\ud800')}"}`),
  json('secrets', () => `[${many((nth) => `{"password":"p${nth}"}`, 3, ',')}]`),
  json('addresses with a sign-in', () => `[${many(() => '"rtsp://a:b@c/?password=x"', 1, ',')}]`),
];

const TEXTS: readonly HostileShape[] = [
  text(
    'a web page',
    () => `<!DOCTYPE html><html><body>${full('<input name="password" value="x"><p>&nbsp;')}`,
  ),
  text('names and values', () => full('password=x&')),
  text('pairs', () => full('a:b=c ')),
  text('openings of addresses', () => full('http://a:')),
  text('an address without an end', () => `http://${full('a:@')}`),
  text('opening brackets', () => `x${full('<a ')}`),
  text('quotes', () => `x${full('"a" : "')}`),
  text('quotes with backslashes', () => `x"password":"${full('\\')}`),
  text('queries', () => `x/${full('?a=&')}@`),
  text('letters', () => full('a')),
  text('spaces', () => `x:${full(' ')}`),
  text(
    'letters with a refused sign-in',
    () => full('a '),
    { 'www-authenticate': 'Digest realm="r", nonce="n"' },
    '401 Unauthorized',
  ),
  text(
    'a status that does not end',
    () => `<ResponseStatus>${full('<statusCode>4</statusCode>')}`,
    {},
    '400 Bad Request',
  ),
  text(
    'a status of many parts',
    () => `<ResponseStatus>${'<statusCode>4</statusCode>'.repeat(2_400)}</ResponseStatus>`,
    {},
    '400 Bad Request',
  ),
  text(
    'a status in JSON with a long word',
    () => `{"statusCode":4,"statusString":"${'x\u0000'.repeat(30_000)}"}`,
    {},
    '400 Bad Request',
  ),
  text(
    'a challenge of many parts',
    () => 'x',
    { 'www-authenticate': 'Digest a=b, '.repeat(1_200) },
    '401 Unauthorized',
  ),
  text(
    'a challenge of quotes',
    () => 'x',
    { 'www-authenticate': `Digest realm="${'\\"'.repeat(7_000)}` },
    '401 Unauthorized',
  ),
  text(
    'a challenge of letters',
    () => 'x',
    { 'www-authenticate': `Negotiate ${'a.'.repeat(7_000)} b` },
    '401 Unauthorized',
  ),
  text('a redirect to far away', () => full('a'), { location: `/${'../a/'.repeat(2_500)}` }, '302 Found'),
  text('a long type', () => full('a'), { 'content-type': `text/xml; ${'charset =  '.repeat(1_200)}` }),
];

const BYTE_BODIES: readonly HostileShape[] = [
  bytes('UTF-16', () => Buffer.from(`\ufeff<A>${full('\ud800', BYTES / 3)}</A>`, 'utf16le'), {}),
  bytes('UTF-8 that is none', () => Buffer.alloc(BYTES, 0xc3), {}),
  bytes('UTF-8 of replacements', () => Buffer.from(full('\ufffd')), {}),
  ...['gb18030', 'iso-2022-jp', 'big5', 'euc-kr', 'shift_jis', 'windows-1252'].map((charset) =>
    bytes(charset, () => Buffer.alloc(BYTES, Buffer.from([0x81, 0x30, 0x1b, 0x24, 0xfe, 0xff])), {
      'content-type': `text/xml; charset=${charset}`,
    }),
  ),
  bytes('a gzip bomb', () => gzipSync(Buffer.alloc(256 * 1024 * 1024)), { 'content-encoding': 'gzip' }),
  bytes('gzip of empty parts', () => Buffer.concat(Array.from({ length: BYTES / 20 }, () => gzipSync(''))), {
    'content-encoding': 'gzip',
  }),
  bytes(
    'deflated blocks of nothing',
    () =>
      Buffer.concat([
        deflateSync('').subarray(0, 2),
        Buffer.alloc(BYTES - 1_000, Buffer.from([0, 0, 0, 0xff, 0xff])),
      ]),
    { 'content-encoding': 'deflate' },
  ),
  bytes('gzip cut off', () => gzipSync(Buffer.alloc(BYTES, 'abcdefg')).subarray(0, -10), {
    'content-encoding': 'gzip',
  }),
];

const WIRES: readonly HostileShape[] = [
  wire('chunks of one byte', CHUNKED, () => full('1\r\nx\r\n', 8 * BYTES)),
  wire('chunks of one byte with long extensions', CHUNKED, () =>
    full(`1;${'e'.repeat(60_000)}\r\nx\r\n`, 40 * BYTES),
  ),
  wire('one extension', CHUNKED, () => `1;${full('e', 40 * BYTES)}`),
  wire('trailers', CHUNKED, () => `1\r\nx\r\n0\r\n${full('a: b\r\n', 40 * BYTES)}`),
  wire('headers', FOUND, () => full('a: b\r\n', 40 * BYTES)),
  wire('headers as many as may be', `${FOUND}${'a:\r\n'.repeat(3_000)}`, () => 'x'),
  wire('a header', FOUND, () => `a: ${full('b', 40 * BYTES)}`),
  wire('a status line', 'HTTP/1.1 200 OK', () => full('o', 40 * BYTES)),
  wire('continue', 'HTTP/1.1 100 Continue\r\n', () => full('HTTP/1.1 100 Continue\r\n\r\n', 40 * BYTES)),
  wire('early hints', 'HTTP/1.1 103 Early Hints\r\n', () =>
    full('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 40 * BYTES),
  ),
  wire('a body without a length', FOUND, () => full('x', 40 * BYTES)),
  wire('a body longer than it says', `${FOUND}content-length: 5\r\n`, () => full('x', 40 * BYTES)),
];

export const HOSTILE_SHAPES: readonly HostileShape[] = [...XML, ...JSONS, ...TEXTS, ...BYTE_BODIES, ...WIRES];
