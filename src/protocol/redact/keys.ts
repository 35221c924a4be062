/**
 * Masks secrets that are recognized by their form: private keys as text (PEM and its relatives, also
 * truncated, in one line, or with escaped line ends), the same keys as bare base64, hexadecimal or JSON,
 * signed tokens, and tokens of services that mark theirs. Certificates and public keys are no secrets.
 */
import { MASK } from '#shared/exchange.ts';

const SPACE = '(?:[ \\t+_]|%20|&#32;|\\\\u0020){1,3}';
const DASH = '(?:-|%2d|&#45;|&#x2d;|\\\\{1,2}u002d)';
/** First or last line of a private key; spaces and dashes as text, addresses and JSON write them. */
const MARK = new RegExp(
  `${DASH}{4,5}(?:${SPACE})?(BEGIN|END)${SPACE}(?:[A-Z0-9]{1,20}${SPACE}){0,4}(?:PRIVATE${SPACE}KEY(?:${SPACE}BLOCK)?|STATIC${SPACE}KEY${SPACE}V\\d)(?:${SPACE})?${DASH}{0,5}`,
  'gi',
);
/** Characters of a key, with the headers above it and line ends in any spelling. */
const IN_KEY = /^[\w+/=\s\\:,.;%&#@()-]*/;
const IN_LINES = /[\w+/=\s\\%&#;]/;
/** Longest beginning of a key that is looked for before its last line. */
const MOST_BEFORE = 16_384;
const PUTTY = /(PuTTY-User-Key-File-\d:|Private-Lines:\s?\d{1,6})[\w+/=\s\\:,.;%&#@()-]*/g;
/** Beginning of a key without its first line, as base64 or hexadecimal; `isKey` decides. */
const BARE =
  /(?<![A-Za-z0-9+/])(?:(?:M[A-Za-z]|LS0t|b3Bl)(?:[\w+/-]|\\\/){18,64}|(?:30|2d[ :]?2d)(?:[ :]?[\da-f]{2}){15,64})/gi;
const IN_BASE64 = /(?:[\w+/=-]|\s|\\[nr/])*/y;
const IN_HEX = /(?:[\da-f:]|\s|\\[nr])*/iy;
/**
 * Begins of private keys in DER, as hexadecimal: a sequence whose first member is the version of PKCS 8, PKCS 1, DSA, SEC 1 or
 * PKCS 12, or the algorithm that encrypts a PKCS 8 key.
 */
const DER =
  /^30(?:[0-7].|81..|82....)(?:02010[013](?:30|02|04)|30(?:[0-7].|81..|82....)(?:06092a864886f70d0105|060a2a864886f70d010c01))/;
const AS_TEXT = /^openssh-key-v1|BEGIN [A-Z\d ]{0,40}PRIVATE KEY/;
/** Secret members of a JSON Web Key. */
const JWK = /(\\?["'](?:d|p|q|dp|dq|qi|k)\\?["']\s{0,20}:\s{0,20}\\?["'])[\w-]{16,4096}/g;
const OF_SERVICES =
  /(?<![A-Za-z\d])(?:A[KS]IA[A-Z\d]{16}|gh[pousr]_[A-Za-z\d]{20,255}|github_pat_\w{20,255}|glpat-[\w-]{20,255}|xox[a-z]-[\w-]{10,255}|[rs]k_(?:live|test)_[A-Za-z\d]{16,255}|AIza[\w-]{35}|npm_[A-Za-z\d]{36}|AGE-SECRET-KEY-1[A-Z\d]{20,255})/g;
const TOKEN = /(?<![\w-])eyJ[\w-]{6,4096}(?:\.[\w-]{0,8192}){1,4}/g;

/** Returns the text with private keys and tokens masked; the text itself where it holds none. */
export function maskKeys(text: string): string {
  let clean = /private|static/i.test(text) ? withoutMarked(text) : text;
  if (clean.includes('PuTTY-') || clean.includes('Private-Lines')) clean = clean.replace(PUTTY, MASK);
  clean = withoutBare(clean);
  if (clean.includes('kty')) clean = clean.replace(JWK, `$1${MASK}`);
  if (clean.includes('eyJ')) clean = clean.replace(TOKEN, MASK);
  return clean.replace(OF_SERVICES, MASK);
}

/** Masks keys without a first line, up to their last character. */
function withoutBare(text: string): string {
  const out: string[] = [];
  let at = 0;
  for (const { index, 0: begin } of text.matchAll(BARE)) {
    if (index < at || !isKey(begin)) continue;
    const rest = isHex(begin) ? IN_HEX : IN_BASE64;
    rest.lastIndex = index;
    out.push(text.slice(at, index), MASK);
    at = index + (rest.exec(text)?.[0].length ?? 0);
  }
  return at === 0 ? text : out.join('') + text.slice(at);
}

function isHex(begin: string): boolean {
  return /^[\da-f :]+$/i.test(begin);
}

function isKey(begin: string): boolean {
  const hex = isHex(begin)
    ? begin.replace(/[ :]/g, '').toLowerCase()
    : hexOf(begin.replaceAll('\\/', '/').replaceAll('-', '+').replaceAll('_', '/'));
  return DER.test(hex) || AS_TEXT.test(textOfHex(hex));
}

function hexOf(base64: string): string {
  const bytes = atob(base64.slice(0, base64.length - (base64.length % 4)));
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

function textOfHex(hex: string): string {
  return hex.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
}

/** Masks from each first line to its last one, or as far as what follows can be a key. Each character is looked at once. */
function withoutMarked(text: string): string {
  const marks = [...text.matchAll(MARK)];
  if (marks.length === 0) return text;
  const out: string[] = [];
  let at = 0;
  marks.forEach((mark, nth) => {
    const next = marks[nth + 1];
    const end = mark.index + mark[0].length;
    if (mark.index < at) return;
    if (mark[1]?.toUpperCase() === 'END') {
      let start = mark.index;
      const least = Math.max(at, mark.index - MOST_BEFORE);
      while (start > least && IN_LINES.test(text.charAt(start - 1))) start -= 1;
      out.push(text.slice(at, start), MASK);
      at = end;
      return;
    }
    out.push(text.slice(at, mark.index), MASK);
    if (next?.[1]?.toUpperCase() === 'END') {
      at = next.index + next[0].length;
      return;
    }
    at = end + (IN_KEY.exec(text.slice(end, next?.index))?.[0].length ?? 0);
  });
  out.push(text.slice(at));
  return out.join('');
}
