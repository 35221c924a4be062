/**
 * Encrypts a text with a passphrase in the format of `openssl enc`, so that the receiver needs no program of
 * ours: `openssl enc -d -aes-256-cbc -pbkdf2 -iter 600000 -md sha256 -in FILE`. That format proves no
 * integrity.
 */
import { createCipheriv, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';

const ITERATIONS = 600_000;
const SHORTEST = 12;
const [KEY_BYTES, IV_BYTES, SALT_BYTES] = [32, 16, 8];

/** Throws `too-long` for a passphrase that can be guessed. */
export async function sealWithPassphrase(text: string, passphrase: string): Promise<Uint8Array> {
  if ([...passphrase].length < SHORTEST)
    throw userError('out-of-range', say('keys-short-passphrase', { min: SHORTEST }), { path: 'passphrase' });
  const salt = randomBytes(SALT_BYTES);
  const derived = await promisify(pbkdf2)(passphrase, salt, ITERATIONS, KEY_BYTES + IV_BYTES, 'sha256');
  const cipher = createCipheriv(
    'aes-256-cbc',
    derived.subarray(0, KEY_BYTES),
    derived.subarray(KEY_BYTES, KEY_BYTES + IV_BYTES),
  );
  return Buffer.concat([Buffer.from('Salted__'), salt, cipher.update(text, 'utf8'), cipher.final()]);
}
