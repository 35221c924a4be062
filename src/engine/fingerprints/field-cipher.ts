/**
 * Encrypts `fingerData` with the optional cipher (part 2, 2.7): base64 once, then AES, with the parameters of
 * the token key (part 3, 2.5). What the specification leaves open is decided here and nowhere else: the AES
 * key is PBKDF2 of the shared key with its digest and iteration count, the salt and the initialization vector
 * are empty (zeros), and what was encrypted travels as base64, since the field is text.
 */
import { createCipheriv, createDecipheriv, pbkdf2Sync, type Cipheriv, type Decipheriv } from 'node:crypto';

export const CIPHER_MODES = ['ECB', 'CBC', 'CFB', 'OFB'] as const;

/** Settings of the cipher as a device names them (part 3, 2.5). */
export interface CipherSettings {
  readonly iterationTimes: 50_000 | 80_000 | 100_000;
  readonly keyLen: 128 | 256;
  readonly encryptAlgorithmMode: (typeof CIPHER_MODES)[number];
  /** `yes`: padded to a multiple of 16 bytes; `no`: as it is, which ECB and CBC take in whole blocks only. */
  readonly encryptAlgorithmFill: 'yes' | 'no';
}

/** Members of the settings, as the flow that sets a token key keeps them beside it. */
const SETTINGS = ['iterationTimes', 'keyLen', 'encryptAlgorithmMode', 'encryptAlgorithmFill'] as const;

/** Tells whether a key was set up with other settings than these. */
export function hasOtherSettings(
  cipher: CipherSettings,
  settings: Readonly<Record<string, unknown>>,
): boolean {
  return SETTINGS.some((name) => String(settings[name]) !== String(cipher[name]));
}

/** Returns settings the way the command line takes them. */
export function describeCipher(
  settings: Partial<Readonly<Record<(typeof SETTINGS)[number], unknown>>>,
): string {
  const { iterationTimes, keyLen, encryptAlgorithmMode: mode, encryptAlgorithmFill: fill } = settings;
  const name = `aes-${String(keyLen ?? '?')}-${String(mode ?? '?').toLowerCase()}`;
  return [name, String(iterationTimes ?? '?'), ...(fill === 'no' ? ['no-fill'] : [])].join('/');
}

const BLOCK = 16;

export interface FieldCipher {
  /**
   * Encrypts a template in base64 for `fingerData`. Throws a RangeError if it does not fill its blocks and
   * must not be padded.
   */
  encrypt(base64: string): string;
  /** Reverses it; undefined for what was not encrypted so. */
  decrypt(text: string): string | undefined;
}

/** Creates the cipher. `sharedKey`: base64, as the vault has it. The key is derived once. */
export function createFieldCipher(sharedKey: string, settings: CipherSettings): FieldCipher {
  const { keyLen, iterationTimes, encryptAlgorithmMode: mode, encryptAlgorithmFill: fill } = settings;
  const key = pbkdf2Sync(Buffer.from(sharedKey, 'base64'), '', iterationTimes, keyLen / 8, 'sha256');
  const name = `aes-${keyLen}-${mode.toLowerCase()}`;
  const vector = mode === 'ECB' ? null : Buffer.alloc(BLOCK);
  const padded = fill === 'yes';

  function run(cipher: Cipheriv | Decipheriv, bytes: Uint8Array): Buffer {
    // Padding is ours: streams of CFB and OFB have none of their own, and the setting holds for them too.
    cipher.setAutoPadding(false);
    return Buffer.concat([cipher.update(bytes), cipher.final()]);
  }

  return {
    encrypt(base64) {
      const plain = Buffer.from(base64, 'latin1');
      if (!padded && plain.length % BLOCK !== 0 && (mode === 'ECB' || mode === 'CBC'))
        throw new RangeError('not whole blocks');
      return run(createCipheriv(name, key, vector), padded ? pad(plain) : plain).toString('base64');
    },
    decrypt(text) {
      try {
        const plain = run(createDecipheriv(name, key, vector), Buffer.from(text, 'base64'));
        const base64 = (padded ? unpad(plain) : plain)?.toString('latin1');
        return base64 !== undefined && /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? base64 : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

/** Pads by PKCS #7, also for a length that is a multiple already. */
function pad(bytes: Buffer): Buffer {
  const more = BLOCK - (bytes.length % BLOCK);
  return Buffer.concat([bytes, Buffer.alloc(more, more)]);
}

function unpad(bytes: Buffer): Buffer | undefined {
  const more = bytes.at(-1) ?? 0;
  const isPadding = more >= 1 && more <= BLOCK && bytes.subarray(-more).every((byte) => byte === more);
  return isPadding ? bytes.subarray(0, -more) : undefined;
}
