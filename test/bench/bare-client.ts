/** The least that sends recorded requests to a device: undici, and Digest where the device asks for it. */
import { createHash, randomBytes } from 'node:crypto';
import { request, type Dispatcher } from 'undici';
import type { BenchDevice, RecordedRequest } from './shared.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';

interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque?: string;
  readonly algorithm?: string;
  count: number;
}

function readChallenge(header: string): Challenge {
  const fields = Object.fromEntries(
    [...header.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)].map(([, name, quoted, plain]) => [
      name ?? '',
      quoted ?? plain ?? '',
    ]),
  );
  return {
    realm: fields['realm'] ?? '',
    nonce: fields['nonce'] ?? '',
    count: 0,
    ...(fields['opaque'] ? { opaque: fields['opaque'] } : {}),
    ...(fields['algorithm'] ? { algorithm: fields['algorithm'] } : {}),
  };
}

function authorization(device: BenchDevice, challenge: Challenge, method: string, path: string): string {
  const name = challenge.algorithm === 'SHA-256' ? 'sha256' : 'md5';
  const hash = (text: string): string => createHash(name).update(text).digest('hex');
  challenge.count += 1;
  const nc = challenge.count.toString(16).padStart(8, '0');
  const cnonce = randomBytes(8).toString('hex');
  const response = hash(
    `${hash(`${device.user}:${challenge.realm}:${device.password}`)}:${challenge.nonce}:${nc}:${cnonce}:auth:${hash(`${method}:${path}`)}`,
  );
  return (
    `Digest username="${device.user}", realm="${challenge.realm}", nonce="${challenge.nonce}", uri="${path}", response="${response}", qop=auth, nc=${nc}, cnonce="${cnonce}"` +
    `${challenge.algorithm ? `, algorithm=${challenge.algorithm}` : ''}${challenge.opaque ? `, opaque="${challenge.opaque}"` : ''}`
  );
}

/** Sends to one device; gives the HTTP status. The first request has to go alone: its answer holds the challenge. */
export function bareClient(
  device: BenchDevice,
  dispatcher: Dispatcher,
): (recorded: RecordedRequest) => Promise<number> {
  let challenge: Challenge | undefined;
  return async function send({ method, path, contentType, body, signed }) {
    const answer = await request(`${device.url}${path}`, {
      method,
      dispatcher,
      headers: {
        ...(contentType ? { 'content-type': contentType } : {}),
        ...(signed && challenge ? { authorization: authorization(device, challenge, method, path) } : {}),
      },
      ...removeUndefined({ body }),
    });
    const offered = answer.headers['www-authenticate'];
    if (answer.statusCode === 401 && offered) challenge = readChallenge(String(offered));
    await answer.body.text();
    return answer.statusCode;
  };
}
