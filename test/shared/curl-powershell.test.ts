/** The command line for PowerShell, read by a real curl as PowerShell would give it. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toPowerShellCurl } from '#shared/text/curl-powershell.ts';
import type { Exchange } from '#shared/exchange.ts';

const PATH = process.platform === 'win32' ? 'C:\\Windows\\System32\\curl.exe' : '/usr/bin/curl';
const CURL = existsSync(PATH) ? PATH : '';

const BODIES = [
  '{"a":"b\\"c"}',
  "it's 'quoted' ‘and’ \"so\"",
  'first\n\'@ | Remove-Item C:\\\n"@\n$(whoami) `whoami` $env:USERNAME',
  'url = "http://elsewhere"\r\nuser = "x"',
  '<name>Jürgen 王小明 😀</name>',
  '\u0003\u001b[2J\u202ereversed\t\\n \\u0041',
  '-rf @/etc/passwd %USERNAME% # no comment',
];

interface Received {
  readonly method?: string;
  readonly url?: string;
  readonly type?: string;
  readonly body: string;
}
let server: Server;
let received: Received | undefined;
let device: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method, url, headers } = request;
      received = {
        method: method ?? '',
        url: url ?? '',
        type: headers['content-type'] ?? '',
        body: Buffer.concat(parts).toString('utf8'),
      };
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  device = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const exchange = (requestBody: string): Exchange => ({
  method: 'PUT',
  url: '/API/[x]/../y?format=json&a=1',
  requestHeaders: { 'content-type': 'text/"odd" \'type\'' },
  requestBody,
  http: 200,
  responseBody: '',
  ms: 3,
});

/** Returns what PowerShell gives to curl: a here-string as it stands, or what `[regex]::Unescape` makes of a word. */
function inputOf(command: string): string {
  const here = /(?:^|\n)@'\n([^]*)\n'@ \| curl\.exe --config -$/.exec(command)?.[1];
  if (here !== undefined) {
    expect(here).not.toMatch(/^\s*['‘’‚‛]@/m);
    return here;
  }
  const word =
    /\[regex\]::Unescape\('((?:[^'‘’‚‛]|'')*)'\) \| curl\.exe --config -$/.exec(command)?.[1] ?? '';
  return word
    .replaceAll("''", "'")
    .replaceAll(/\\(?:u([0-9a-f]{4})|(.))/g, (_whole, code: string | undefined, plain: string) =>
      code === undefined ? plain : String.fromCharCode(Number.parseInt(code, 16)),
    );
}

describe('the command line for PowerShell', () => {
  // Would catch: a body that PowerShell breaks at its quotation marks, or a value of a device that runs as a command.
  it.skipIf(CURL === '').each(BODIES)('sends %j unchanged', async (body) => {
    const command = toPowerShellCurl(exchange(body), { device, auth: 'none' });
    received = undefined;

    await new Promise<void>((resolve, reject) => {
      const child = execFile(CURL, ['--config', '-', '--noproxy', '*'], (error) =>
        error === null ? resolve() : reject(error),
      );
      child.stdin?.end(inputOf(command));
    });

    expect(received).toEqual({
      method: 'PUT',
      url: '/API/[x]/../y?format=json&a=1',
      type: 'text/"odd" \'type\'',
      body,
    });
  });

  it.each(BODIES)('shows a terminal nothing but printable characters for %j', (body) => {
    expect(toPowerShellCurl(exchange(body), { device })).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
    );
  });

  it('asks for the password, and says the encoding only where it is needed', () => {
    const plain = toPowerShellCurl(exchange('{"a":1}'), { device: 'http://10.0.0.2', user: 'admin:secret' });

    expect(plain).toContain('digest\nuser = "USER"\n');
    expect(plain).not.toMatch(/secret|OutputEncoding/);
    expect(toPowerShellCurl(exchange('ü'), { device })).toMatch(/^\$OutputEncoding = /);
  });
});
