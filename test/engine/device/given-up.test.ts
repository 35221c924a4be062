/** Connections on which a request was given up. */
import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { errorOf, oneDevice } from './directory.ts';
import { makeCertificate } from './tls-server.ts';

/** Answers to GET alone; tells how its first connection ended. */
async function deafDevice(
  scheme: 'http' | 'https',
): Promise<{ readonly url: string; readonly ended: Promise<string>; readonly certificate?: string }> {
  const ended = Promise.withResolvers<string>();
  const onlyGet: RequestListener = (request, response) => {
    if (request.method === 'GET') response.end('<A/>');
  };
  const certificate = scheme === 'https' ? await makeCertificate() : undefined;
  const server =
    certificate === undefined
      ? createPlainServer(onlyGet)
      : createSecureServer({ key: certificate.key, cert: certificate.cert }, onlyGet);
  server
    .on(scheme === 'https' ? 'secureConnection' : 'connection', (socket: Socket) => {
      socket
        .on('error', (error: NodeJS.ErrnoException) => ended.resolve(error.code ?? ''))
        .on('end', () => ended.resolve('end'));
    })
    .on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ended: ended.promise,
    ...(certificate === undefined ? {} : { certificate: certificate.fingerprint }),
  };
}

// Would catch: a write that was given up while a cable was out, and that the system delivers when the cable is back: behind the
// read that showed the old value, and behind the write that followed it. Measured between two network namespaces.
it.each(['http', 'https'] as const)(
  'is reset, so that nothing of it is sent any more (%s)',
  async (scheme) => {
    const server = await deafDevice(scheme);
    const device = oneDevice(server.url, {
      profile: { deadlineMs: 300 },
      ...(server.certificate === undefined ? {} : { certificate: server.certificate }),
    });
    onTestFinished(() => device.clients.close());

    expect((await errorOf(device.put('/API/x', '<A/>'))).code).toBe('timeout');
    expect(await server.ended).toBe('ECONNRESET');
  },
);

// Would catch: every connection reset at its end, so that the device logs an error for each and may lose what it still sends.
it.each(['http', 'https'] as const)('ends in the common way when nothing is due (%s)', async (scheme) => {
  const server = await deafDevice(scheme);
  const device = oneDevice(
    server.url,
    server.certificate === undefined ? {} : { certificate: server.certificate },
  );

  expect((await device.get('/API/x')).http).toBe(200);
  await device.clients.close();
  expect(await server.ended).toBe('end');
});
