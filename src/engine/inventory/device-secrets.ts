/**
 * Secrets that belong to one device and that nobody but this product may know yet: the password of its storage
 * card, its token key. A new one is kept before it is sent (`pending`), and is in force when the device took it.
 */
import type { Clock } from '../api.ts';
import type { Store } from '../store/index.ts';
import type { Vault } from './vault.ts';

export interface DeviceSecret {
  readonly deviceId: string;
  readonly name: string;
  readonly state: 'pending' | 'current';
  /** ISO 8601. */
  readonly changedAt: string;
}

export interface SecretsOfDevice {
  /** Throws `vault-locked`. */
  keep(name: string, value: string): void;
  settle(name: string, took: boolean): void;
  reveal(name: string, state: DeviceSecret['state']): string | undefined;
}

export interface DeviceSecrets {
  /** All there are, without their values. */
  list(): readonly DeviceSecret[];
  of(deviceId: string): SecretsOfDevice;
}

function contextOf(deviceId: string, name: string, state: DeviceSecret['state']): string {
  return `device-secret/${deviceId}/${name}/${state}`;
}

export function createDeviceSecrets({
  store,
  vault,
  clock,
}: {
  readonly store: Store;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly clock: Clock;
}): DeviceSecrets {
  function put(deviceId: string, name: string, state: DeviceSecret['state'], value: string): void {
    store.run(
      `INSERT INTO device_secrets (device_id, name, state, secret, changed_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET secret = excluded.secret, changed_at = excluded.changed_at`,
      deviceId,
      name,
      state,
      vault.seal(value, contextOf(deviceId, name, state)),
      clock.now().toISOString(),
    );
  }

  return {
    list: () =>
      store.all<DeviceSecret>(
        'SELECT device_id AS deviceId, name, state, changed_at AS changedAt FROM device_secrets ORDER BY device_id, name, state',
      ),
    of(deviceId) {
      const reveal: SecretsOfDevice['reveal'] = (name, state) => {
        const row = store.get<{ readonly secret: Uint8Array }>(
          'SELECT secret FROM device_secrets WHERE device_id = ? AND name = ? AND state = ?',
          deviceId,
          name,
          state,
        );
        return row === undefined ? undefined : vault.open(row.secret, contextOf(deviceId, name, state));
      };
      return {
        reveal,
        keep: (name, value) => put(deviceId, name, 'pending', value),
        settle: (name, took) =>
          store.transaction(() => {
            const value = reveal(name, 'pending');
            if (value === undefined) return;
            if (took) put(deviceId, name, 'current', value);
            store.run(
              "DELETE FROM device_secrets WHERE device_id = ? AND name = ? AND state = 'pending'",
              deviceId,
              name,
            );
          }),
      };
    },
  };
}
