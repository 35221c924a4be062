/** A device that misbehaves as a test wants it: no sign-in, one document a path, and a say in every answer. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OddRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}
/** `cut` ends the connection without an answer; `text` is sent as it is. */
export type OddAnswer = { readonly cut: true } | { readonly http?: number; readonly text: string | Buffer; readonly type?: string; readonly headers?: Readonly<Record<string, string>> };

export interface OddDevice {
  readonly url: string;
  readonly requests: readonly OddRequest[];
  close(): Promise<void>;
}

export const OK = '<?xml version="1.0" encoding="UTF-8"?><ResponseStatus version="2.0"><statusCode>1</statusCode><statusString>OK</statusString><subStatusCode>ok</subStatusCode></ResponseStatus>';

export async function startOddDevice(answer: (request: OddRequest, count: number) => OddAnswer): Promise<OddDevice> {
  const requests: OddRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = { method: incoming.method ?? '', path: incoming.url ?? '', body: Buffer.concat(chunks).toString('utf8') };
      requests.push(request);
      const given = answer(request, requests.filter(({ method }) => method === request.method).length);
      if ('cut' in given) {
        incoming.socket.destroy();
        return;
      }
      response.writeHead(given.http ?? 200, { 'content-type': given.type ?? 'application/xml', ...given.headers });
      response.end(given.text);
    });
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => { server.close(resolve); });
    },
  };
}
