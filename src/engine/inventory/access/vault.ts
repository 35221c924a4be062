/**
 * Secrets at rest: one random data key, wrapped by the face's protection, seals each secret by
 * itself. The context (whose secret it is) is authenticated, so that rows cannot be swapped.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { say } from '#shared/details.ts';
import { FieldwrightError, appError, userError } from '#shared/errors.ts';
import type { AppInfo } from '#shared/model.ts';
import type { Clock, KeyProtection } from '#engine/api/host.ts';
import { openBytes, createPassphraseProtection, sealBytes } from '#engine/host/key-protection.ts';
import type { Log } from '#engine/host/log.ts';
import type { Store } from '#engine/store/index.ts';

interface VaultOptions {
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

export class Vault {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #protections: readonly KeyProtection[];
  readonly #keychain: KeyProtection | undefined;
  #key: Buffer | undefined;
  #protection: string;
  /** Why it did not open. */
  #problem: FieldwrightError | undefined;

  private constructor({ store, clock, log, protections }: VaultOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#protections = protections;
    this.#keychain = protections.find(({ adopts }) => adopts === true);
    this.#protection = protections[0]?.name ?? 'none';
  }

  /** Opens the vault as far as the protections reach; a vault that stays locked is no error. */
  static async open(options: VaultOptions): Promise<Vault> {
    const vault = new Vault(options);
    await vault.#start();
    return vault;
  }

  state(): AppInfo['vault'] {
    return {
      state: this.#standing(),
      protection: this.#protection,
      ...(this.#canRemember() ? { canRemember: true } : {}),
    };
  }

  /** Seals text for storage; throws `vault-locked`. */
  seal(text: string, context: string): Uint8Array {
    const plain = Buffer.from(text, 'utf8');
    try {
      return Buffer.concat([Buffer.of(FORMAT), sealBytes(this.#dataKey(), plain, context)]);
    } finally {
      plain.fill(0);
    }
  }

  /** Throws `vault-locked`, or `vault-damaged` where bytes or context are not those that were sealed. */
  open(sealed: Uint8Array, context: string): string {
    const current = this.#dataKey();
    let plain: Buffer;
    try {
      if (sealed[0] !== FORMAT) throw new Error('unknown format');
      plain = openBytes(current, sealed.subarray(1), context);
    } catch (error) {
      throw appError('vault-damaged', say('secret-damaged'), { cause: error });
    }
    try {
      return plain.toString('utf8');
    } finally {
      plain.fill(0);
    }
  }

  /** Tells the same text again without keeping it; HMAC-SHA-256 with a key of its own for each context. Throws `vault-locked`. */
  mark(text: string, context: string): string {
    const key = createHmac('sha256', this.#dataKey()).update(`mark ${context}`).digest();
    return createHmac('sha256', key).update(text).digest('base64');
  }

  /** Unlocks the vault, as in Engine. */
  async unlock(passphrase: string, { remember = false } = {}): Promise<void> {
    const by = createPassphraseProtection(() => passphrase);
    const known = this.#rows();
    const row = known.find((candidate) => candidate.protection === by.name);
    if (known.length === 0) await this.#create(by);
    else if (row !== undefined) await this.#unwrap(by, row);
    else
      throw userError(
        'vault-locked',
        say('vault-without-passphrase', {
          protection: known.map((entry) => entry.protection).join(', '),
        }),
      );
    if (remember) await this.#adopt();
  }

  /** Forgets the data key. */
  close(): void {
    this.#key?.fill(0);
    this.#key = undefined;
  }

  async #unwrap(by: KeyProtection, row: KeyRow): Promise<void> {
    const raw = await by.unwrap(row.wrapped);
    if (raw.byteLength !== KEY_BYTES) throw keyDamaged();
    this.#key = Buffer.from(raw);
    raw.fill(0);
    this.#protection = by.name;
    this.#problem = undefined;
  }

  /**
   * Adds the keychain to what opened the vault, so that the other ways in go on; a keychain that refuses
   * changes nothing.
   */
  async #adopt(): Promise<void> {
    if (this.#keychain === undefined || this.#key === undefined || this.#protection === this.#keychain.name)
      return;
    try {
      const wrapped = await this.#keychain.wrap(this.#key);
      this.#store.insert(
        'vault_keys',
        { protection: this.#keychain.name, wrapped, created_at: this.#clock.now().toISOString() },
        'replace',
      );
      this.#log({ level: 'info', event: 'vault-adopted-by-keychain' });
    } catch (error) {
      this.#log({
        level: 'warn',
        event: 'vault-not-adopted',
        code: error instanceof FieldwrightError ? error.code : 'internal',
      });
    }
  }

  async #create(by: KeyProtection): Promise<void> {
    const fresh = randomBytes(KEY_BYTES);
    const wrapped = await by.wrap(fresh);
    const stored = this.#store.transaction(() => {
      // Another process may have made the vault meanwhile: its key is the one.
      if (this.#rows().length > 0) return false;
      this.#store.insert('vault_keys', {
        protection: by.name,
        wrapped,
        created_at: this.#clock.now().toISOString(),
      });
      return true;
    });
    if (!stored) {
      fresh.fill(0);
      return this.#openExisting();
    }
    this.#key = fresh;
    this.#protection = by.name;
  }

  async #openExisting(): Promise<void> {
    const known = this.#rows();
    this.#protection = known[0]?.protection ?? this.#protection;
    for (const by of this.#protections) {
      const row = known.find((candidate) => candidate.protection === by.name);
      if (row === undefined) continue;
      try {
        await this.#unwrap(by, row);
        return await this.#adopt();
      } catch (error) {
        this.#protection = by.name;
        this.#problem = error instanceof FieldwrightError ? error : keyDamaged(error);
        this.#log({
          level: 'warn',
          event: 'vault-stays-locked',
          code: error instanceof FieldwrightError ? error.code : 'internal',
        });
      }
    }
  }

  async #start(): Promise<void> {
    if (this.#rows().length > 0) return this.#openExisting();
    const [first] = this.#protections;
    if (first === undefined) return;
    try {
      await this.#create(first);
    } catch (error) {
      this.#log({
        level: 'warn',
        event: 'vault-not-made',
        code: error instanceof FieldwrightError ? error.code : 'internal',
      });
    }
  }

  #dataKey(): Buffer {
    if (this.#key !== undefined) return this.#key;
    if (this.#problem !== undefined) throw this.#problem;
    throw new FieldwrightError({
      code: 'vault-locked',
      source: 'user',
      ...(this.#standing() === 'new'
        ? say('vault-unprotected')
        : say('vault-locked', { protection: this.#protection })),
    });
  }

  #standing(): AppInfo['vault']['state'] {
    if (this.#key !== undefined) return 'open';
    return this.#rows().length > 0 ? 'locked' : 'new';
  }

  #canRemember(): boolean {
    return (
      this.#keychain !== undefined &&
      this.#standing() === 'locked' &&
      this.#rows().some((row) => row.protection === PASSPHRASE)
    );
  }

  #rows(): readonly KeyRow[] {
    return this.#store.all<KeyRow>(
      'SELECT protection, wrapped FROM vault_keys ORDER BY created_at, protection',
    );
  }
}

function keyDamaged(cause?: unknown): FieldwrightError {
  return appError('vault-damaged', say('vault-key-damaged'), { cause });
}
