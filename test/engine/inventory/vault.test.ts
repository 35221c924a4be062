import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { KeyProtection } from '#engine/api.ts';
import {
  createKeyFileProtection,
  openBytes,
  createPassphraseProtection,
  sealBytes,
} from '#engine/host/key-protection.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { closeAll, codeOf, openInventory, tempFolder } from './open-inventory.ts';

afterEach(closeAll);
const PASSWORD = 'Tür-42-geheim';

async function rejection(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    (error: unknown) => (error instanceof FieldwrightError ? error.code : String(error)),
  );
}

describe('a saved sign-in', () => {
  it('comes back after a restart', async () => {
    const folder = tempFolder();
    const first = await openInventory(folder);
    const { id } = first.inventory.add({ address: '10.0.0.1' });
    first.credentials.save({ label: 'Site', userName: 'admin', password: PASSWORD, deviceIds: [id] });
    first.close();

    const second = await openInventory(folder);

    expect(second.vault.state()).toEqual({ state: 'open', protection: 'key-file' });
    expect(second.inventory.directory.signIn(id)).toEqual({ userName: 'admin', password: PASSWORD });
    expect(second.credentials.list()).toMatchObject([{ label: 'Site', userName: 'admin', devices: 1 }]);
  });

  // Would catch: a password in a page, the write-ahead log, or a deleted row.
  it('is in no file of the data folder, nor in what everybody may see', async () => {
    const folder = tempFolder();
    const { inventory, credentials, store } = await openInventory(folder);
    const { id } = inventory.add({ address: '10.0.0.1' });
    const saved = credentials.save({ label: 'Site', userName: 'admin', password: PASSWORD, deviceIds: [id] });
    credentials.save({ id: saved.id, label: 'Site', userName: 'admin', password: `${PASSWORD}2` });
    credentials.remove({ id: saved.id });
    store.run('PRAGMA wal_checkpoint(PASSIVE)');

    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, name));
      for (const encoding of ['utf8', 'latin1', 'utf16le', 'base64', 'hex'] as const) {
        const needle =
          encoding === 'base64' || encoding === 'hex'
            ? Buffer.from(Buffer.from(PASSWORD).toString(encoding).slice(0, 16))
            : Buffer.from(PASSWORD, encoding);
        expect([name, encoding, bytes.includes(needle)]).toEqual([name, encoding, false]);
      }
    }
    expect(JSON.stringify([saved, inventory.list(), credentials.list()])).not.toContain(PASSWORD);
  });

  it('keeps its password when only the names change', async () => {
    const { inventory, credentials } = await openInventory(tempFolder());
    const { id } = inventory.add({ address: '10.0.0.1' });
    const saved = credentials.save({ label: 'Site', userName: 'admin', password: PASSWORD, deviceIds: [id] });

    credentials.save({ id: saved.id, label: 'Renamed', userName: 'root', password: '' });

    expect(inventory.directory.signIn(id)).toEqual({ userName: 'root', password: PASSWORD });
  });

  it('leaves its devices without one when removed, and they start afresh', async () => {
    const { inventory, credentials, signInChanges } = await openInventory(tempFolder());
    const { id } = inventory.add({ address: '10.0.0.1' });
    const saved = credentials.save({ label: 'Site', userName: 'admin', password: PASSWORD, deviceIds: [id] });
    inventory.directory.observe(id, { type: 'sign-in', state: 'failed' });
    signInChanges.length = 0;

    credentials.remove({ id: saved.id });

    expect(inventory.find(id)).toMatchObject({ signIn: 'unknown' });
    expect(inventory.find(id).credentialId).toBeUndefined();
    expect(signInChanges).toEqual([id]);
  });

  // Would catch: a row copied over another, which would hand one device's password to the next.
  it('opens only in its own row', async () => {
    const { credentials, store, inventory } = await openInventory(tempFolder());
    const { id } = inventory.add({ address: '10.0.0.1' });
    const one = credentials.save({ label: 'a', userName: 'a', password: 'one', deviceIds: [id] });
    const two = credentials.save({ label: 'b', userName: 'b', password: 'two' });
    store.run(
      'UPDATE credentials SET secret = (SELECT secret FROM credentials WHERE id = ?) WHERE id = ?',
      two.id,
      one.id,
    );

    expect(codeOf(() => inventory.directory.signIn(id))).toBe('vault-damaged');
  });
});

describe('sealed text', () => {
  it('differs each time and opens under its context only', async () => {
    const { vault } = await openInventory(tempFolder());
    const [one, two] = [vault.seal('x', 'job:1'), vault.seal('x', 'job:1')];

    expect(Buffer.from(one).equals(Buffer.from(two))).toBe(false);
    expect(vault.open(one, 'job:1')).toBe('x');
    expect(codeOf(() => vault.open(one, 'job:2'))).toBe('vault-damaged');
    expect(codeOf(() => vault.open(one.subarray(0, 20), 'job:1'))).toBe('vault-damaged');
    expect(codeOf(() => vault.open(new Uint8Array(0), 'job:1'))).toBe('vault-damaged');
  });
});

describe('the key file', () => {
  const posix = process.platform !== 'win32';

  it.skipIf(!posix)('is private, and refused when others may read it', async () => {
    const folder = tempFolder();
    (await openInventory(folder)).close();
    const file = join(folder, 'vault.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);

    chmodSync(file, 0o640);

    expect((await openInventory(folder)).vault.state().state).toBe('locked');
    expect(await rejection(createKeyFileProtection(file).unwrap(new Uint8Array(60)))).toBe('vault-locked');
  });

  it.skipIf(!posix)('is no pipe (else: opening the app waits for whoever writes to it)', async () => {
    const pipe = join(tempFolder(), 'vault.key');
    execFileSync('mkfifo', ['-m', '600', pipe]);

    expect(await rejection(createKeyFileProtection(pipe).unwrap(new Uint8Array(60)))).toBe('vault-locked');
  });

  it('is no folder', async () => {
    const folder = join(tempFolder(), 'vault.key');
    mkdirSync(folder, { mode: 0o700 });

    expect(await rejection(createKeyFileProtection(folder).unwrap(new Uint8Array(60)))).toBe('vault-locked');
  });

  it.skipIf(!posix)('is not read through a link', async () => {
    const folder = tempFolder();
    (await openInventory(folder)).close();
    symlinkSync(join(folder, 'vault.key'), join(folder, 'link'));

    expect(await rejection(createKeyFileProtection(join(folder, 'link')).unwrap(new Uint8Array(60)))).toBe(
      'vault-locked',
    );
  });

  // Would catch: a new key made silently, after which no stored password ever opens again.
  it('that is gone leaves the vault locked, not replaced', async () => {
    const folder = tempFolder();
    const first = await openInventory(folder);
    first.credentials.save({ label: 'a', userName: 'a', password: 'x' });
    first.close();

    const other = join(folder, 'elsewhere.key');
    const second = await openInventory(folder, [createKeyFileProtection(other)]);

    expect(second.vault.state()).toEqual({ state: 'locked', protection: 'key-file' });
    expect(existsSync(other)).toBe(false);
    expect(codeOf(() => second.credentials.save({ label: 'b', userName: 'b', password: 'y' }))).toBe(
      'vault-locked',
    );
    expect(second.credentials.list()).toHaveLength(1);
  });

  it.each(['', 'hello', 'ab'.repeat(31), 'x'.repeat(5000)])('with %j inside is refused', async (content) => {
    const file = join(tempFolder(), 'vault.key');
    writeFileSync(file, content, { mode: 0o600 });

    expect(await rejection(createKeyFileProtection(file).unwrap(new Uint8Array(60)))).toBe('vault-locked');
  });
});

describe('the passphrase', () => {
  it('protects a new vault, opens it again, and no other does', async () => {
    const folder = tempFolder();
    const first = await openInventory(folder, []);
    expect(first.vault.state().state).toBe('new');
    await first.vault.unlock('Straße 5');
    first.credentials.save({ label: 'a', userName: 'a', password: PASSWORD });
    first.close();

    const second = await openInventory(folder, []);

    expect(second.vault.state()).toEqual({ state: 'locked', protection: 'passphrase' });
    expect(await rejection(second.vault.unlock('Strasse 5'))).toBe('vault-locked');
    expect(second.vault.state().state).toBe('locked');
    await second.vault.unlock('Straße 5');
    expect(second.vault.state().state).toBe('open');
  });

  it('does not open a vault protected otherwise', async () => {
    const folder = tempFolder();
    (await openInventory(folder)).close();

    expect(await rejection((await openInventory(folder, [])).vault.unlock('x'))).toBe('vault-locked');
  });

  describe('from a tampered file', () => {
    const protection = createPassphraseProtection(() => 'x');
    let wrapped: object;
    beforeAll(async () => {
      wrapped = JSON.parse(Buffer.from(await protection.wrap(new Uint8Array(32))).toString()) as object;
    });

    // Would catch: one that makes the application hang or run out of memory.
    it.each([
      { N: 2 ** 30 },
      { r: 1000 },
      { p: 1e9 },
      { N: 3.5 },
      { N: -1 },
      { kdf: 'none' },
      { N: 2 ** 20, r: 32 },
      { N: 2 ** 20 },
      { p: 17 },
      { N: 3 },
      { N: 1 },
      { N: 0 },
    ])('refuses stored parameters %j', async (change) => {
      expect(await rejection(protection.unwrap(Buffer.from(JSON.stringify({ ...wrapped, ...change }))))).toBe(
        'vault-damaged',
      );
    });
  });
});

describe('a keychain', () => {
  const PASSPHRASE = 'Straße 5';
  const secret = randomBytes(32);
  /** Protection that wraps keys as the operating system does: for this account, without asking. */
  const keychain: KeyProtection = {
    name: 'safe-storage',
    adopts: true,
    wrap: (key) => Promise.resolve(sealBytes(secret, key, 'keychain')),
    unwrap: (wrapped) => Promise.resolve().then(() => openBytes(secret, wrapped, 'keychain')),
  };
  const keyFile = (folder: string): KeyProtection => createKeyFileProtection(join(folder, 'vault.key'));

  async function made(
    folder: string,
    protections: readonly KeyProtection[],
    passphrase?: string,
  ): Promise<void> {
    const first = await openInventory(folder, protections);
    if (passphrase !== undefined) await first.vault.unlock(passphrase);
    first.credentials.save({ label: 'Site', userName: 'admin', password: PASSWORD });
    first.close();
  }
  async function opensWith(folder: string, protections: readonly KeyProtection[]): Promise<unknown> {
    const again = await openInventory(folder, protections);
    const state = again.vault.state();
    again.close();
    return state;
  }

  it('keeps the key of a folder that the command line made, which goes on opening it (else: the desktop hangs on a file)', async () => {
    const folder = tempFolder();
    await made(folder, [keyFile(folder)]);

    await opensWith(folder, [keychain, keyFile(folder)]);

    expect(await opensWith(folder, [keychain])).toEqual({ state: 'open', protection: 'safe-storage' });
    expect(await opensWith(folder, [keyFile(folder)])).toEqual({ state: 'open', protection: 'key-file' });
  });

  it('keeps the key of a passphrase that was given once and is to be remembered, and only then', async () => {
    const folder = tempFolder();
    await made(folder, [], PASSPHRASE);

    const asking = await openInventory(folder, [keychain]);
    const before = asking.vault.state();
    await asking.vault.unlock(PASSPHRASE);
    asking.close();
    const remembering = await openInventory(folder, [keychain]);
    const between = remembering.vault.state();
    await remembering.vault.unlock(PASSPHRASE, { remember: true });
    remembering.close();

    expect([before, between]).toEqual(
      [1, 2].map(() => ({ state: 'locked', protection: 'passphrase', canRemember: true })),
    );
    expect(await opensWith(folder, [keychain])).toEqual({ state: 'open', protection: 'safe-storage' });
    expect(await opensWith(folder, [])).toEqual({ state: 'locked', protection: 'passphrase' });
  });

  it('that does not answer leaves the vault open by what opened it', async () => {
    const folder = tempFolder();
    await made(folder, [keyFile(folder)]);
    const broken: KeyProtection = { ...keychain, wrap: () => Promise.reject(new Error('locked')) };

    expect(await opensWith(folder, [broken, keyFile(folder)])).toEqual({
      state: 'open',
      protection: 'key-file',
    });
    expect(await opensWith(folder, [keyFile(folder)])).toEqual({ state: 'open', protection: 'key-file' });
  });

  it('of another computer is told as the reason, not as a lock without one', async () => {
    const folder = tempFolder();
    await made(folder, [keychain]);
    const other: KeyProtection = { ...keychain, unwrap: () => Promise.reject(new Error('a stranger')) };

    const { credentials } = await openInventory(folder, [other]);

    expect(codeOf(() => credentials.save({ label: 'b', userName: 'b', password: 'y' }))).toBe(
      'vault-damaged',
    );
  });
});
