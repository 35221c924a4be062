/** A device that is not ours: other prefix and namespace, CRLF, terse Digest with a new nonce each time. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScriptJob } from '#cli/output/for-scripts.ts';
import type { CallAnswer, Job, Plan } from '#shared/model.ts';
import { makeFolder, run } from './helpers.ts';

const USER = 'service';
const PASSWORD = 'Bell & Söhne "7"';
const MODE = '/DevIf/Thermal/channels/1/thermometryMode';
const ORIGINAL = [
  '<?xml version="1.0" encoding="UTF-8" ?>',
  '<ThermometryMode version="1.0" xmlns="http://vendor.example/ver10/XMLSchema">',
  '<vendorHint a="1">A & B</vendorHint>',
  '<mode>normal</mode>',
  '<mode2/>',
  '<thermometryROIEnabled>false</thermometryROIEnabled>',
  '</ThermometryMode>',
  '',
].join('\r\n');

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

class ForeignDevice {
  document = ORIGINAL;
  readonly requests: string[] = [];
  readonly #nonces = new Set<string>();
  readonly server: Server = createServer((request, response) => {
    void this.#answer(request, response);
  });

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** RFC 7616 without `algorithm` and `opaque`; each nonce is good once. */
  #isSignedIn(request: IncomingMessage): boolean {
    const fields = Object.fromEntries(
      [...(request.headers.authorization ?? '').matchAll(/(\w+)="?((?:\\"|[^",])*)"?/g)].map(
        ([, name, value]) => [name, value],
      ),
    );
    if (!this.#nonces.delete(fields['nonce'] ?? '')) return false;
    const first = md5(`${USER}:unit:${PASSWORD}`);
    const second = md5(`${request.method}:${fields['uri']}`);
    return (
      fields['response'] ===
      md5(`${first}:${fields['nonce']}:${fields['nc']}:${fields['cnonce']}:auth:${second}`)
    );
  }

  #challenge(response: ServerResponse): void {
    const nonce = randomBytes(9).toString('base64url');
    this.#nonces.add(nonce);
    response.writeHead(401, {
      'WWW-Authenticate': `Digest qop="auth", realm="unit", nonce="${nonce}", stale="FALSE"`,
      'Content-Type': 'text/html',
    });
    response.end('<html><body>401</body></html>');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (!this.#isSignedIn(request)) return this.#challenge(response);
    this.requests.push(`${request.method} ${request.url}`);
    response.setHeader('Date', 'Thu, 01 Jan 1970 00:00:00 GMT');
    if (request.url !== MODE) {
      response.writeHead(404, { 'Content-Type': 'text/html' });
      response.end('<html>no such page</html>');
    } else if (request.method === 'PUT') {
      this.document = Buffer.concat(parts).toString();
      response.writeHead(200);
      response.end();
    } else {
      response.writeHead(200, { 'Content-Type': 'text/plain' });
      response.end(this.document);
    }
  }
}

const folder = makeFolder();
const device = new ForeignDevice();
const env = { FIELDWRIGHT_PASSWORD: PASSWORD };
let target: readonly string[];

beforeAll(async () => {
  device.server.listen(0, '127.0.0.1');
  await once(device.server, 'listening');
  target = ['--device', device.url, '--prefix', '/DevIf', '--user', USER, '--json'];
});
afterAll(() => {
  device.server.closeAllConnections();
  device.server.close();
  folder.remove();
});

describe('a foreign device', () => {
  it('is read, changed and read back, byte for byte the same where nothing was asked', async () => {
    const file = folder.file('mode.yaml');
    writeFileSync(
      file,
      'fieldwright: template/1\nname: Mode\nsections:\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mode: expert }\n',
    );

    const planned = await run(folder, ['plan', '--template', file, ...target], { env });
    expect(planned.code).toBe(0);
    expect(planned.json<Plan>().devices[0]?.sections[0]).toMatchObject({
      state: 'changes',
      changes: [{ path: 'mode', from: 'normal', to: 'expert' }],
    });
    expect(device.requests.every((request) => request.startsWith('GET /DevIf/'))).toBe(true);

    const applied = await run(folder, ['apply', '--template', file, '--yes', ...target], { env });
    expect(applied.code).toBe(0);
    expect(applied.json<ScriptJob>().results[0]?.sections[0]?.outcome).toBe('effective');
    expect(device.document.replaceAll('\r\n', '\n').replace('A &amp; B', 'A & B')).toBe(
      ORIGINAL.replace('normal', 'expert').replaceAll('\r\n', '\n'),
    );

    const again = await run(folder, ['apply', '--template', file, '--yes', ...target], { env });
    expect(again.json<Job>().counts).toEqual({ unchanged: 1 });
    expect(planned.stdout + applied.stdout + again.stdout).not.toContain(PASSWORD);
  });

  // Would catch: a member of the device's own that `call` says it keeps and shows nowhere.
  it('has its own members shown, to scripts and to people', async () => {
    const asked = ['call', 'thermal.thermometryMode.get', '--param', 'channelID=1'];
    const forScripts = await run(folder, [...asked, ...target], { env });
    const forPeople = await run(folder, [...asked, ...target.filter((word) => word !== '--json')], { env });

    expect(forScripts.json<CallAnswer>().unlisted).toEqual([
      { path: 'vendorHint', value: 'A & B' },
      { path: 'mode2', value: '' },
    ]);
    expect(forPeople.stdout).toMatch(/NOT IN THE SPECIFICATION +VALUE\nvendorHint +A & B\n/);
  });

  it('has its 404 page reported as what it is', async () => {
    const result = await run(folder, ['call', 'gate.status.get', ...target], { env });

    expect(result.code).toBe(1);
    expect(result.json()).toMatchObject({ outcome: 'refused', status: { http: 404 } });
  });
});
