/** Every way in which a secret could have been written down, and where it was. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The secret as people, programs and protocols spell it; with `digest` also what is as good as the password to that device. */
export function spellingsOf(
  secret: string,
  digest?: { readonly user: string; readonly realms: readonly string[] },
): ReadonlyMap<string, Buffer> {
  const xml = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  // Base64 looks different at each of three places in what surrounds it.
  const base64 = ['', 'x', 'xx'].map((before) =>
    Buffer.from(before + secret)
      .toString('base64')
      .slice(before === '' ? 0 : 4)
      .replace(/.{0,4}=*$/, ''),
  );
  const texts: [string, string | Buffer][] = [
    ['text', secret],
    ['UTF-16', Buffer.from(secret, 'utf16le')],
    ['XML', xml],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['URI', encodeURIComponent(secret)],
    ['form', new URLSearchParams({ a: secret }).toString().slice(2)],
    ['hex', Buffer.from(secret).toString('hex')],
    ...base64.map((text, place): [string, string] => [`base64, place ${place}`, text]),
    ...(digest?.realms ?? []).flatMap((realm) =>
      ['md5', 'sha256'].map((hash): [string, string] => [
        `${hash} of Digest`,
        createHash(hash).update(`${digest?.user}:${realm}:${secret}`).digest('hex'),
      ]),
    ),
  ];
  return new Map(texts.map(([name, text]) => [name, Buffer.from(text as string)]));
}

/** `what in where` for each spelling that occurs. */
export function tracesIn(
  sources: ReadonlyMap<string, Buffer>,
  spellings: ReadonlyMap<string, Buffer>,
): string[] {
  return [...sources].flatMap(([where, bytes]) =>
    [...spellings].flatMap(([what, needle]) => (bytes.includes(needle) ? [`${what} in ${where}`] : [])),
  );
}

/** Every file of a folder, by its path below it, with `/` on every system. */
export function filesOf(folder: string): ReadonlyMap<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    names.map((name) => [name.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(name)]),
  );
}
