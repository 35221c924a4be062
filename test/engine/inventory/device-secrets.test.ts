/** Secrets of devices: what is in force, or may be, is never given up for what was only sent. */
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '#engine/host/clock.ts';
import { createDeviceSecrets } from '#engine/inventory/access/device-secrets.ts';
import { closeAll, openInventory, tempFolder } from './open-inventory.ts';

afterEach(closeAll);

async function openSecrets() {
  const { store, vault } = await openInventory(tempFolder());
  const secrets = createDeviceSecrets({ store, vault, clock: systemClock });
  const held = (): readonly string[] => secrets.held().map(({ state, value }) => `${state} ${value}`);
  return { secrets, key: secrets.of('d-1'), held };
}

// Would catch: a key in force that is deleted as soon as a new one was sent, or that cannot be exported any
// more.
it('keeps what is in force beside what was sent, and beside its successor until that is proved', async () => {
  const { key, held } = await openSecrets();
  key.keep('key', 'one');
  key.mark('key', 'sent');
  key.succeed('key');
  key.keep('key', 'two');
  expect(held()).toEqual(['current one']);

  key.mark('key', 'sent');
  expect(held()).toEqual(['current one', 'pending two']);
  key.succeed('key');
  expect(held()).toEqual(['current two', 'former one']);
  key.prove('key');
  expect(held()).toEqual(['current two']);
});

// Would catch: a key that a device may have, lost because another one was made after an unreadable answer.
it('keeps one that was sent and never confirmed when another one is made', async () => {
  const { key, held } = await openSecrets();
  for (const value of ['one', 'two']) {
    key.keep('key', value);
    key.mark('key', 'sent');
    if (value === 'one') key.succeed('key');
  }

  key.keep('key', 'three');
  key.mark('key', 'sent');
  expect(held()).toEqual(['current one', 'former two', 'pending three']);
  key.succeed('key');
  expect(held()).toEqual(['current three', 'former two', 'former one']);
});

// Would catch: secrets that pile up for ever, or one that was only typed and goes out with an export.
it('forgets what was never sent, and a former one that was replaced in its turn', async () => {
  const { key, held, secrets } = await openSecrets();
  for (const value of ['one', 'two', 'three']) {
    key.keep('key', `not ${value}`);
    key.keep('key', value);
    key.mark('key', 'sent');
    key.succeed('key');
  }
  expect(held()).toEqual(['current three', 'former two']);

  key.keep('key', 'four');
  key.mark('key', 'sent');
  key.mark('key', 'not-taken');
  key.keep('key', 'five');
  expect(held()).toEqual(['current three', 'former two']);
  expect(secrets.list().map(({ state, sent }) => [state, sent])).toEqual([
    ['current', undefined],
    ['former', undefined],
    ['pending', undefined],
  ]);
});

it('takes the former one that the vault never had, and none where it is the same', async () => {
  const { key, held } = await openSecrets();
  key.keep('card', 'new');
  key.mark('card', 'sent');
  key.succeed('card', 'typed by somebody');
  expect(held()).toEqual(['current new', 'former typed by somebody']);

  key.prove('card');
  key.keep('card', 'new');
  key.mark('card', 'sent');
  key.succeed('card');
  expect(held()).toEqual(['current new']);
});
