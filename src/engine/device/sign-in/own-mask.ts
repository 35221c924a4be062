/**
 * Masks what a device may repeat of its own sign-in, in everything shown or kept of its answers; what is
 * merged and written back stays as it came. The rule, so that a short password garbles nothing:
 * - the sign-in as a whole (`user:password`, its base64, the hashes of Digest) is always masked;
 * - a password of 8 characters and more of two kinds, or of 12, everywhere, in every spelling;
 * - a shorter one of at least 4 only by itself, with no letter or digit beside it;
 * - one still shorter, a word of the interface or the user name itself reveals nothing and stays.
 */
import { createHash } from 'node:crypto';
import { createRedactor } from '../redact.ts';
import { isInterfaceWord } from '#protocol/index.ts';
import type { Credentials } from './proofs.ts';

export type Mask = <T>(value: T) => T;

const KINDS = [/\p{Ll}|\p{Lo}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u];
const SHORTEST_ALONE = 4;
const TELLING = { mixed: 8, any: 12 };

/** Creates the mask of a sign-in. `keys`: what Digest made of it. */
export function createOwnMask({ userName, password }: Credentials, keys: readonly string[]): Mask {
  if (password === '') return (value) => value;
  const hashes = ['md5', 'sha256'].map((name) => createHash(name).update(password, 'utf8').digest('hex'));
  const always = [`${userName}:${password}`, ...keys, ...hashes];
  return maskOf(password === userName && !isTelling(password) ? [] : [password], always);
}

/** Applies the same rule to other secrets; those of `always` are masked everywhere. */
export function maskOf(secrets: readonly string[], always: readonly string[] = []): Mask {
  const telling = secrets.filter(isTelling);
  const short = secrets.filter(
    (secret) => !isTelling(secret) && secret.length >= SHORTEST_ALONE && !isInterfaceWord(secret),
  );
  return createRedactor([...always, ...telling], short);
}

function isTelling(password: string): boolean {
  const kinds = KINDS.filter((kind) => kind.test(password)).length;
  return password.length >= (kinds > 1 ? TELLING.mixed : TELLING.any) && !isInterfaceWord(password);
}
