/** Ways to keep the vault's data key at rest without an operating system keychain. */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { FieldwrightError, appError } from '#shared/errors.ts';
import type { KeyProtection } from '../api/host.ts';
import { readJsonOrNothing } from '#shared/read-json.ts';
import { makeFolder, syncFolder } from '../files/folders.ts';
import { isWithoutRights, keepFromOthers } from './file-rights.ts';
import { PART_SUFFIX } from '../files/under-way.ts';

/** Name of the key file that the hosts keep in the data folder. */
export const KEY_FILE = 'vault.key';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Creates a protection by a random key in a file of mode 0600. It is made when the first vault is, never when
 * one is opened; a file that others may read is refused. Windows has no modes: outside of the profile the rights of the
 * file are set, and `onOpen` is called if the disk has none.
 */
export function createKeyFileProtection(path: string, onOpen?: () => void): KeyProtection {
  async function keep(): Promise<void> {
    if (!(await keepFromOthers(path))) onOpen?.();
  }
  return {
    name: 'key-file',
    async wrap(key) {
      const fileKey = makeKeyFile(path);
      await keep();
      try {
        return sealBytes(fileKey, key, 'key-file');
      } finally {
        fileKey.fill(0);
      }
    },
    async unwrap(wrapped) {
      const fileKey = readKeyFile(path);
      await keep();
      try {
        return openBytes(fileKey, wrapped, 'key-file');
      } catch (error) {
        throw locked(
          'The key file does not belong to this vault.',
          'Put back the key file that was used when the sign-ins were saved.',
          error,
        );
      } finally {
        fileKey.fill(0);
      }
    },
  };
}

/** File systems without hard links, such as FAT, answer so. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR']);

/** Makes a key whose file appears complete or not at all: half a key would be in the way of every later vault. */
function makeKeyFile(path: string): Buffer {
  if (existsSync(path)) return readKeyFile(path);
  const key = randomBytes(KEY_BYTES);
  const part = `${path}.${randomBytes(4).toString('hex')}${PART_SUFFIX}`;
  try {
    makeFolder(dirname(path));
    writeFileSync(part, `${key.toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true });
    placeFile(part, path);
    syncFolder(dirname(path));
    return key;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return readKeyFile(path);
    throw locked(
      'The key file cannot be written.',
      'Check the permissions of its folder. The disk of the data folder may be full.',
      error,
    );
  } finally {
    rmSync(part, { force: true });
  }
}

/** Gives a file its name unless another process was first. @throws `EEXIST` */
function placeFile(part: string, path: string): void {
  try {
    linkSync(part, path);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error)) || existsSync(path)) throw error;
    renameSync(part, path);
  }
}

function readKeyFile(path: string): Buffer {
  let file: number;
  try {
    // A pipe in its place would keep the whole process waiting.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw locked(
      'The key file cannot be read.',
      codeOf(error) === 'ENOENT'
        ? 'It does not exist.'
        : 'Check that it is a plain file and that you may read it.',
      error,
    );
  }
  try {
    const stats = fstatSync(file);
    // The check is on the open file, so that it cannot be swapped in between.
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
      throw locked(
        'The key file can be read by other users of this computer, so it is not used.',
        isWithoutRights(path)
          ? 'Its disk keeps no permissions (FAT, exFAT): move the data folder to another disk, or mount this one with umask=077.'
          : 'Give it mode 600 (chmod 600), and consider its secrets as known.',
      );
    }
    if (!stats.isFile())
      throw locked(
        'The key file is not one of Fieldwright.',
        'Its name is taken by a folder or a device: move that elsewhere.',
      );
    if (stats.size > 1024) throw locked('The key file is not one of Fieldwright.');
    const text = readFileSync(file, 'latin1').trim();
    if (!/^[0-9a-f]{64}$/i.test(text)) throw locked('The key file is damaged or not one of Fieldwright.');
    return Buffer.from(text, 'hex');
  } finally {
    closeSync(file);
  }
}

/** Memory 32 MiB, time about a tenth of a second: the weakest of OWASP's equal choices for memory. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 3 };
/** Most that a file may ask for: 64 MiB, and about five times today's time. */
const SCRYPT_LIMITS = { N: 2 ** 20, r: 32, p: 16, bytes: 64 * 1024 * 1024, cost: 2 ** 22 };

interface Parameters {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/**
 * Creates a protection by a key derived from a passphrase with scrypt; the parameters are kept beside the key
 * so that they can grow.
 */
export function createPassphraseProtection(
  getPassphrase: () => string | undefined | Promise<string | undefined>,
): KeyProtection {
  async function derived(salt: Uint8Array, parameters: Parameters): Promise<Buffer> {
    const passphrase = await getPassphrase();
    if (passphrase === undefined || passphrase === '')
      throw locked('The vault is protected by a passphrase.', 'Unlock it with its passphrase.');
    return derive(passphrase.normalize('NFC'), salt, parameters);
  }
  return {
    name: 'passphrase',
    async wrap(key) {
      const salt = randomBytes(16);
      const wrapping = await derived(salt, SCRYPT);
      try {
        const sealed = sealBytes(wrapping, key, 'passphrase');
        return Buffer.from(
          JSON.stringify({
            kdf: 'scrypt',
            ...SCRYPT,
            salt: salt.toString('base64'),
            sealed: Buffer.from(sealed).toString('base64'),
          }),
          'utf8',
        );
      } finally {
        wrapping.fill(0);
      }
    },
    async unwrap(wrapped) {
      const { parameters, salt, sealed } = readWrapped(wrapped);
      const wrapping = await derived(salt, parameters);
      try {
        return openBytes(wrapping, sealed, 'passphrase');
      } catch (error) {
        throw locked('The passphrase is not the right one.', undefined, error);
      } finally {
        wrapping.fill(0);
      }
    },
  };
}

function readWrapped(wrapped: Uint8Array): { parameters: Parameters; salt: Buffer; sealed: Buffer } {
  const parsed = readJsonOrNothing(Buffer.from(wrapped).toString('utf8'));
  const { kdf, N, r, p, salt, sealed } = (
    typeof parsed === 'object' && parsed !== null ? parsed : {}
  ) as Record<string, unknown>;
  // The file may have been tampered with: absurd costs would hang the application.
  const fits =
    kdf === 'scrypt' &&
    whole(N, SCRYPT_LIMITS.N) &&
    whole(r, SCRYPT_LIMITS.r) &&
    whole(p, SCRYPT_LIMITS.p) &&
    typeof salt === 'string' &&
    typeof sealed === 'string' &&
    N > 1 &&
    Number.isInteger(Math.log2(N)) &&
    128 * N * r <= SCRYPT_LIMITS.bytes &&
    N * r * p <= SCRYPT_LIMITS.cost;
  if (!fits) throw appError('vault-damaged', say('vault-key-unreadable'));
  return {
    parameters: { N, r, p },
    salt: Buffer.from(salt, 'base64'),
    sealed: Buffer.from(sealed, 'base64'),
  };
}

function whole(value: unknown, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max;
}

function derive(passphrase: string, salt: Uint8Array, { N, r, p }: Parameters): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, KEY_BYTES, { N, r, p, maxmem: 2 * SCRYPT_LIMITS.bytes }, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

/**
 * Seals with AES-256-GCM: nonce, tag, ciphertext; `context` is authenticated and must be the same on opening.
 */
export function sealBytes(key: Uint8Array, plain: Uint8Array, context: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(context, 'utf8'));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Reverses `sealBytes`; throws when key, context or bytes are not the same. */
export function openBytes(key: Uint8Array, sealed: Uint8Array, context: string): Buffer {
  if (sealed.byteLength < NONCE_BYTES + TAG_BYTES) throw new Error('too short');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context, 'utf8'));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}

function locked(message: string, hint?: string, cause?: unknown): FieldwrightError {
  return new FieldwrightError(
    { code: 'vault-locked', source: 'user', message, ...removeUndefined({ hint }) },
    { cause },
  );
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
}
