import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { getOnce } from '#engine/discovery/sweep/get-once.ts';
import { startSite } from '#test/helpers/strict-site.ts';
import { errorOf, oneDevice, type OneDevice } from './directory.ts';
import { startRawServer } from './hostile-server.ts';

interface RawSite {
  readonly device: OneDevice;
  readonly port: number;
  readonly connections: () => number;
}

/** Answers each request with these bytes, whole or a byte at a time. */
async function answering(answer: string, { slowly = false, ends = false } = {}): Promise<RawSite> {
  let accepted = 0;
  const server = await startRawServer((socket) => {
    accepted += 1;
    socket.on('data', async () => {
      if (slowly) for (const byte of Buffer.from(answer, 'latin1')) await sent(socket, Uint8Array.of(byte));
      else socket.write(Buffer.from(answer, 'latin1'));
      if (ends) socket.end();
    });
  });
  onTestFinished(() => server.close());
  const device = oneDevice(server.url, { profile: { inFlight: 1, deadlineMs: 3_000 } });
  onTestFinished(() => device.clients.close());
  return { device, port: server.port, connections: () => accepted };
}

function sent(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    socket.write(bytes, () => setImmediate(resolve));
  });
}

const OK = 'HTTP/1.1 200 OK';
const BODY = '<a>12</a>';
const LENGTH = `Content-Length: ${BODY.length}`;
const withLines = (...lines: string[]) => `${[OK, ...lines].join('\r\n')}\r\n\r\n${BODY}`;
const CHUNKED = `${OK}\r\nTransfer-Encoding: chunked\r\n\r\n`;

const MENDED: Readonly<Record<string, string>> = {
  'lines that end in a line feed alone': `${OK}\nContent-Type: text/xml\n${LENGTH}\n\n${BODY}`,
  'both ends of a line mixed': `${OK}\r\nA: 1\n${LENGTH}\r\n\n${BODY}`,
  'a carriage return too many': `${OK}\r\r\n${LENGTH}\r\r\n\r\r\n${BODY}`,
  'empty lines before the status': `\r\n\n${withLines(LENGTH)}`,
  'a line without a name': withLines('Tue, 12 Jun 2012 01:56:34 GMT', ': x', 'nothing', LENGTH),
  'a name that is none': withLines('X Y: 1', 'T\xfcr: 1', '<b>: 1', LENGTH),
  'spaces around the name and the value': withLines('Content-Length \t:   9   ', 'A : b'),
  'the same length twice': withLines(LENGTH, LENGTH),
  'the same length in one line, with a zero before it': withLines('Content-Length: 9, 09'),
  'a folded line': withLines('A: b', '  c', '\td', LENGTH),
  'a folded length': withLines('Content-Length:', ' 9'),
  'a folded line before every other': withLines(' A: b', LENGTH),
  'control characters and bare carriage returns': withLines('A: b\0c\x01\x7f', 'B: c\rd', LENGTH),
  'a status line of another spelling': `http/1.1   200\tFine\x01\r\n${LENGTH}\r\n\r\n${BODY}`,
  'a status line without a space before the reason': `HTTP/1.1 200OK\r\n${LENGTH}\r\n\r\n${BODY}`,
  'a version that nobody knows': `HTTP/1.2 200 OK\r\n${LENGTH}\r\n\r\n${BODY}`,
  'an encoding that is none beside the length': withLines('Transfer-Encoding: identity', LENGTH),
  'chunks whose lines end in a line feed alone': `${CHUNKED}4\n<a>1\n5\n2</a>\n0\n\n`,
  'chunks with spaces behind their sizes': `${CHUNKED}4  \r\n<a>1\r\n 5 ;x=1\r\n2</a>\r\n000  \r\n\r\n`,
  'chunked twice': `${OK}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: Chunked\r\n\r\n9\r\n${BODY}\r\n0\r\n\r\n`,
  'lines behind the last chunk': `${CHUNKED}9\r\n${BODY}\r\n0\r\nno name\nA: b\r\n\r\n`,
  '100 Continue before it, with line feeds alone': `HTTP/1.1 100 Continue\n\n${withLines(LENGTH)}`,
  'another status before it': `HTTP/1.1 103 Early\nA : b\n\n${withLines(LENGTH)}`,
};

describe('heads that curl and browsers read', () => {
  it.each(Object.entries(MENDED))('%s', async (_what, answer) => {
    for (const slowly of [false, true]) {
      const { device, connections } = await answering(answer, { slowly });

      const answers = [
        await device.get('/API/x'),
        await device.get('/API/x'),
        await device.put('/API/x', '<A/>'),
      ];

      expect(answers.map(({ http, text }) => `${http} ${text}`)).toEqual(Array(3).fill(`200 ${BODY}`));
      expect(connections(), 'one connection for all').toBe(1);
    }
  });

  it.each([
    ['an HTTP/1.0 answer without a length', `HTTP/1.0 200 OK\nServer: x\n\n${BODY}`],
    ['the last empty line after the chunks missing', `${CHUNKED}9\r\n${BODY}\r\n0\r\n`],
    ['an encoding that is none', `${OK}\r\nTransfer-Encoding: identity\r\n\r\n${BODY}`],
  ])('%s, and the connection ends', async (_what, answer) => {
    const { device } = await answering(answer, { ends: true });

    expect((await device.get('/API/x')).text).toBe(BODY);
  });

  it('are recognised by discovery too (else: the device is not found)', async () => {
    const { port } = await answering(`${OK}\nno name\nServer : x\n${LENGTH}\n${LENGTH}\n\n${BODY}`);

    const result = await getOnce(
      { host: '127.0.0.1', port, secure: false },
      '/',
      { connectMs: 3_000, totalMs: 5_000 },
      new AbortController().signal,
    );

    expect(result).toMatchObject({ kind: 'answer', answer: { http: 200, text: BODY } });
  });
});

describe('an answer whose end is in doubt stays refused', () => {
  it.each([
    ['two lengths', withLines(LENGTH, 'Content-Length: 20')],
    ['two lengths in one line', withLines('Content-Length: 9, 20')],
    ['two lengths, one with a space before its colon', withLines(LENGTH, 'Content-Length : 20')],
    ['two lengths by a folded line', withLines(LENGTH, 'Content-Length:', ' 20')],
    ['a length that is no number', withLines('Content-Length: 9x')],
    ['a length with a sign', withLines('Content-Length: +9')],
    ['a length whose name holds a sign', withLines('Content-\0Length: 9')],
    ['chunked before another coding', withLines('Transfer-Encoding: chunked, gzip', LENGTH)],
    ['a chunk that is longer than it says', `${CHUNKED}3\r\n${BODY}\r\n0\r\n\r\n`],
    ['a size that is no number', `${CHUNKED}x\n${BODY}\n0\n\n`],
  ])('%s', async (_what, answer) => {
    const { device } = await answering(answer, { ends: true });

    const error = await errorOf(device.put('/API/x', '<A/>'));

    expect(error.shape).toMatchObject({ code: 'malformed-answer', sent: true });
  });

  it('chunks count where a length stands beside them, and the connection is not used again (RFC 9112, 6.3)', async () => {
    const smuggled = withLines('Content-Length: 7').replace(BODY, '<evil/>');
    const { device, connections } = await answering(
      `${OK}\r\n${LENGTH}\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n${BODY}\r\n0\r\n\r\n${smuggled}`,
    );

    const answers = [await device.get('/API/x'), await device.get('/API/y')];

    expect(answers.map(({ text }) => text)).toEqual([BODY, BODY]);
    expect(connections()).toBe(2);
  });

  // Would catch: a connection that is kept although what follows may belong to the answer before.
  it('chunks beside a length close the connection, also where nothing follows them', async () => {
    const { device, connections } = await answering(
      `${OK}\r\n${LENGTH}\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n${BODY}\r\n0\r\n\r\n`,
    );

    const answers = [await device.get('/API/x'), await device.get('/API/y')];

    expect(answers.map(({ text }) => text)).toEqual([BODY, BODY]);
    expect(connections()).toBe(2);
  });

  // Would catch: a head that is held for as long as it comes.
  it('a head without an end, after a few kilobytes', async () => {
    let written = 0;
    const server = await startRawServer((socket) => {
      const more = (): void => {
        if (socket.destroyed) return;
        written += 16_000;
        socket.write(`A: ${'x'.repeat(15_995)}\r\n`, () => setImmediate(more));
      };
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(`${OK}\r\n`);
        more();
      });
    });
    onTestFinished(() => server.close());
    const device = oneDevice(server.url, { profile: { inFlight: 1, deadlineMs: 3_000 } });
    onTestFinished(() => device.clients.close());

    expect((await errorOf(device.put('/API/x', '<A/>'))).code).toBe('answer-too-large');
    expect(written).toBeLessThan(1_000_000);
  });

  it('a head beyond the limit of the parser, mended or not', async () => {
    const long = Array.from({ length: 30 }, (_, nth) => `A${nth}: ${'x'.repeat(1_000)}`);
    const { device } = await answering(`${[OK, ...long, LENGTH].join('\n')}\n\n${BODY}`);

    expect((await errorOf(device.get('/API/x'))).code).toBe('answer-too-large');
  });

  it('what is no HTTP is refused at once, not at the deadline', async () => {
    const { device } = await answering('SSH-2.0-dropbear\r\n');

    expect((await errorOf(device.get('/API/x'))).code).toBe('malformed-answer');
  });
});

describe('a device that writes its heads like that', () => {
  it.each(['line-feeds', 'nameless', 'spaced', 'length-twice', 'folded'])(
    '%s: is signed in to, read and written',
    async (how) => {
      const site = await startSite({
        kinds: ['thermal'],
        auth: 'digest',
        password: 'Pa55-word',
        faults: [`odd-head,how=${how}`],
      });
      onTestFinished(() => site.close());
      const device = oneDevice(site.device(0).url, { password: 'Pa55-word' });
      onTestFinished(() => device.clients.close());
      const path = '/API/Thermal/channels/1/thermometryMode';

      const before = await device.get(path);
      const written = await device.put(path, before.text.replace(/<mode>\w+/, '<mode>expert'));

      expect(written.status.kind).toBe('ok');
      expect((await device.get(path)).text).toContain('<mode>expert</mode>');
    },
  );
});
