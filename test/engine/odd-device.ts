/** A device that misbehaves as a test wants it: no sign-in, one document a path, and a say in every answer. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { removeUndefined } from '#shared/remove-undefined.ts';

export interface OddRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly bytes: Buffer;
  readonly type: string;
}
/** `cut` ends the connection without an answer; `text` is sent as it is. */
export type OddAnswer =
  | { readonly cut: true }
  | {
      readonly http?: number;
      readonly text: string | Buffer;
      readonly type?: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

export interface OddDevice {
  readonly url: string;
  readonly requests: readonly OddRequest[];
  close(): Promise<void>;
}

export const OK =
  '<?xml version="1.0" encoding="UTF-8"?><ResponseStatus version="2.0"><statusCode>1</statusCode><statusString>OK</statusString><subStatusCode>ok</subStatusCode></ResponseStatus>';

/** A device that keeps what it is sent, at paths without the prefix; whatever else it is asked for it does not have. */
export async function startKeepingDevice(
  documents: Map<string, string | Buffer>,
  type?: string,
): Promise<OddDevice> {
  return startOddDevice(({ method, path, bytes }) => {
    const at = path.replace(/^\/API/, '');
    const held = documents.get(at);
    if (held === undefined) return { http: 404, text: '' };
    if (method === 'GET') return { text: held, ...removeUndefined({ type }) };
    documents.set(at, bytes);
    return { text: OK };
  });
}

export async function startOddDevice(
  answer: (request: OddRequest, count: number) => OddAnswer | Promise<OddAnswer>,
): Promise<OddDevice> {
  const requests: OddRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const bytes = Buffer.concat(chunks);
      const request = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        body: bytes.toString('utf8'),
        bytes,
        type: incoming.headers['content-type'] ?? '',
      };
      requests.push(request);
      const given = await answer(request, requests.filter(({ method }) => method === request.method).length);
      if ('cut' in given) {
        incoming.socket.destroy();
        return;
      }
      response.writeHead(given.http ?? 200, {
        'content-type': given.type ?? 'application/xml',
        ...given.headers,
      });
      response.end(given.text);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
