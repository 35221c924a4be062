import { afterEach, expect, it } from 'vitest';
import { systemClock } from '#engine/host/clock.ts';
import { createDeviceSecrets } from '#engine/inventory/access/device-secrets.ts';
import { createSavedSecrets } from '#engine/inventory/access/saved-secrets.ts';
import { hideOnce } from '#engine/reports/hiding.ts';
import { closeAll, openInventory, tempFolder } from '../inventory/open-inventory.ts';

afterEach(closeAll);

// Would catch: every saved secret opened again for each device that is read; one that is saved, changed or removed
// while devices are read and shows, or masks what it no longer is; a device's own secret that only its half is hidden of.
it('opens saved secrets once for all devices of a reading, and misses none that comes meanwhile', async () => {
  const { store, vault } = await openInventory(tempFolder());
  let opened = 0;
  let state = vault.state();
  const counted = {
    state: () => state,
    seal: vault.seal.bind(vault),
    open: (...given: Parameters<typeof vault.open>) => {
      opened += 1;
      return vault.open(...given);
    },
  };
  const saved = createSavedSecrets({ store, vault: counted, clock: systemClock });
  const own = createDeviceSecrets({ store, vault, clock: systemClock });
  for (const name of ['one', 'two', 'three']) saved.save({ name, value: `Gr&n-${name}-7731` });
  const hide = hideOnce(own, saved);
  const said = 'Gr&n-one-7731 Blu<-9204-a Gr&n-one-7731-and-more';

  for (let device = 0; device < 50; device += 1)
    expect(hide(`d-${device}`)(said)).toBe('•••••• Blu<-9204-a ••••••-and-more');
  expect(opened).toBe(3);

  own.of('d-1').keep('key', 'Gr&n-one-7731-and-more');
  expect(hide('d-1')(said)).toBe('•••••• Blu<-9204-a ••••••');
  saved.save({ name: 'two', value: 'Blu<-9204-a' });
  expect(hide('d-2')(said)).toBe('•••••• •••••• ••••••-and-more');
  saved.remove({ name: 'one' });
  expect(hide('d-2')(said)).toBe('Gr&n-one-7731 •••••• Gr&n-one-7731-and-more');
  state = { ...state, state: 'locked' } as typeof state;
  expect(hide('d-2')(said)).toBe(said);
});
