/**
 * Seals streams with a passphrase in the age format, version 1: any age tool opens them. The key is derived by the
 * system's scrypt, beside the main thread; the library does the rest.
 */
import { randomBytes, scrypt } from 'node:crypto';
import { ReadableStream } from 'node:stream/web';
import { promisify } from 'node:util';
import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { Decrypter, Encrypter, Stanza } from 'age-encryption';
import { say } from '#shared/details.ts';
import { FieldwrightError, userError } from '#shared/errors.ts';

/** Fewest characters of a passphrase. */
const SHORTEST_PASSPHRASE = 12;

/**
 * Binary logarithm of scrypt's N, with r = 8 and p = 1: 128 MiB and about half a second on a laptop. A file of another
 * tool may ask for twice that (`age` does by default); more would hang a small computer.
 */
const WORK = { own: 17, most: 18 };
const LABEL = Buffer.from('age-encryption.org/v1/scrypt');
const [SALT_BYTES, KEY_BYTES, BLOCK] = [16, 32, 8];
const NONCE = new Uint8Array(12);
const TAG_BYTES = 16;
const FILE_KEY_BYTES = 16;

type Bytes = AsyncIterable<Uint8Array>;

/** @throws `out-of-range` for a passphrase that can be guessed */
export function requirePassphrase(passphrase: string): void {
  if ([...passphrase].length < SHORTEST_PASSPHRASE)
    throw userError('out-of-range', say('keys-short-passphrase', { min: SHORTEST_PASSPHRASE }), {
      path: 'passphrase',
    });
}

/** Returns the sealed bytes of a stream. @throws `out-of-range` for a short passphrase */
export async function sealStream(plain: Bytes, passphrase: string): Promise<Bytes> {
  requirePassphrase(passphrase);
  const encrypter = new Encrypter();
  encrypter.addRecipient({
    async wrapFileKey(fileKey) {
      const salt = randomBytes(SALT_BYTES);
      const key = await deriveKey(passphrase, salt, WORK.own);
      const stanza = ['scrypt', encodeBase64(salt), String(WORK.own)];
      return [new Stanza(stanza, chacha20poly1305(key, NONCE).encrypt(fileKey))];
    },
  });
  return toBytes(await encrypter.encrypt(toWebStream(plain)));
}

/**
 * Returns the plain bytes of a sealed stream. Reading it throws `unreadable-file` where the stream was changed or cut off.
 * @throws `not-allowed` for a wrong passphrase, `unreadable-file` for what is no such file
 */
export async function openStream(sealed: Bytes, passphrase: string): Promise<Bytes> {
  const decrypter = new Decrypter();
  decrypter.addIdentity({
    async unwrapFileKey(stanzas: readonly Stanza[]) {
      const [stanza, ...others] = stanzas;
      const [kind, salt = '', work = ''] = stanza?.args ?? [];
      if (stanza === undefined || kind !== 'scrypt' || others.length > 0) throw createFormError();
      const known = Buffer.from(salt, 'base64');
      const isWhole = known.length === SALT_BYTES && stanza.body.length === FILE_KEY_BYTES + TAG_BYTES;
      if (stanza.args.length !== 3 || !isWhole || !/^[1-9]\d?$/.test(work)) throw createFormError();
      if (Number(work) > WORK.most)
        throw userError('input-too-large', say('site-file.work-factor', { most: WORK.most }));
      const key = await deriveKey(passphrase, known, Number(work));
      try {
        return chacha20poly1305(key, NONCE).decrypt(stanza.body);
      } catch {
        throw userError('not-allowed', say('site-file.passphrase'), { path: 'passphrase' });
      }
    },
  });
  try {
    return toOpened(await decrypter.decrypt(toWebStream(sealed)));
  } catch (cause) {
    throw cause instanceof FieldwrightError ? cause : createFormError(cause);
  }
}

async function* toOpened(stream: ReadableStream<Uint8Array>): Bytes {
  try {
    yield* toBytes(stream);
  } catch (cause) {
    throw cause instanceof FieldwrightError
      ? cause
      : userError('unreadable-file', say('site-file.cut-off'), { cause });
  }
}

export function createFormError(cause?: unknown): FieldwrightError {
  return userError('unreadable-file', say('site-file.form'), { cause });
}

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

function deriveKey(passphrase: string, salt: Uint8Array, work: number): Promise<Buffer> {
  const N = 2 ** work;
  return derive(passphrase.normalize('NFC'), Buffer.concat([LABEL, salt]), KEY_BYTES, {
    N,
    r: BLOCK,
    p: 1,
    maxmem: 2 * 128 * N * BLOCK,
  });
}

function encodeBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

function toWebStream(bytes: Bytes): globalThis.ReadableStream<Uint8Array> {
  return ReadableStream.from(bytes) as unknown as globalThis.ReadableStream<Uint8Array>;
}

async function* toBytes(stream: unknown): Bytes {
  yield* stream as Bytes;
}
