/** Inventory, vault and store on a real folder, for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#engine/host/clock.ts';
import { createCredentials } from '#engine/inventory/access/credentials.ts';
import { createProfiles } from '#engine/inventory/profiles.ts';
import { createSites } from '#engine/inventory/sites.ts';
import { Inventory } from '#engine/inventory/devices.ts';
import { Vault } from '#engine/inventory/access/vault.ts';
import { createKeyFileProtection } from '#engine/host/key-protection.ts';
import type { Clock, KeyProtection } from '#engine/api.ts';
import { openStore } from '#engine/store/index.ts';
import type { ListInterfaces } from '#engine/discovery/types.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';

const closers: (() => void)[] = [];

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-inventory-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Everything opened since, newest first. */
export function closeAll(): void {
  closers
    .splice(0)
    .reverse()
    .forEach((close) => close());
}

export async function openInventory(
  folder: string,
  protections: readonly KeyProtection[] = [createKeyFileProtection(join(folder, 'vault.key'))],
  clock: Clock = systemClock,
  listInterfaces?: ListInterfaces,
) {
  const store = openStore(folder, { clock });
  const vault = await Vault.open({ store, clock, log: () => {}, protections });
  const signInChanges: string[] = [];
  const profiles = createProfiles({ store, clock });
  const inventory = new Inventory({
    store,
    vault,
    clock,
    profiles,
    onSignInChanged: (ids) => signInChanges.push(...ids),
    onRemoved: () => {},
    ...removeUndefined({ listInterfaces }),
  });
  const credentials = createCredentials({ store, vault, clock, inventory });
  const sites = createSites({ store, clock, inventory });
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    inventory.close();
    store.close();
  };
  closers.push(close);
  return { store, vault, inventory, credentials, sites, profiles, signInChanges, close };
}

export function codeOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof FieldwrightError) return error.code;
    throw error;
  }
  return undefined;
}
