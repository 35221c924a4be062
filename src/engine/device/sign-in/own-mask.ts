/**
 * What a device may repeat of its own sign-in, masked in whatever is shown or kept of its answers; what is
 * merged and written back stays as it came. The rule, so that a short password garbles nothing:
 * - what stands for the sign-in as a whole (`user:password`, its base64, the hashes of Digest) is masked always;
 * - a password of 8 characters and more of two kinds, or of 12, wherever it stands, in every spelling;
 * - a shorter one of at least 4 only where it stands alone, with no letter or digit beside it;
 * - one still shorter, a word of the interface or the user name itself is no telling text and stays.
 */
import { createHash } from 'node:crypto';
import { createRedactor } from '../redact.ts';
import { isInterfaceWord } from '#protocol/index.ts';
import type { Credentials } from './proofs.ts';

export type Mask = <T>(value: T) => T;

const KINDS = [/\p{Ll}|\p{Lo}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u];
const SHORTEST_ALONE = 4;
const TELLING = { mixed: 8, any: 12 };

/** `keys`: what Digest made of them. */
export function createOwnMask({ userName, password }: Credentials, keys: readonly string[]): Mask {
  if (password === '') return (value) => value;
  const hashes = ['md5', 'sha256'].map((name) => createHash(name).update(password, 'utf8').digest('hex'));
  const always = [`${userName}:${password}`, ...keys, ...hashes];
  return maskOf(password === userName && !isTelling(password) ? [] : [password], always);
}

/** The same rule for other secrets; those of `always` wherever they stand. */
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
