/**
 * Masking in text that has no structure we can read. Every repetition in these expressions is
 * bounded or stops at the next delimiter: the text may be four million hostile characters.
 */
import { MASK } from '../../shared/exchange.ts';
import { isSecretName } from './names.ts';

const USER_INFO =
  /([a-z][a-z0-9+.-]{0,20}:\\?\/\\?\/)(?:[^/\\\s"'<>?#@]{0,256}(?:@[^/\\\s"'<>?#@]{0,256}){0,4}|[^\s/:@"'<>]{1,128}:(?!\d{1,5}(?:[/?#]|$))[^\s@"'<>]{0,256})@/gi;
const QUERY = /(\?|&(?:amp;)?)([\w.-]{1,80})=[^&\s"'<>#]+/g;
const ELEMENT = /<((?:[\w.-]{1,80}:)?([\w.-]{1,80}))((?:\s[^<>]{0,2000})?>)((?:<!\[CDATA\[)?)([^<]+)/g;
const MEMBER = /(["'])([\w.@-]{1,80})\1(\s{0,20}:\s{0,20})("(?:[^"\\]|\\[\s\S])*"?|'[^'\n]*'?|[^\s,}\]"']+)/g;
const PAIR =
  /(?<![\w.-])([A-Za-z_][\w.-]{0,79})([ \t]{0,4}[=:][ \t]{0,4})("[^"\n]*"?|'[^'\n]*'?|[^\s&;,"'<>]+)/g;

/** Addresses without their sign-in: what stands before the `@`, and secret-looking names of the query. */
export function withoutSignIn(text: string): string {
  const anonymous = text.includes('@')
    ? text.replace(USER_INFO, (_whole, scheme: string) => `${scheme}${MASK}@`)
    : text;
  return anonymous.includes('=')
    ? anonymous.replace(QUERY, (whole, sign: string, name: string) =>
        isSecretName(name) ? `${sign}${name}=${MASK}` : whole,
      )
    : anonymous;
}

/** Text with the values of secret-looking names masked: elements, members, `name=value`, addresses. */
export function redactPlain(text: string): string {
  return withoutSignIn(text)
    .replace(ELEMENT, (whole, full: string, name: string, rest: string, cdata: string) =>
      isSecretName(name) ? `<${full}${rest}${cdata}${MASK}${cdata === '' ? '' : ']]>'}` : whole,
    )
    .replace(MEMBER, (whole, quote: string, name: string, colon: string) =>
      isSecretName(name) ? `${quote}${name}${quote}${colon}"${MASK}"` : whole,
    )
    .replace(PAIR, (whole, name: string, sign: string) =>
      isSecretName(name) ? `${name}${sign}${MASK}` : whole,
    );
}
