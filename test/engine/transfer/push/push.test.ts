import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DeviceClient } from '#engine/device/client-types.ts';
import { createCancelledError } from '#engine/device/transport/transport-errors.ts';
import { pushPackage, type PushProgress, type PushRequest } from '#engine/transfer/push/push-package.ts';
import { openPackage, type PackageFile } from '#engine/transfer/serve/package-file.ts';
import { startSite, type Site, type SiteOptions } from '#test/helpers/strict-site.ts';
import { oneDevice } from '#test/engine/device/directory.ts';
import { folder } from '../serve/offer.ts';

async function aFile(size = 5_000_001): Promise<{ readonly file: PackageFile; readonly path: string }> {
  const path = join(folder(), 'm.bin');
  writeFileSync(path, randomBytes(size));
  return { path, file: await openPackage(path) };
}

/** Sends to what is at `url`; `afterRead` happens between asking and sending. */
function pusher(url: string, afterRead: () => void = () => undefined, other: Partial<DeviceClient> = {}) {
  const { clients } = oneDevice(url, { password: 'pw' });
  onTestFinished(() => clients.close());
  const client = clients.get('d-1');
  return (file: PackageFile, options: Partial<PushRequest> = {}) =>
    pushPackage({
      client: {
        ...client,
        read: async (...asked) => {
          const answer = await client.read(...asked);
          afterRead();
          return answer;
        },
        ...other,
      },
      file,
      model: { MPID: 'p', MPName: 'Helmets', engine: [2] },
      signal: new AbortController().signal,
      ...options,
    });
}

async function site(options: SiteOptions = {}): Promise<Site> {
  const started = await startSite({ kinds: ['ai'], password: 'pw', pushModels: true, ...options });
  onTestFinished(() => started.close());
  return started;
}

function held(
  of: Site,
): { readonly stage: string; readonly bytes: number; readonly sha256?: string } | undefined {
  const { packages } = of.device(0).state().parts['models'] as {
    readonly packages: readonly { readonly MPID: string; readonly stage: string; readonly bytes: number }[];
  };
  return packages.find(({ MPID }) => MPID === 'p');
}

/** Starts a device that reports the flag and handles the body with `take`. */
async function device(take: (request: IncomingMessage, response: ServerResponse, number: number) => void) {
  let uploads = 0;
  const server: Server = createServer((request, response) => {
    if (request.method === 'POST') {
      uploads += 1;
      return take(request, response, uploads);
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"isSupportUploadModelwithPushBinaryData":true}');
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, uploads: () => uploads };
}

describe('a package that is sent as a body', () => {
  // Would catch: a body in chunks, of a wrong length, or whose blocks were written over before they went out.
  it.each(['digest', 'digest-sha256', 'none'] as const)(
    'arrives as it is, once, signed in before (%s)',
    async (auth) => {
      const started = await site({ auth });
      const { file } = await aFile();
      const told: PushProgress[] = [];

      const answer = await pusher(started.devices[0]?.url ?? '')(file, { onProgress: (at) => told.push(at) });

      expect(answer.status.kind).toBe('ok');
      expect(held(started)).toMatchObject({ stage: 'waiting', bytes: file.size, sha256: file.sha256 });
      expect(told.at(-1)).toMatchObject({ bytes: file.size, total: file.size });
      const uploads = started.device(0).requests.filter(({ method }) => method === 'POST');
      expect(uploads.map(({ http }) => http)).toEqual([200]);
    },
  );

  it('has the length it announces, and no chunks', async () => {
    const { file } = await aFile(700_000);
    let seen: IncomingMessage['headers'] = {};
    let length = 0;
    const hash = createHash('sha256');
    const there = await device((request, response) => {
      seen = request.headers;
      request.on('data', (chunk: Buffer) => {
        length += chunk.length;
        hash.update(chunk);
      });
      request.on('end', () => response.end('{"statusCode":1}'));
    });

    await pusher(there.url)(file);

    expect([seen['content-length'], seen['transfer-encoding'], seen['expect']]).toEqual([
      String(length),
      undefined,
      undefined,
    ]);
    expect(seen['content-type']).toMatch(/^multipart\/form-data; boundary=\S+$/);
  });

  it('is not sent where the device does not report it', async () => {
    const started = await site({ pushModels: false });
    const { file } = await aFile(1000);

    const pushing = pusher(started.devices[0]?.url ?? '')(file);

    await expect(pushing).rejects.toMatchObject({
      shape: { code: 'not-supported', detail: { id: 'push.not-reported' } },
    });
    expect(started.device(0).requests.some(({ method }) => method === 'POST')).toBe(false);
  });

  // Would catch: a stream that was consumed by the first attempt and is sent empty by the second.
  it('is read anew where the device asks for the sign-in again', async () => {
    const started = await site({ nonceLifetimeMs: 60_000 });
    const { file } = await aFile();
    const push = pusher(started.devices[0]?.url ?? '', () => started.clock.advance(61_000));

    await push(file);

    const uploads = started.device(0).requests.filter(({ method }) => method === 'POST');
    expect(uploads.map(({ http }) => http)).toEqual([401, 200]);
    expect(held(started)?.sha256).toBe(file.sha256);
  });

  // Would catch: a signature over nothing, which the device counts as a wrong password.
  it('is not sent to a device that wants all of it signed in advance', async () => {
    const challenge = 'Digest realm="r", nonce="n", qop="auth-int", algorithm=SHA-256';
    const server = createServer((request, response) => {
      request.resume();
      if (request.headers.authorization === undefined)
        return void response.writeHead(401, { 'www-authenticate': challenge }).end();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"isSupportUploadModelwithPushBinaryData":true}');
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { file } = await aFile(1000);

    const pushing = pusher(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)(file);

    await expect(pushing).rejects.toMatchObject({
      shape: { code: 'not-supported', detail: { id: 'device.signs-body' }, sent: false },
    });
  });

  it('that is refused gives the answer of the device, also before all of it was sent', async () => {
    const started = await site({ modelStorageMb: 181 });
    const { file } = await aFile(8_000_000);

    const answer = await pusher(started.devices[0]?.url ?? '')(file);

    expect(answer.status).toMatchObject({ report: { subStatusCode: 'storageFull' } });
    expect(held(started)).toBeUndefined();
  });

  it('ends with words where the device cuts the connection: nobody knows what became of it', async () => {
    const started = await site({ faults: ['download-drops'] });
    const { file } = await aFile();

    const pushing = pusher(started.devices[0]?.url ?? '')(file);

    await expect(pushing).rejects.toMatchObject({ shape: { code: 'connection-lost', sent: true } });
  });

  // Would catch: a partly received package reported as taken.
  it('is not taken by a device that says so before all of it was sent', async () => {
    const there = await device((_request, response) => response.end('{"statusCode":1}'));
    const { file } = await aFile(8_000_000);

    const pushing = pusher(there.url)(file);

    await expect(pushing).rejects.toMatchObject({
      shape: { code: 'refused', sent: true, detail: { id: 'push.answered-early', values: { total: 7.6 } } },
    });
  });

  // Would catch: a day of waiting for a device that does not take even the first piece.
  it('is given up where the device takes none of it', async () => {
    const there = await device(() => undefined);
    const { file } = await aFile(1000);
    // The system here takes in more for a device than any first piece has; others do not.
    const upload: DeviceClient['upload'] = async (_operation, _params, body, { signal }) => {
      await body.open()[Symbol.asyncIterator]().next();
      await once(signal, 'abort');
      throw createCancelledError(true);
    };

    const pushing = pusher(there.url, undefined, { upload })(file, { stuckMs: 300 });

    await expect(pushing).rejects.toMatchObject({ shape: { code: 'timeout', detail: { id: 'push.stuck' } } });
  });

  it('is given up where the device takes nothing any more', async () => {
    const there = await device((request) => {
      request.once('data', () => request.pause());
    });
    const { file } = await aFile(20_000_000);

    const pushing = pusher(there.url)(file, { stuckMs: 300 });

    await expect(pushing).rejects.toMatchObject({ shape: { code: 'timeout', detail: { id: 'push.stuck' } } });
    expect(there.uploads()).toBe(1);
  });

  it('is cancelled in the middle', async () => {
    const started = await site({ downloadRate: 1_000_000 });
    const { file } = await aFile(30_000_000);
    const cancel = new AbortController();

    const pushing = pusher(started.devices[0]?.url ?? '')(file, {
      signal: cancel.signal,
      onProgress: ({ bytes }) => {
        if (bytes > 0) cancel.abort();
      },
    });

    await expect(pushing).rejects.toMatchObject({ shape: { code: 'cancelled' } });
    expect(held(started)).toBeUndefined();
  });

  it('that has changed since it was hashed is not sent to its end', async () => {
    const started = await site();
    const { file, path } = await aFile();
    writeFileSync(path, randomBytes(file.size));

    const pushing = pusher(started.devices[0]?.url ?? '')(file);

    await expect(pushing).rejects.toMatchObject({ shape: { code: 'changed-meanwhile' } });
    expect(held(started)).toBeUndefined();
  });
});
