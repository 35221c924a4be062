/** The checking side of Digest, as strict or odd as a test wants it. */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { parseChallenges } from '#engine/device/sign-in/challenge.ts';

export interface DigestDeviceOptions {
  readonly password: string;
  /** Algorithm named in the challenge; undefined: none is named. */
  readonly algorithm?: string;
  /** Every nonce is good for one request. */
  readonly rotate?: 'stale' | 'silent' | 'nextnonce';
  /** Spelling of `stale="FALSE"` and the like if the nonce is not stale. */
  readonly freshMark?: string;
  /** `refusals`: how many requests were turned away by then, this one included. */
  readonly refusalBody?: string | ((failures: number, refusals: number) => string);
  /** Number of good uses of one nonce, and the answer to the next one. */
  readonly uses?: { readonly count: number; readonly then: 'no challenge' | 'fresh challenge' };
  /** Limits of this account: the way a rightly signed request is turned away. */
  readonly forbids?: (request: IncomingMessage) => Forbidding | undefined;
  /** Every challenge has the same nonce, which is good for any number of uses. */
  readonly sameNonce?: boolean;
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => void;
}

/** A refusal that tells a number of attempts, as access terminals do: a device that does so need not prove a sign-in elsewhere first. */
export const TELLS_ATTEMPTS = '<userCheck><retryLoginTime>5</retryLoginTime></userCheck>';

/** A 401 with a challenge, with a bare XML body, or with a challenge and a status that names the missing right. */
export type Forbidding = 'fresh challenge' | 'no challenge' | 'status';

const NO_RIGHT: Readonly<Record<Forbidding, string>> = {
  'fresh challenge': '<html><body>Unauthorized</body></html>',
  'no challenge':
    '<userCheck><statusValue>401</statusValue><statusString>Unauthorized</statusString></userCheck>',
  status:
    '<ResponseStatus version="2.0"><statusCode>4</statusCode><statusString>Invalid Operation</statusString><subStatusCode>lowPrivilege</subStatusCode></ResponseStatus>',
};

/** Returns a handler that accepts right signatures; `failures` counts refused credentials. */
export function digestDevice(options: DigestDeviceOptions) {
  const hashName = options.algorithm?.toUpperCase().startsWith('SHA-256') ? 'sha256' : 'md5';
  const hash = (text: string) => createHash(hashName).update(text, 'utf8').digest('hex');
  /** Uses so far; with `-sess` the key that the session got with its first nonces (RFC 7616, 3.4.2). */
  const nonces = new Map<string, { count: number; key?: string }>();
  const state = { password: options.password, failures: 0, refusals: 0, forgetNonces: () => nonces.clear() };

  function bodyOf(failures: number): string {
    const { refusalBody = '<html><body>Unauthorized</body></html>' } = options;
    state.refusals += 1;
    return typeof refusalBody === 'string' ? refusalBody : refusalBody(failures, state.refusals);
  }
  function freshNonce(key?: string): string {
    const nonce = options.sameNonce === true ? 'always the same' : randomBytes(12).toString('hex');
    nonces.set(nonce, { count: 0, ...removeUndefined({ key }) });
    return nonce;
  }
  function refuse(response: ServerResponse, stale: boolean, body = bodyOf(state.failures)): void {
    const parts = [
      'qop="auth"',
      'realm="device, one"',
      `nonce="${freshNonce()}"`,
      stale ? 'stale="TRUE"' : (options.freshMark ?? 'stale="FALSE"'),
    ];
    if (options.algorithm !== undefined) parts.push(`algorithm=${options.algorithm}`);
    response.writeHead(401, {
      'www-authenticate': `Digest ${parts.join(', ')}`,
      'content-type': 'text/html',
    });
    response.end(body);
  }
  function handler(request: IncomingMessage, response: ServerResponse): void {
    const params = parseChallenges(request.headers.authorization)[0]?.params;
    if (params === undefined) return refuse(response, false);
    const nonce = params.get('nonce') ?? '';
    const session = options.algorithm?.toLowerCase().endsWith('-sess') ?? false;
    const user = hash(`admin:device, one:${state.password}`);
    const known = nonces.get(nonce);
    const ha1 = session ? (known?.key ?? hash(`${user}:${nonce}:${params.get('cnonce')}`)) : user;
    const expected = hash(
      `${ha1}:${nonce}:${params.get('nc')}:${params.get('cnonce')}:auth:${hash(`${request.method}:${request.url}`)}`,
    );
    const right = params.get('response') === expected && params.get('uri') === request.url;
    const nc = Number.parseInt(params.get('nc') ?? '', 16);
    const usable =
      known !== undefined &&
      (nc > known.count || options.sameNonce === true) &&
      (options.rotate === undefined || known.count === 0);
    if (usable && options.uses !== undefined && known.count >= options.uses.count) {
      if (options.uses.then === 'fresh challenge') return refuse(response, false);
      return void response.writeHead(401, { 'content-type': 'text/html' }).end(bodyOf(state.failures));
    }
    const forbidden = right && usable ? options.forbids?.(request) : undefined;
    if (forbidden !== undefined) {
      if (forbidden !== 'no challenge')
        return refuse(response, false, options.refusalBody === undefined ? NO_RIGHT[forbidden] : undefined);
      return void response.writeHead(401, { 'content-type': 'application/xml' }).end(NO_RIGHT[forbidden]);
    }
    if (right && usable) {
      known.count = nc;
      if (session) known.key = ha1;
      if (options.rotate === 'nextnonce')
        response.setHeader('authentication-info', `nextnonce="${freshNonce(known.key)}"`);
      return options.answer === undefined ? void response.end('<Ok/>') : options.answer(request, response);
    }
    if (right && options.rotate === 'silent') return refuse(response, false);
    if (right) return refuse(response, true);
    state.failures += 1;
    return refuse(response, false);
  }
  return { handler, state };
}
