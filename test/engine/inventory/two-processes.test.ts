/** App and command line on one data folder. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeAll, codeOf, openInventory, tempFolder } from './open-inventory.ts';

afterEach(closeAll);

describe('what another process writes', () => {
  // Would catch: every line of a running job's journal makes the window read all devices again, thousands of them, many times a second.
  it('is only read again where it is about devices or sign-ins', async () => {
    const folder = tempFolder();
    const [here, there] = [await openInventory(folder), await openInventory(folder)];
    const { id } = here.inventory.add({ address: '10.0.0.1' });
    expect(here.inventory.list()).toHaveLength(1);
    here.inventory.find(id);
    const reads = vi.spyOn(here.store, 'all');
    const readAgain = () => reads.mock.calls.filter(([sql]) => sql.includes('FROM devices')).length;

    for (let line = 0; line < 20; line += 1) {
      there.store.run("INSERT INTO plans (id, created_at, body) VALUES (?, '2026', '{}')", `p-${line}`);
      here.inventory.find(id);
    }
    const unasked = readAgain();
    there.inventory.update({ id, name: 'Lobby' });

    expect(unasked).toBeLessThanOrEqual(1);
    expect(here.inventory.find(id).name).toBe('Lobby');
    there.credentials.save({ label: 'Site', userName: 'admin', password: 'Secret-1234', deviceIds: [id] });
    expect(here.inventory.find(id).credentialId).toBeDefined();
  });

  // Would catch: an error of the database itself, reported as an internal error, when both add the same
  // address.
  it('at the same moment is told as that, not as an internal error', async () => {
    const folder = tempFolder();
    const [here, there] = [await openInventory(folder), await openInventory(folder)];
    here.inventory.list();
    const insert =
      "INSERT INTO devices (id, name, url, profile, added_at) VALUES (?, 'x', 'http://10.0.0.9', '{}', '2026')";
    there.store.run(insert, 'd-1');

    expect(codeOf(() => here.store.run(insert, 'd-2'))).toBe('changed-meanwhile');
    expect(codeOf(() => here.store.run("UPDATE devices SET site_id = 'nowhere'"))).toBe('changed-meanwhile');
  });
});
