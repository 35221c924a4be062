/** Loopback server that a device fetches model packages from; it asks for the sign-in inside the address. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelServer {
  /** Address with its sign-in, as it goes into `URL` (part 1, 2.3). */
  url(file: string): string;
  /** Downloads that were let in. */
  served(): number;
  close(): Promise<void>;
}

const USER = 'models';
const PASSWORD = 'p@ss/wörd';

export async function startModelServer(file: Uint8Array): Promise<ModelServer> {
  let served = 0;
  const server = createServer((request, response) => {
    const expected = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;
    if (request.headers.authorization !== expected) {
      response.writeHead(401).end();
      return;
    }
    served += 1;
    response.writeHead(200, { 'content-length': String(file.length) }).end(file);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: (name) => `http://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${name}`,
    served: () => served,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
