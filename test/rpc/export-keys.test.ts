/** Export of device secrets by a page: the file is written where a person outside the page agrees, the page gets no byte. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '#engine/host/clock.ts';
import { createDeviceSecrets, createKeys } from '#engine/inventory/access/device-secrets.ts';
import { createKeysExport } from '#rpc/export-keys.ts';
import { createConfirmer, type HostQuestion } from '#rpc/confirmation.ts';
import { closeAll, openInventory, tempFolder } from '../engine/inventory/open-inventory.ts';

afterEach(closeAll);

const VALUE = 'c4rd-only-here';
const PASSPHRASE = 'correct horse battery';

async function openKeys() {
  const { store, vault, inventory } = await openInventory(tempFolder());
  const device = inventory.add({ address: '10.0.0.1', name: 'Gate 1' });
  const secrets = createDeviceSecrets({ store, vault, clock: systemClock });
  const own = secrets.of(device.id);
  own.keep('storage-card', VALUE);
  own.mark('storage-card', 'sent');
  own.succeed('storage-card');
  return { keys: createKeys(secrets, inventory, store) };
}

it('writes a sealed file where the person chose, and tells the page the place and the count alone', async () => {
  const engine = await openKeys();
  const file = join(tempFolder(), 'keys.bin');
  const save = createKeysExport(engine, { chooseTarget: () => Promise.resolve(file) }, createConfirmer());

  const answer = await save({ passphrase: PASSPHRASE }, new AbortController().signal);

  expect(answer).toEqual({ file, count: 1 });
  expect(readFileSync(file).subarray(0, 8).toString()).toBe('Salted__');
  expect(readFileSync(file, 'latin1')).not.toContain(VALUE);
  expect(JSON.stringify(engine.keys.list())).not.toContain(VALUE);
});

// Would catch: a script in the page that has all secrets written with a passphrase of its own, without a question to the person.
it('asks a person outside the page where there is no dialog for files, and writes nothing after a no', async () => {
  const engine = await openKeys();
  const asked: HostQuestion[] = [];
  const confirmer = createConfirmer((question) => {
    asked.push(question);
    return Promise.resolve('no');
  });

  await expect(
    createKeysExport(engine, {}, confirmer)({ passphrase: PASSPHRASE }, new AbortController().signal),
  ).rejects.toMatchObject({ shape: { code: 'confirmation-needed', reason: 'outside-no' } });

  expect(asked).toMatchObject([{ message: expect.stringContaining('1 secret of a device') as string }]);
  expect(asked[0]?.details[0]).toMatch(/device-keys-\d{8}T\d{4}\.bin$/);
});

it('leaves everything as it is where no place was chosen', async () => {
  const engine = await openKeys();
  const save = createKeysExport(
    engine,
    { chooseTarget: () => Promise.resolve(undefined) },
    createConfirmer(),
  );

  expect(await save({ passphrase: PASSPHRASE }, new AbortController().signal)).toEqual({ count: 1 });
});
