import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { redactBody, redactPlain, redactProse, withoutSignIn } from '../../src/protocol/index.ts';
import { MASK } from '../../src/shared/exchange.ts';
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
  'an address or header': (key) => withoutSignIn(key),
};

describe('fault 18: private keys in what a device says', () => {
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

  it('bare base64 of a key is masked too', () => {
    for (const key of [rsa, ec, ed])
      for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const) {
        if ((type === 'pkcs1' && key !== rsa) || (type === 'sec1' && key !== ec)) continue;
        const base64 = key.export({ type: type as 'pkcs8', format: 'der' }).toString('base64');

        expect(redactBody(`<A><note>${base64}</note></A>`), type).toBe(`<A><note>${MASK}</note></A>`);
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
      'The private key is missing. MIIT 2026, eyJ',
    ])
      expect(redactBody(`<A><note>${text}</note></A>`)).toBe(`<A><note>${text}</note></A>`);
  });

  it.each([
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    'MIIEvQIBADAN ',
    'eyJabcdefg.',
    '-----BEGIN A A A ',
  ])('takes time that grows with the text: %j again and again', (piece) => {
    expect(growth((size) => withoutSignIn(piece.repeat(size)), 40_000)).toBeLessThan(3);
  });
});
