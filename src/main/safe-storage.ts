/** The operating system's keychain as keeper of the vault's data key. */
import { safeStorage } from 'electron';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { KeyProtection } from '#engine/api.ts';

/**
 * Returns the protection of the system; undefined if it offers none. On Linux without a keyring anyone could
 * read the "encrypted" text, so the key file is used instead. Call it after the app is ready.
 */
export async function createSafeStorageProtection(): Promise<KeyProtection | undefined> {
  if (!(await safeStorage.isAsyncEncryptionAvailable().catch(() => false))) return undefined;
  if (
    process.platform === 'linux' &&
    ['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())
  )
    return undefined;
  return {
    name: 'safe-storage',
    adopts: true,
    wrap: (key) => safeStorage.encryptStringAsync(Buffer.from(key).toString('base64')),
    async unwrap(wrapped) {
      try {
        const { result } = await safeStorage.decryptStringAsync(Buffer.from(wrapped));
        return Buffer.from(result, 'base64');
      } catch (cause) {
        throw userError('vault-locked', say('keychain-refused'), { cause });
      }
    },
  };
}
