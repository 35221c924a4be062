import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { redactBody, redactPlain, redactProse, maskPlainSecrets } from '#protocol/index.ts';
import { MASK } from '#shared/exchange.ts';
import { growth } from '../helpers/growth.ts';

const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const ed = generateKeyPairSync('ed25519').privateKey;
interface Form {
  readonly type: 'pkcs1' | 'pkcs8' | 'sec1';
  readonly format: 'pem';
  readonly cipher?: string;
  readonly passphrase?: string;
}
const asPem = (key: typeof rsa, form: Form = pkcs8): string => String(key.export(form as typeof pkcs8));
const KEYS: Readonly<Record<string, string>> = {
  'PKCS 8': asPem(rsa),
  RSA: asPem(rsa, { type: 'pkcs1', format: 'pem' }),
  'encrypted RSA with headers': asPem(rsa, {
    type: 'pkcs1',
    format: 'pem',
    cipher: 'aes-128-cbc',
    passphrase: 'x',
  }),
  'encrypted PKCS 8': asPem(rsa, { ...pkcs8, cipher: 'aes-256-cbc', passphrase: 'x' }),
  EC: asPem(ec, { type: 'sec1', format: 'pem' }),
  'EC in PKCS 8': asPem(ec),
  Ed25519: asPem(ed),
  OpenSSH: asPem(ed).replaceAll('PRIVATE', 'OPENSSH PRIVATE'),
  PGP: asPem(rsa).replaceAll('PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'),
  'SSH 2 with four dashes': asPem(rsa)
    .replaceAll('-----BEGIN', '---- BEGIN SSH2 ENCRYPTED')
    .replaceAll('-----END', '---- END SSH2 ENCRYPTED')
    .replaceAll('KEY-----', 'KEY ----'),
};

const der = (key: typeof rsa, type: 'pkcs1' | 'pkcs8' | 'sec1', secured = {}): Buffer =>
  key.export({ type: type as 'pkcs8', format: 'der', ...secured }) as Buffer;
const curve = (namedCurve: string): typeof rsa => generateKeyPairSync('ec', { namedCurve }).privateKey;
const SECURED = { cipher: 'aes-256-cbc', passphrase: 'x' };
const BARE: Readonly<Record<string, string>> = {
  'PKCS 8 of RSA': der(rsa, 'pkcs8').toString('base64'),
  'PKCS 1 of RSA': der(rsa, 'pkcs1').toString('base64'),
  'PKCS 1 of RSA with 1,024 bits': der(
    generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
    'pkcs1',
  ).toString('base64'),
  'PKCS 8 of RSA-PSS': der(
    generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey,
    'pkcs8',
  ).toString('base64'),
  'encrypted PKCS 8': der(rsa, 'pkcs8', SECURED).toString('base64'),
  'encrypted PKCS 8 of a curve': der(ec, 'pkcs8', SECURED).toString('base64'),
  ...Object.fromEntries(
    ['P-256', 'P-384', 'P-521', 'secp256k1'].flatMap((name) =>
      (['pkcs8', 'sec1'] as const).map((type) => [
        `${type} of ${name}`,
        der(curve(name), type).toString('base64'),
      ]),
    ),
  ),
  Ed25519: der(ed, 'pkcs8').toString('base64'),
  Ed448: der(generateKeyPairSync('ed448').privateKey, 'pkcs8').toString('base64'),
  X25519: der(generateKeyPairSync('x25519').privateKey, 'pkcs8').toString('base64'),
  'for addresses': der(rsa, 'pkcs8').toString('base64url'),
  hexadecimal: der(rsa, 'pkcs8').toString('hex'),
  'PEM as hexadecimal': Buffer.from(asPem(ec)).toString('hex').toUpperCase(),
  'PEM in base64 once more': Buffer.from(asPem(ec)).toString('base64'),
};
const LETTERS = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAbC2dE4fG6hJ8';
const OTHER_FORMS: Readonly<Record<string, { readonly text: string; readonly secret: string }>> = {
  'a JSON Web Key': {
    text: JSON.stringify(ec.export({ format: 'jwk' })),
    secret: String(ec.export({ format: 'jwk' }).d),
  },
  'a key of PuTTY': {
    text: `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n${LETTERS}\nPrivate-MAC: 00`,
    secret: LETTERS,
  },
  'a part of a key of PuTTY': { text: `Private-Lines: 1\n${LETTERS}`, secret: LETTERS },
  'a static key': {
    text: '-----BEGIN OpenVPN Static key V1-----\n6acef03f62675b4b1bbd03e53b187727\n-----END OpenVPN Static key V1-----',
    secret: '6acef03f62675b4b',
  },
  'a key whose dashes are escaped': {
    text: asPem(rsa).replaceAll('-', '\\u002d'),
    secret: asPem(rsa).slice(60, 90),
  },
  ...Object.fromEntries(
    ['ghp_', 'github_pat_', 'glpat-', 'xoxb-', 'sk_live_'].map((start) => [
      `a token that begins with ${start}`,
      { text: start + LETTERS, secret: LETTERS.slice(0, 20) },
    ]),
  ),
  'a key of AWS': { text: 'AKIAIOSFODNN7EXAMPLE', secret: 'IOSFODNN7EXAMPLE' },
  'a key of Google': { text: `AIza${LETTERS.slice(0, 35)}`, secret: LETTERS.slice(0, 35) },
  'a key of age': {
    text: `AGE-SECRET-KEY-1${LETTERS.toUpperCase()}`,
    secret: LETTERS.toUpperCase(),
  },
};

/** Parts of the key itself that must not be read. */
function bodyOf(pem: string): readonly string[] {
  return pem.split('\n').filter((line) => /^[A-Za-z0-9+/=]{16,}$/.test(line));
}
const SPELLINGS: Readonly<Record<string, (pem: string) => string>> = {
  'as it is': (pem) => pem,
  'with CR LF': (pem) => pem.replaceAll('\n', '\r\n'),
  'with escaped line ends': (pem) => pem.replaceAll('\n', '\\n'),
  'with entities': (pem) => pem.replaceAll('\n', '&#10;'),
  'in one line': (pem) => pem.replaceAll('\n', ' '),
  'percent-encoded': (pem) => pem.replaceAll('\n', '%0A').replaceAll(' ', '%20'),
  'cut off': (pem) => pem.slice(0, pem.length * 0.7),
  'without its first line': (pem) => pem.slice(pem.indexOf('\n') + 1),
  'in base64 once more': (pem) => Buffer.from(pem).toString('base64'),
};
const HOLDERS: Readonly<Record<string, (key: string) => string>> = {
  'an element': (key) => redactBody(`<A><text>key: ${key}</text><b>1</b></A>`),
  'a member': (key) => redactBody(JSON.stringify({ text: `key: ${key}`, b: 1 })),
  'lines of a list': (key) => redactBody(JSON.stringify({ text: key.split('\n'), b: 1 })),
  'text of no form': (key) => redactPlain(`started\n${key}\nended`),
  'a sentence': (key) => redactProse(`The key is ${key}`),
  'an address or header': (key) => maskPlainSecrets(key),
};

describe('private keys in what a device says', () => {
  describe.each(Object.entries(KEYS))('%s', (_what, pem) => {
    it.each(Object.entries(SPELLINGS))('%s, is masked wherever it stands', (spelling, spell) => {
      const key = spell(pem);
      const parts = spelling.startsWith('in base64') ? [key.slice(100, 140)] : bodyOf(pem).slice(0, 2);
      for (const [holder, show] of Object.entries(HOLDERS)) {
        if (holder.startsWith('lines') && /cut|first/.test(spelling)) continue;
        const shown = show(key);

        for (const part of parts.filter((each) => key.includes(each)))
          expect(shown, holder).not.toContain(part);
        expect(shown, holder).toContain(MASK);
      }
    });
  });

  // Would catch: a key of an algorithm, an encryption or a spelling that a list of usual beginnings does not name.
  it.each(Object.entries(BARE))('a key without its first line is masked: %s', (_what, key) => {
    for (const show of [redactBody, redactPlain, redactProse, maskPlainSecrets])
      expect(show(`key:\n${key}.\nend`)).toBe(`key:\n${MASK}.\nend`);
    expect(redactBody(`<A><note>${key}</note></A>`)).toBe(`<A><note>${MASK}</note></A>`);
    expect(redactBody(JSON.stringify({ note: key }))).not.toContain(key.slice(20, 60));
  });

  it.each(Object.entries(OTHER_FORMS))('%s is masked', (_what, { text, secret }) => {
    expect(text).toContain(secret);
    for (const show of [redactBody, redactPlain, redactProse, maskPlainSecrets]) {
      expect(show(`it says ${text}`)).not.toContain(secret);
      expect(show(JSON.stringify({ note: text }))).not.toContain(secret);
    }
  });

  it('what stands around it stays, and the document keeps its form', () => {
    const pem = KEYS['PKCS 8'] ?? '';

    expect(redactBody(`<A><t>${pem}</t><b>1</b></A>`)).toBe(`<A><t>${MASK}\n</t><b>1</b></A>`);
    expect(JSON.parse(redactBody(JSON.stringify({ t: pem, b: 1 })))).toMatchObject({ b: 1 });
  });

  it('a signed token is masked, cut off or whole', () => {
    const token =
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

    for (const text of [token, token.slice(0, 70)])
      expect(redactBody(`<A><note>use ${text} now</note></A>`)).toBe(`<A><note>use ${MASK} now</note></A>`);
  });

  it('certificates, public keys and words stay', () => {
    for (const text of [
      '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ0\n-----END CERTIFICATE-----',
      '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----',
      ...[rsa, ec, ed].flatMap((key) => {
        const published = createPublicKey(key).export({ type: 'spki', format: 'der' });
        return [published.toString('base64'), published.toString('hex')];
      }),
      createPublicKey(rsa).export({ type: 'pkcs1', format: 'der' }).toString('base64'),
      'The private key is missing. MIIT 2026, eyJ',
    ])
      expect(redactBody(`<A><note>${text}</note></A>`)).toBe(`<A><note>${text}</note></A>`);
  });

  it.each([
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    'MIIEvQIBADAN ',
    'MIIEvQIBADANBgkqhkiG9w0BAQEF',
    'MC4CAQAwBQYDK2VwBCIEIA.',
    '30 82 04 bd 30 0d ',
    '"d":"',
    'LS0tLS',
    'eyJabcdefg.',
    '-----BEGIN A A A ',
  ])('takes time that grows with the text: %j again and again', (piece) => {
    expect(growth((size) => maskPlainSecrets(piece.repeat(size)), 40_000)).toBeLessThan(3);
  });
});
