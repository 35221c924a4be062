/** An https server that shows any certificate, another one for each connection where a test wants it; real sockets. */
import { createServer as createHttpsServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { SecureVersion, TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';

export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
  /** SHA-256, lower-case hex. */
  readonly fingerprint: string;
}

export async function makeCertificate({
  name = 'Gate 01',
  from = new Date(Date.now() - 3_600_000),
  to = new Date(Date.now() + 86_400_000),
  host = '127.0.0.1',
  kind = 'ec' as 'ec' | 'rsa',
} = {}): Promise<TestCertificate> {
  const { X509Certificate } = await import('node:crypto');
  const made = await generate([{ name: 'commonName', value: name }], {
    keyType: kind,
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: from,
    notAfterDate: to,
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: host }] }],
  });
  return {
    key: made.private,
    cert: made.cert,
    fingerprint: new X509Certificate(made.cert).fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}

export interface TlsServer {
  readonly url: string;
  /** Requests by the fingerprint that their connection showed. */
  readonly requests: { readonly shown: string; readonly authorization: string | undefined }[];
  /** TCP connections so far, and TLS sessions that were resumed. */
  readonly counts: { connections: number; resumed: number };
  /** Certificates of the next connections, in turn; the last one stays. */
  show(...certificates: TestCertificate[]): void;
  close(): Promise<void>;
}

export interface TlsServerOptions {
  readonly maxVersion?: SecureVersion;
  readonly handler?: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Every certificate has its own server behind one port; they share their ticket keys, as a device does that restarts. */
export async function startTlsServer(
  first: TestCertificate,
  { maxVersion = 'TLSv1.3', handler = (_request, response) => response.end('<Ok/>') }: TlsServerOptions = {},
): Promise<TlsServer> {
  const ticketKeys = Buffer.alloc(48, 7);
  const servers = new Map<string, Server>();
  const sockets = new Set<Socket>();
  const requests: { readonly shown: string; readonly authorization: string | undefined }[] = [];
  const counts = { connections: 0, resumed: 0 };
  let queue: TestCertificate[] = [first];

  function serverOf({ key, cert, fingerprint }: TestCertificate): Server {
    const known = servers.get(fingerprint);
    if (known !== undefined) return known;
    const server = createHttpsServer({ key, cert, ticketKeys, maxVersion }, (request, response) => {
      requests.push({ shown: fingerprint, authorization: request.headers.authorization });
      handler(request, response);
    });
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.isSessionReused()) counts.resumed += 1;
    });
    server.on('tlsClientError', () => {});
    servers.set(fingerprint, server);
    return server;
  }

  const front = createServer((socket) => {
    counts.connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    const certificate = (queue.length > 1 ? queue.shift() : queue[0]) ?? first;
    serverOf(certificate).emit('connection', socket);
  });
  await new Promise<void>((resolve) => {
    front.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `https://127.0.0.1:${(front.address() as AddressInfo).port}`,
    requests,
    counts,
    show: (...certificates) => {
      queue = certificates;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        front.close(() => resolve());
      }),
  };
}
