/** Reading a request's body without ever holding more than a device would. */
import type { IncomingMessage } from 'node:http';

const BODY_LIMIT = 1024 * 1024;

type BodyReading =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'lost' };

export function isBodyTooLarge({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > BODY_LIMIT;
}

export function readBody(request: IncomingMessage): Promise<BodyReading> {
  if (isBodyTooLarge(request)) return Promise.resolve({ kind: 'too-large' });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > BODY_LIMIT) {
        chunks.length = 0;
        request.pause();
        resolve({ kind: 'too-large' });
      } else {
        chunks.push(chunk);
      }
    });
    request.once('end', () => resolve({ kind: 'read', bytes: Buffer.concat(chunks) }));
    request.once('error', () => resolve({ kind: 'lost' }));
    request.once('close', () => resolve({ kind: 'lost' }));
  });
}
