/**
 * An exchange as a command line for a POSIX shell, to hand on or to try by hand. It holds no
 * password: curl asks for it. What was masked stays masked, so such a body has to be completed.
 */
import type { Exchange } from '../exchange.ts';
import { hasUnseen, replaceUnseen } from './unseen.ts';

export interface CurlOptions {
  /** `http(s)://host:port` of the device. */
  readonly device: string;
  /** Name to sign in with; one that curl cannot take (with a colon), or none, becomes `USER`. */
  readonly user?: string;
  /** Sign-in of the connection profile: `none` sends no sign-in, `basic` uses Basic, all others Digest. */
  readonly auth?: 'auto' | 'digest' | 'basic' | 'none';
}

/**
 * Returns whether a terminal or a reader may take the text for something else; line feeds are safe inside
 * quotes.
 */
function isTricky(text: string): boolean {
  return hasUnseen(text.replaceAll('\n', ''));
}

/**
 * One word of a POSIX shell that stands for exactly this text. Text with control characters is
 * spelled through `printf`, so that pasting it into a terminal runs nothing of it.
 */
export function quoteShellWord(text: string): string {
  const whole = text.toWellFormed();
  if (/^[A-Za-z0-9_./:@%+,-]+$/.test(whole) && !whole.startsWith('-')) return whole;
  return isTricky(whole) ? `"$(printf ${formatOf(whole)})"` : `'${whole.replaceAll("'", `'\\''`)}'`;
}

/** The text as a format of `printf`, in single quotes: every tricky byte as an octal escape. */
function formatOf(text: string): string {
  const plain = text
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replaceAll("'", '\\047')
    .replaceAll('!', '\\041')
    .replaceAll('\n', '\\n');
  const escaped = replaceUnseen(plain, (mark) =>
    [...new TextEncoder().encode(mark)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
  );
  return `'${escaped}'`;
}

/** `curl …` over several lines. */
export function toCurl(exchange: Exchange, { device, user, auth = 'auto' }: CurlOptions): string {
  const body = exchange.requestBody;
  // A word from "$(printf …)" would lose line feeds at its end; through a pipe every byte arrives.
  const piped = body !== undefined && isTricky(body);
  const parts = [
    `curl --globoff --path-as-is${signIn(user, auth)}`,
    `--request ${quoteShellWord(exchange.method)}`,
    ...Object.entries(exchange.requestHeaders).map(
      ([name, value]) => `--header ${quoteShellWord(`${name}: ${value}`)}`,
    ),
    ...(body === undefined ? [] : [piped ? '--data-binary @-' : `--data-raw ${quoteShellWord(body)}`]),
    quoteShellWord(device + exchange.url),
  ];
  return `${piped ? `printf ${formatOf(body.toWellFormed())} |\n` : ''}${parts.join(' \\\n  ')}`;
}

function signIn(user: string | undefined, auth: CurlOptions['auth']): string {
  if (auth === 'none') return '';
  return `${auth === 'basic' ? ' --basic' : ' --digest'} --user ${quoteShellWord(pickUserName(user))}`;
}

/** Returns the name that curl signs in with: it takes none with a colon. */
export function pickUserName(user: string | undefined): string {
  return user === undefined || user === '' || user.includes(':') ? 'USER' : user;
}
