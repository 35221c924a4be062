/** A device that takes whatever is sent and keeps nothing. First line asked: any; answers with its URL. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

const server = createServer({ requestTimeout: 0 }, (request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"isSupportUploadModelwithPushBinaryData":true}');
    return;
  }
  request.resume();
  request.once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"statusCode":1}');
  });
});
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
for await (const _line of createInterface({ input: process.stdin }))
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`,
  );
process.stdout.write('{}\n');
server.closeAllConnections();
server.close();
