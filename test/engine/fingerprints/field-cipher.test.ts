import { describe, expect, it } from 'vitest';
import { createFieldCipher, type CipherSettings } from '#engine/fingerprints/field-cipher.ts';

const SHARED = 'YSBzaGFyZWQga2V5IHdpdGgAYnl0ZXM=';
const PLAIN = 'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=';
/**
 * Made with OpenSSL 3.0: `openssl kdf -kdfopt digest:SHA256 -kdfopt hexpass:… -kdfopt hexsalt: -kdfopt iter:N PBKDF2` for
 * the key, then `openssl enc -aes-… -K KEY -iv 0 -a -A` of the base64 text; where CFB and OFB are padded, of the padded text.
 */
const VECTORS: readonly [
  CipherSettings['iterationTimes'],
  CipherSettings['keyLen'],
  CipherSettings['encryptAlgorithmMode'],
  CipherSettings['encryptAlgorithmFill'],
  string,
][] = [
  [50_000, 128, 'ECB', 'yes', 'XitKNEptNtm8GE+Z2xxn4V4rSjRKbTbZvBhPmdscZ+G0/Pm2rgjHbEMZom1txNW3'],
  [100_000, 256, 'ECB', 'yes', '0La7usH9UTrsZJMO07kiuNC2u7rB/VE67GSTDtO5Irjdl77H6C9xVO+dTkiPcJsC'],
  [100_000, 256, 'CBC', 'yes', '0La7usH9UTrsZJMO07kiuFO9rMR/+nBqABb6hvNp3b64g+GmWbiojc+Xu9cCxKrr'],
  [80_000, 128, 'CBC', 'yes', 'jyoa9LcO+UML3A0rJ72g1bQXZle/ZrXXfoTo+s7rdHz0VMIOmVLt8RDQtVvvvgEy'],
  [100_000, 256, 'CFB', 'yes', '5CHKoi2O0fu/J610oU5Ggbd4sLhhvsu5QXtfHuuMSGKWtdrxUMpTiFozWNR1hTu0'],
  [100_000, 128, 'CFB', 'no', 'AegT5j7/yfU9QaIf9u56grhGo1MVgnmOTRyGIV1YXnSabSaD+l5m39aUfPM='],
  [100_000, 256, 'OFB', 'yes', '5CHKoi2O0fu/J610oU5GgRZ1CKiF0HqL/s2wCSL5nPi8Ora5zwpwzw9xPSsIi31s'],
  [50_000, 256, 'OFB', 'no', 'xrEABxNw5s+uwYYqwWFlVN+cVs6yZRZT+jK6On5bLmooApwKR09EG3nMdgA='],
];

describe('the cipher of fingerData', () => {
  // Would catch: another order of base64 and AES, another derivation of the key, or padding where none is due.
  it.each(VECTORS)(
    '%i iterations, %i bits, %s, padded: %s, as openssl does it',
    (iterationTimes, keyLen, mode, fill, vector) => {
      const cipher = createFieldCipher(SHARED, {
        iterationTimes,
        keyLen,
        encryptAlgorithmMode: mode,
        encryptAlgorithmFill: fill,
      });

      expect(cipher.encrypt(PLAIN)).toBe(vector);
      expect(cipher.decrypt(vector)).toBe(PLAIN);
    },
  );

  it('refuses half a block that it must not pad', () => {
    const cipher = createFieldCipher(SHARED, {
      iterationTimes: 50_000,
      keyLen: 128,
      encryptAlgorithmMode: 'CBC',
      encryptAlgorithmFill: 'no',
    });

    expect(() => cipher.encrypt(PLAIN)).toThrow(RangeError);
  });

  it('does not take for a template what was not encrypted with this key', () => {
    const cipher = createFieldCipher(SHARED, {
      iterationTimes: 50_000,
      keyLen: 128,
      encryptAlgorithmMode: 'CBC',
      encryptAlgorithmFill: 'yes',
    });

    expect(cipher.decrypt(PLAIN)).toBeUndefined();
    expect(cipher.decrypt('!')).toBeUndefined();
  });
});
