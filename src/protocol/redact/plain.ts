/**
 * Masking in text that has no structure we can read. Every repetition in these expressions is
 * bounded or stops at the next delimiter: the text may be four million hostile characters.
 */
import { MASK } from '#shared/exchange.ts';
import { maskKeys } from './keys.ts';
import { isSecretName } from './names.ts';

const USER_INFO =
  /([a-z][a-z0-9+.-]{0,20}:\\?\/\\?\/)(?:[^/\\\s"'<>?#@]{0,256}(?:@[^/\\\s"'<>?#@]{0,256}){0,4}|[^\s/:@"'<>]{1,128}:(?!\d{1,5}(?:[/?#]|$))[^\s@"'<>]{0,256})@/gi;
const QUERY = /(\?|&(?:amp;)?)([\w.-]{1,80})=[^&\s"'<>#]+/g;
const ELEMENT = /<((?:[\w.-]{1,80}:)?([\w.-]{1,80}))((?:\s[^<>]{0,2000})?>)((?:<!\[CDATA\[)?)([^<]+)/g;
const MEMBER = /(["'])([\w.@-]{1,80})\1(\s{0,20}:\s{0,20})("(?:[^"\\]|\\[\s\S])*"?|'[^'\n]*'?|[^\s,}\]"']+)/g;
const PAIR =
  /(?<![\w.-])([A-Za-z_][\w.-]{0,79})([ \t]{0,4}[=:][ \t]{0,4})("[^"\n]*"?|'[^'\n]*'?|[^\s&;,"'<>]+)/g;

/** Text without the secrets that need no name: sign-ins of addresses, secret-looking names of the query, private keys and tokens. */
export function maskPlainSecrets(given: string): string {
  const text = maskKeys(given);
  const anonymous = text.includes('@')
    ? text.replace(USER_INFO, (_whole, scheme: string) => `${scheme}${MASK}@`)
    : text;
  return anonymous.includes('=')
    ? anonymous.replace(QUERY, (whole, sign: string, name: string) =>
        isSecretName(name) ? `${sign}${name}=${MASK}` : whole,
      )
    : anonymous;
}

/** HTTP headers with a sign-in, to the end of the line. A member of a JSON text is handled elsewhere. */
const HEADER =
  /(?<!["'\w-])((?:proxy-)?authorization|(?:set-)?cookie|x-(?:api-key|auth-token))([ \t]{0,4}[:=][ \t]{0,4})[^\r\n<>{}]{1,2000}/gi;
/** The same without its name. */
const SCHEME =
  /\b(?:(digest)[ \t]{1,4}[\w-]{1,40}[ \t]{0,4}=[^\r\n<>{}]{1,2000}|(bearer|negotiate|ntlm)[ \t]{1,4}(?=[\w.~+/-]{0,40}[\d.])[\w.~+/-]{8,2000}={0,2})/gi;
/** `password is hunter2`, `PIN 1234`, `the passphrase "open sesame"`, `密码是 …`. */
const PROSE =
  /(?<![\w.-])(pass(?:word|phrase|code|wd)|pwd|pin(?:[ -]?code)?|secret|token|psk|(?:api|access|private|shared|encryption|wi-?fi)[ -]?key)([ \t]{1,4}(?:is|was|were|being|of|to|as|(?:re)?set[ \t]{1,4}to|changed[ \t]{1,4}to)(?:[ \t]{1,4}(?:now|set[ \t]{1,4}to))?[ \t]{0,4}:?[ \t]{1,4}|[ \t]{1,4}(?=["'\u201c\u2018]|\S{0,63}\d))("[^"\n]{1,256}"?|'[^'\n]{1,256}'?|\u201c[^\u201d\n]{1,256}\u201d?|[^\s,;"'<>]{1,256})/gi;
const CHINESE_PROSE =
  /((?:密码|口令|密钥|令牌|个人识别码)[ \t]{0,4}(?:已?[改设]?[为成]|是|[:：=])[ \t]{0,4})([“"']?)([^\s“”"'，。；,;<>]{1,256})/g;
/** Text that may be base64 of `name:password`. */
const BASE64 = /(?<![\w+/=-])([A-Za-z0-9+/]{8,512})={0,2}(?![\w+/=-])/g;
const NAME_AND_SECRET = /^[\x21-\x39\x3b-\x7e]{1,64}:[\x20-\x7e]{1,256}$/;
/** Words that say that a secret exists, but not which. */
const NO_SECRET =
  /^(?:required|needed|missing|wrong|incorrect|invalid|expired|empty|unknown|refused|rejected|accepted|changed|set|not|too|a|an|the|no|in|on|at|for|kept|stored|saved|sent|masked|never|always|only|read|readable|unreadable|correct|valid|weak|strong|unset|absent|present|locked|short|long|true|false)[.!?:)]{0,3}$/i;

/**
 * Redacts sentences of people or devices: like `redactPlain`, and also secrets named in prose, and sign-ins
 * in the form that HTTP uses.
 */
export function redactProse(text: string): string {
  const headless = text
    .replace(HEADER, (_whole, name: string, colon: string) => `${name}${colon}${MASK}`)
    .replace(SCHEME, (_whole, digest: string | undefined, other: string) => `${digest ?? other} ${MASK}`);
  return redactPlain(headless)
    .replace(PROSE, (whole, name: string, between: string, value: string) =>
      NO_SECRET.test(value) || value.includes(MASK) ? whole : `${name}${between}${MASK}`,
    )
    .replace(CHINESE_PROSE, (_whole, before: string, quote: string) => `${before}${quote}${MASK}`)
    .replace(BASE64, (whole, base64: string) => (isNameAndSecret(base64) ? MASK : whole));
}

function isNameAndSecret(base64: string): boolean {
  try {
    return NAME_AND_SECRET.test(atob(base64));
  } catch {
    return false;
  }
}

/** Text with the values of secret-looking names masked: elements, members, `name=value`, addresses. */
export function redactPlain(text: string): string {
  return maskPlainSecrets(text)
    .replace(ELEMENT, (whole, full: string, name: string, rest: string, cdata: string, text: string) =>
      // White space before a child element is no secret.
      isSecretName(name) && (cdata !== '' || text.trim() !== '')
        ? `<${full}${rest}${cdata}${MASK}${cdata === '' ? '' : ']]>'}`
        : whole,
    )
    .replace(MEMBER, (whole, quote: string, name: string, colon: string) =>
      isSecretName(name) ? `${quote}${name}${quote}${colon}"${MASK}"` : whole,
    )
    .replace(PAIR, (whole, name: string, sign: string) =>
      isSecretName(name) ? `${name}${sign}${MASK}` : whole,
    );
}
