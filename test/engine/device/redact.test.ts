import { describe, expect, it } from 'vitest';
import { redact } from '#engine/device/redact.ts';
import { growth } from '#test/helpers/growth.ts';

const SECRET = 'Pä"s<s>&\'w+rd 9';
const utf8 = Buffer.from(SECRET);
const escaped = (names: Readonly<Record<string, string>>) =>
  SECRET.replace(/[&<>"']/g, (letter) => `&${names[letter]};`);
const named = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };
const numbered = Object.fromEntries([...'&<>"\''].map((letter) => [letter, `#${letter.charCodeAt(0)}`]));

describe('a secret that a device repeats', () => {
  // Would catch: a password in a copied error because the device escaped it in its own way.
  it.each<[string, string]>([
    ['as it was sent', SECRET],
    ['with the entities of XML', escaped(named)],
    ['with numbered entities', escaped(numbered)],
    [
      'with every character as a hexadecimal entity',
      [...SECRET].map((letter) => `&#x${letter.charCodeAt(0).toString(16).toUpperCase()};`).join(''),
    ],
    ['as JSON', JSON.stringify(SECRET)],
    ['as JSON of nothing but ASCII', JSON.stringify(SECRET).replace('ä', '\\u00E4').replace('<', '\\u003c')],
    ['percent-encoded', encodeURIComponent(SECRET)],
    [
      'percent-encoded in lower case',
      encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase()),
    ],
    ['as a form sends it', new URLSearchParams({ p: SECRET }).toString()],
    ['in hexadecimal', utf8.toString('hex')],
    ['in base64', utf8.toString('base64')],
    ...['', 'a', 'ad', 'admin:'].map((before): [string, string] => [
      `in base64 after "${before}"`,
      Buffer.from(`${before}${SECRET}:more`).toString('base64'),
    ]),
    ['in base64 for addresses', Buffer.from(`admin:${SECRET}`).toString('base64url')],
  ])('%s is masked', (_how, repeated) => {
    const shown = redact({ body: `<m>you sent ${repeated} to me</m>` }, [SECRET]).body;

    expect(shown).toContain('••••••');
    expect(shown.startsWith('<m>you sent ') && shown.endsWith(' to me</m>')).toBe(true);
    const left = shown.replaceAll('••••••', '').length - '<m>you sent  to me</m>'.length;
    expect(left).toBeLessThan(repeated.length / 2 + 4);
  });

  // Would catch: a search that looks past the first or the last characters, or stops at a text that begins alike.
  it.each(['x7Q', 'Plain2026', 'Plain2026 and more'])('"%s" is masked wherever it stands', (secret) => {
    for (const around of ['', ' ', 'a', secret.slice(0, -1), secret.slice(1)])
      for (const text of [secret + around, around + secret, around + secret + around])
        expect([text, redact([{ text }], [secret, `${secret}er`])[0]?.text]).toEqual([
          text,
          expect.not.stringContaining(secret) as string,
        ]);
  });

  // Would catch: the first line of a fingerprint template in the journal, because the device cut what it quoted.
  it.each<[string, (template: Buffer, text: string) => string]>([
    ['its beginning', (_, text) => text.slice(0, 32)],
    ['a part of it', (_, text) => text.slice(101, 133)],
    ['in lines', (_, text) => text.replace(/.{40}/g, '$&\n')],
    ['in base64 for addresses', (template) => template.toString('base64url')],
    ['in hexadecimal', (template) => template.toString('hex').toUpperCase()],
  ])('is masked where it is a template and the device repeats %s', (_how, repeat) => {
    const template = Buffer.from(Array.from({ length: 512 }, (_, at) => (at * at * 31 + at * 7) % 251));
    const text = template.toString('base64');
    const repeated = repeat(template, text);

    const shown = redact({ errorMsg: `bad data ${repeated} in employeeNoNotExist` }, [text]).errorMsg;

    expect(shown).toMatch(/^bad data •{6}/);
    expect(shown).toMatch(/ in employeeNoNotExist$/);
    expect(shown.replaceAll('••••••', '').length).toBeLessThan(64);
  });

  // Would catch: the path of what was refused masked, because the sign-in that was sent named it.
  it('leaves what a long header holds beside its secrets', () => {
    const path = '/API/Smart/storageDetection/rwlock';
    const header = `Digest username="admin", realm="device", nonce="0123456789abcdef", uri="${path}", response="x"`;

    expect(redact({ text: `${path} refused` }, [header]).text).toBe(`${path} refused`);
    expect(redact({ text: `${path} after ${header}` }, [header]).text).toBe(`${path} after ••••••`);
  });

  it('takes what is no secret as it is, in time that grows with the text', () => {
    const secrets = [SECRET, 'another one', 'x'.repeat(50_000)];
    const text = (size: number): string => '&#38;%26\\u0026 P&amp;'.repeat(size);

    expect(redact(text(1_000), secrets)).toBe(text(1_000));
    expect(growth((size) => redact(text(size), secrets), 100_000)).toBeLessThan(3);
  });
});
