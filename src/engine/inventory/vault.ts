/**
 * Secrets at rest: one random data key, wrapped by the face's protection, seals each secret by
 * itself. The context (whose secret it is) is authenticated, so that rows cannot be swapped.
 */
import { randomBytes } from 'node:crypto';
import { say } from '../../shared/details.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import type { AppInfo } from '../../shared/model.ts';
import type { Clock, KeyProtection } from '../api.ts';
import { openBytes, passphraseProtection, sealBytes } from '../key-protection.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';

export interface Vault {
  state(): AppInfo['vault'];
  /** Seals text for storage; throws `vault-locked`. */
  seal(text: string, context: string): Uint8Array;
  /** Throws `vault-locked`, or `vault-damaged` where bytes or context are not those that were sealed. */
  open(sealed: Uint8Array, context: string): string;
  /** As in Engine. */
  unlock(passphrase: string, options?: { readonly remember?: boolean }): Promise<void>;
  /** Forgets the data key. */
  close(): void;
}

export interface VaultOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Tried in order; the first also protects a new vault. */
  readonly protections: readonly KeyProtection[];
}

const KEY_BYTES = 32;
/** First byte of everything sealed: the format may change one day. */
const FORMAT = 1;

const PASSPHRASE = 'passphrase';

interface KeyRow {
  readonly protection: string;
  readonly wrapped: Uint8Array;
}

/** Opens the vault as far as the protections reach; a vault that stays locked is no error. */
export async function openVault(options: VaultOptions): Promise<Vault> {
  const { store, clock, log } = options;
  let key: Buffer | undefined;
  let protection = options.protections[0]?.name ?? 'none';
  /** Why it did not open. */
  let problem: FieldwrightError | undefined;
  const keychain = options.protections.find(({ adopts }) => adopts === true);

  const rows = () =>
    store.all<KeyRow>('SELECT protection, wrapped FROM vault_keys ORDER BY created_at, protection');

  async function unwrap(by: KeyProtection, row: KeyRow): Promise<void> {
    const raw = await by.unwrap(row.wrapped);
    if (raw.byteLength !== KEY_BYTES) throw keyDamaged();
    key = Buffer.from(raw);
    raw.fill(0);
    protection = by.name;
    problem = undefined;
  }

  /** Beside what opened it, so that the other ways in go on; a keychain that refuses changes nothing. */
  async function adopt(): Promise<void> {
    if (keychain === undefined || key === undefined || protection === keychain.name) return;
    try {
      const wrapped = await keychain.wrap(key);
      store.run(
        'INSERT OR REPLACE INTO vault_keys (protection, wrapped, created_at) VALUES (?, ?, ?)',
        keychain.name,
        wrapped,
        clock.now().toISOString(),
      );
      log({ level: 'info', event: 'vault-adopted-by-keychain' });
    } catch (error) {
      log({
        level: 'warn',
        event: 'vault-not-adopted',
        code: error instanceof FieldwrightError ? error.code : 'internal',
      });
    }
  }

  async function create(by: KeyProtection): Promise<void> {
    const fresh = randomBytes(KEY_BYTES);
    const wrapped = await by.wrap(fresh);
    const stored = store.transaction(() => {
      // Another process may have made the vault meanwhile: its key is the one.
      if (rows().length > 0) return false;
      store.run(
        'INSERT INTO vault_keys (protection, wrapped, created_at) VALUES (?, ?, ?)',
        by.name,
        wrapped,
        clock.now().toISOString(),
      );
      return true;
    });
    if (!stored) {
      fresh.fill(0);
      return openExisting();
    }
    key = fresh;
    protection = by.name;
  }

  async function openExisting(): Promise<void> {
    const known = rows();
    protection = known[0]?.protection ?? protection;
    for (const by of options.protections) {
      const row = known.find((candidate) => candidate.protection === by.name);
      if (row === undefined) continue;
      try {
        await unwrap(by, row);
        return await adopt();
      } catch (error) {
        protection = by.name;
        problem = error instanceof FieldwrightError ? error : keyDamaged(error);
        log({
          level: 'warn',
          event: 'vault-stays-locked',
          code: error instanceof FieldwrightError ? error.code : 'internal',
        });
      }
    }
  }

  async function start(): Promise<void> {
    if (rows().length > 0) return openExisting();
    const [first] = options.protections;
    if (first === undefined) return;
    try {
      await create(first);
    } catch (error) {
      log({
        level: 'warn',
        event: 'vault-not-made',
        code: error instanceof FieldwrightError ? error.code : 'internal',
      });
    }
  }

  function dataKey(): Buffer {
    if (key !== undefined) return key;
    if (problem !== undefined) throw problem;
    throw new FieldwrightError({
      code: 'vault-locked',
      source: 'user',
      ...(state() === 'new' ? say('vault-unprotected') : say('vault-locked', { protection })),
    });
  }

  function state(): AppInfo['vault']['state'] {
    if (key !== undefined) return 'open';
    return rows().length > 0 ? 'locked' : 'new';
  }

  function canRemember(): boolean {
    return (
      keychain !== undefined && state() === 'locked' && rows().some((row) => row.protection === PASSPHRASE)
    );
  }

  await start();

  return {
    state: () => ({ state: state(), protection, ...(canRemember() ? { canRemember: true } : {}) }),
    seal(text, context) {
      const plain = Buffer.from(text, 'utf8');
      try {
        return Buffer.concat([Buffer.of(FORMAT), sealBytes(dataKey(), plain, context)]);
      } finally {
        plain.fill(0);
      }
    },
    open(sealed, context) {
      const current = dataKey();
      let plain: Buffer;
      try {
        if (sealed[0] !== FORMAT) throw new Error('unknown format');
        plain = openBytes(current, sealed.subarray(1), context);
      } catch (error) {
        throw new FieldwrightError(
          {
            code: 'vault-damaged',
            source: 'app',
            ...say('secret-damaged'),
          },
          { cause: error },
        );
      }
      try {
        return plain.toString('utf8');
      } finally {
        plain.fill(0);
      }
    },
    async unlock(passphrase, { remember = false } = {}) {
      const by = passphraseProtection(() => passphrase);
      const known = rows();
      const row = known.find((candidate) => candidate.protection === by.name);
      if (known.length === 0) await create(by);
      else if (row !== undefined) await unwrap(by, row);
      else
        throw new FieldwrightError({
          code: 'vault-locked',
          source: 'user',
          ...say('vault-without-passphrase', {
            protection: known.map((entry) => entry.protection).join(', '),
          }),
        });
      if (remember) await adopt();
    },
    close() {
      key?.fill(0);
      key = undefined;
    },
  };
}

function keyDamaged(cause?: unknown): FieldwrightError {
  return new FieldwrightError(
    {
      code: 'vault-damaged',
      source: 'app',
      ...say('vault-key-damaged'),
    },
    { cause },
  );
}
