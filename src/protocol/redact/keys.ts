/**
 * Secrets that their form gives away wherever they stand: private keys as text (PEM and its relatives, also cut off, in one
 * line, or with escaped line ends), the same keys as bare base64, and signed tokens. Certificates and public keys are none.
 */
import { MASK } from '../../shared/exchange.ts';

const SPACE = '(?:[ \\t+_]|%20|&#32;|\\\\u0020){1,3}';
/** First or last line of a private key; spaces as text, addresses and JSON write them. */
const MARK = new RegExp(
  `-{4,5}(?:${SPACE})?(BEGIN|END)${SPACE}(?:[A-Z0-9]{1,20}${SPACE}){0,4}PRIVATE${SPACE}KEY(?:${SPACE}BLOCK)?(?:${SPACE})?-{0,5}`,
  'gi',
);
/** What a key is made of, with the headers above it and line ends in any spelling. */
const IN_KEY = /^[\w+/=\s\\:,.;%&#@()-]*/;
const IN_LINES = /[\w+/=\s\\%&#;]/;
/** Longest beginning of a key that is looked for before its last line. */
const MOST_BEFORE = 16_384;
const PUTTY = /(PuTTY-User-Key-File-\d:|Private-Lines:\s?\d{1,6})[\w+/=\s\\:,.;%&#@()-]*/g;
/** Private keys in DER begin so, in base64: PKCS 8 and PKCS 1 of RSA, both of elliptic curves, Ed25519, OpenSSH, and PEM encoded once more. */
const BARE =
  /(?<![A-Za-z0-9+/])(?:MII[\w+/]{2}[AQgw]IB(?:ADAN|AAKC)|MI[GH][A-Za-z0-9+/]AgEAM[\w+/]{3}ByqGSM49|M[HI][\w+/]{1,2}AgEBB[CDI]|MC4CAQAwBQYDK2V|MHcCAQEEI|MIGkAgEBBD|b3BlbnNzaC1rZXktdjE|LS0tLS(?:1|B)CRUdJTi(?=[\w+/]{0,40}(?:UFJJVkFURSBLRV|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW)))(?:[\w+/=-]|\s|\\[nr])*/g;
/** One of these stands in a text that holds such a key: quick to look for. */
const BARE_START = ['MII', 'MIG', 'MIH', 'MC4C', 'MHcC', 'b3Bl', 'LS0t'];
const TOKEN = /(?<![\w-])eyJ[\w-]{6,4096}(?:\.[\w-]{0,8192}){1,4}/g;

/** Returns the text with private keys and signed tokens masked; the text itself where it holds none. */
export function withoutKeys(text: string): string {
  let clean = /private/i.test(text) ? withoutMarked(text) : text;
  if (clean.includes('PuTTY-') || clean.includes('Private-Lines')) clean = clean.replace(PUTTY, MASK);
  if (BARE_START.some((start) => clean.includes(start))) clean = clean.replace(BARE, MASK);
  return clean.includes('eyJ') ? clean.replace(TOKEN, MASK) : clean;
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
