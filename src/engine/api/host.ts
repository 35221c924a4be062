/** Services and settings that the engine takes from its host. */
import type { ErrorShape } from '#shared/errors.ts';
import type { AppInfo } from '#shared/model.ts';
import type { CertificateTrust } from '#shared/trust.ts';
import type { ListInterfaces } from '../discovery/types.ts';

/** Wall clock and monotonic time, injected so that tests need not wait. */
export interface Clock {
  now(): Date;
  /** Resolves after `ms`, or rejects with AbortError. */
  delay(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * How a face protects the vault's data key at rest: safeStorage in Electron, a passphrase or a key
 * file of mode 0600 elsewhere. `unwrap` throws `vault-locked` when it cannot.
 */
export interface KeyProtection {
  /** Names the protection in the vault: `safe-storage`, `key-file`, `passphrase`. */
  readonly name: string;
  /**
   * True if it asks no person on this account of this computer: it may then also keep a vault that was opened
   * in another way.
   */
  readonly adopts?: boolean;
  wrap(key: Uint8Array): Promise<Uint8Array>;
  unwrap(wrapped: Uint8Array): Promise<Uint8Array>;
}

/** One line of the log: fields are allow-listed by the writer, values never hold bodies or secrets. */
export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly device?: string;
  readonly operation?: string;
  readonly ms?: number;
  readonly http?: number;
  readonly code?: string;
}

export interface EngineOptions {
  readonly dataDir: string;
  /** Folder with `templates/` and what else ships with the app. */
  readonly resourcesDir: string;
  readonly face: AppInfo['face'];
  readonly version: string;
  /** Tried in order; the first also protects a new vault. Empty: the vault stays locked. */
  readonly protections: readonly KeyProtection[];
  readonly clock?: Clock;
  readonly log?: (entry: LogEntry) => void;
  /** Faults that the face found at its start, for the person. */
  readonly notices?: readonly ErrorShape[];
  /** Operating system user for the journal. */
  readonly user?: string;
  /**
   * A certificate that the system does not trust and that is the first a device shows: `ask` refuses it
   * with what a person needs to decide (windows), `first-use` pins it and tells (command line).
   */
  readonly certificates?: 'ask' | 'first-use';
  /** Lists the network interfaces of this computer; default: those of the system. */
  readonly listInterfaces?: ListInterfaces;
  /** Called after `first-use` has pinned a certificate, so that the face can show the fingerprint. */
  readonly onTrusted?: (trusted: { readonly url: string; readonly trust: CertificateTrust }) => void;
}
