/**
 * Sends one harmless GET without any sign-in, to see what lives at an address. Nothing secret is sent, so any
 * certificate will do here; its fingerprint is reported, not trusted.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { createSecureContext, TLSSocket } from 'node:tls';
import { isOutOfFiles } from '#shared/errors.ts';
import { WITHOUT_DHE } from '#engine/device/transport/ciphers.ts';
import { mendAnswers } from '#engine/device/transport/mend-answer.ts';
import { NO_SUCH_NAME } from '#engine/device/transport/transport-errors.ts';
import { findCause } from '#engine/files/open-files.ts';
import { getPolicy } from '#engine/files/policy.ts';
import type { RawAnswer } from './recognise.ts';

export interface Target {
  /** IP address or name; IPv6 with its zone, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/** Returns the target as an address, `http(s)://host[:port]`. */
export function formatUrl({ host, port, secure }: Target): string {
  const written = host.includes(':') ? `[${host.replace('%', '%25')}]` : host;
  return `${secure ? 'https' : 'http'}://${written}${port === (secure ? 443 : 80) ? '' : `:${port}`}`;
}

export type GetResult =
  | { readonly kind: 'answer'; readonly answer: RawAnswer; readonly certificate?: string }
  /** Connected, but what speaks there is not what was expected. */
  | { readonly kind: 'garbled' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'failed'; readonly code: string };

export interface GetLimits {
  readonly connectMs: number;
  /** Milliseconds for the whole exchange. */
  readonly totalMs: number;
}

/** A status or the start of a document is all that is looked at. */
const MOST_BYTES = 64 * 1024;
const MOST_HEADER_BYTES = 16 * 1024;
/** Answers like 103 that come before the real one. */
const MOST_INTERIM = 20;
const SILENT = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN']);

let anyCiphers: string | undefined;

/**
 * Returns TLS options that also accept obsolete versions, unless the policy forbids them: an old device is to be found, so
 * that its sign-in can say what is wrong with it.
 */
function anyTls() {
  const ciphers = (anyCiphers ??= findAcceptedCiphers([`DEFAULT:${WITHOUT_DHE}:@SECLEVEL=0`, 'DEFAULT']));
  const { minimumTls } = getPolicy();
  const minVersion = minimumTls === undefined ? 'TLSv1' : (`TLSv${minimumTls}` as const);
  return { rejectUnauthorized: false, minVersion, ciphers } as const;
}

/**
 * Returns the first of the lists of ciphers that TLS takes here: Electron's knows no security levels, and
 * refuses a list that names one.
 */
export function findAcceptedCiphers(lists: readonly string[]): string | undefined {
  return lists.find((ciphers) => {
    try {
      createSecureContext({ ciphers });
      return true;
    } catch {
      return false;
    }
  });
}

/** Sends the request once. Never throws; an aborted signal gives `failed` with `ABORTED`. */
export function getOnce(
  target: Target,
  path: string,
  limits: GetLimits,
  signal: AbortSignal,
): Promise<GetResult> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ kind: 'failed', code: 'ABORTED' });
    let connected = false;
    const options = {
      host: target.host,
      port: target.port,
      path,
      method: 'GET',
      agent: false,
      maxHeaderSize: MOST_HEADER_BYTES,
      headers: {
        host: `${target.host.includes(':') ? `[${target.host.split('%')[0]}]` : target.host}:${target.port}`,
        accept: '*/*',
        connection: 'close',
      },
    };
    const request = target.secure ? httpsRequest({ ...options, ...anyTls() }) : httpRequest(options);
    const settle = (result: GetResult): void => {
      clearTimeout(connectTimer);
      clearTimeout(totalTimer);
      signal.removeEventListener('abort', onAbort);
      resolve(result);
      request.destroy();
    };
    const onAbort = () => settle({ kind: 'failed', code: 'ABORTED' });
    const connectTimer = setTimeout(() => {
      if (!connected) settle({ kind: 'silent' });
    }, limits.connectMs);
    const totalTimer = setTimeout(
      () => settle(connected ? { kind: 'garbled' } : { kind: 'silent' }),
      limits.totalMs,
    );
    signal.addEventListener('abort', onAbort, { once: true });

    request.on('socket', (socket) => {
      mendAnswers(socket);
      socket.once('connect', () => {
        connected = true;
      });
    });
    request.on('error', (error: NodeJS.ErrnoException) => settle(failureOf(error, connected)));
    let interim = 0;
    const onInterim = () => {
      interim += 1;
      if (interim > MOST_INTERIM) settle({ kind: 'garbled' });
    };
    request.on('information', onInterim);
    request.on('continue', onInterim);
    request.on('response', (response) => {
      const certificate = fingerprintOf(response);
      let text = '';
      response.setEncoding('utf8');
      const finish = () =>
        settle({
          kind: 'answer',
          answer: answerOf(response, text),
          certificate,
        });
      response.on('data', (part: string) => {
        text += part;
        if (text.length > MOST_BYTES) finish();
      });
      response.on('end', finish);
      response.on('error', finish);
    });
    request.end();
  });
}

function answerOf(response: IncomingMessage, text: string): RawAnswer {
  return {
    http: response.statusCode ?? 0,
    challenge: String(response.headers['www-authenticate'] ?? ''),
    text,
    location: response.headers.location,
  };
}

function failureOf(error: NodeJS.ErrnoException, connected: boolean): GetResult {
  const code = error.code ?? 'UNKNOWN';
  const cause = NO_SUCH_NAME.has(code) ? findCause(error) : error;
  if (isOutOfFiles(cause)) return { kind: 'failed', code: 'EMFILE' };
  if (code === 'ECONNREFUSED') return { kind: 'refused' };
  if (!connected && SILENT.has(code)) return { kind: 'silent' };
  return connected ? { kind: 'garbled' } : { kind: 'failed', code };
}

function fingerprintOf(response: IncomingMessage): string | undefined {
  if (!(response.socket instanceof TLSSocket)) return undefined;
  const hex = (response.socket.getPeerCertificate().fingerprint256 ?? '').replaceAll(':', '').toLowerCase();
  return /^[0-9a-f]{64}$/.test(hex) ? hex : undefined;
}
