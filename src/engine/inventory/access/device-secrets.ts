/**
 * Secrets that belong to one device and that nobody but this product may know yet: the password of its storage
 * card, its token key. A new one is kept before it is sent (`pending`), and is in force when the device took it.
 */
import { say } from '../../../shared/details.ts';
import { userError } from '../../../shared/errors.ts';
import type { Clock } from '../../api/host.ts';
import type { DevicesApi } from '../../api/routes.ts';
import { sealWithPassphrase } from './passphrase-file.ts';
import type { Store } from '../../store/index.ts';
import type { Vault } from './vault.ts';

export interface DeviceSecret {
  readonly deviceId: string;
  readonly name: string;
  readonly state: 'pending' | 'current';
  /** ISO 8601. */
  readonly changedAt: string;
}

interface SecretsOfDevice {
  /** Throws `vault-locked`. */
  keep(name: string, value: string): void;
  settle(name: string, took: boolean): void;
  reveal(name: string, state: DeviceSecret['state']): string | undefined;
}

export interface DeviceSecrets {
  /** All there are, without their values. */
  list(): readonly DeviceSecret[];
  of(deviceId: string): SecretsOfDevice;
  /** Of one device, as far as the vault is open: what it may repeat of them. */
  values(deviceId: string): readonly string[];
}

function contextOf(deviceId: string, name: string, state: DeviceSecret['state']): string {
  return `device-secret/${deviceId}/${name}/${state}`;
}

/** What faces may do with them: none of them sees a value. */
export interface KeysApi {
  /** `device`: its name, as `export` has it. */
  list(): readonly (DeviceSecret & NamedDevice)[];
  /**
   * Those in force of these devices (all without) as JSON in a file that the passphrase opens, see
   * `passphrase-file.ts`. Throws `not-found` where there is none, `out-of-range` for a short passphrase, `vault-locked`.
   */
  export(request: {
    readonly deviceIds?: readonly string[];
    readonly passphrase: string;
  }): Promise<{ readonly bytes: Uint8Array; readonly count: number }>;
}

/** By its id where nothing else is known of it. */
interface NamedDevice {
  readonly device: string;
  readonly address?: string;
}

export function createKeys(secrets: DeviceSecrets, devices: Pick<DevicesApi, 'find'>, store: Store): KeysApi {
  /** A device that is gone from the list, or never was in it, keeps its secret; the journal knows which one it was. */
  function nameOf(id: string): NamedDevice {
    try {
      const { name, url } = devices.find(id);
      return { device: name, address: url };
    } catch {
      const journalled = store.get<Required<NamedDevice>>(
        'SELECT name AS device, url AS address FROM journal_targets WHERE device_id = ? ORDER BY id DESC LIMIT 1',
        id,
      );
      return journalled ?? { device: id };
    }
  }
  return {
    list: () => secrets.list().map((secret) => ({ ...secret, ...nameOf(secret.deviceId) })),
    async export({ deviceIds, passphrase }) {
      const chosen = secrets
        .list()
        .filter(({ state, deviceId }) => state === 'current' && (deviceIds?.includes(deviceId) ?? true));
      if (chosen.length === 0) throw userError('not-found', say('keys-none'));
      const entries = chosen.map(({ deviceId, name, changedAt }) => ({
        ...nameOf(deviceId),
        secret: name,
        changedAt,
        value: secrets.of(deviceId).reveal(name, 'current'),
      }));
      const text = `${JSON.stringify(entries, null, 2)}\n`;
      return { bytes: await sealWithPassphrase(text, passphrase), count: chosen.length };
    },
  };
}

export function createDeviceSecrets({
  store,
  vault,
  clock,
}: {
  readonly store: Store;
  readonly vault: Pick<Vault, 'state' | 'seal' | 'open'>;
  readonly clock: Clock;
}): DeviceSecrets {
  function put(deviceId: string, name: string, state: DeviceSecret['state'], value: string): void {
    const secret = vault.seal(value, contextOf(deviceId, name, state));
    const row = { device_id: deviceId, name, state, secret, changed_at: clock.now().toISOString() };
    store.insert('device_secrets', row, 'replace');
  }

  function values(deviceId: string): readonly string[] {
    if (vault.state().state !== 'open') return [];
    return store
      .all<Pick<DeviceSecret, 'name' | 'state'> & { readonly secret: Uint8Array }>(
        'SELECT name, state, secret FROM device_secrets WHERE device_id = ?',
        deviceId,
      )
      .map(({ name, state, secret }) => vault.open(secret, contextOf(deviceId, name, state)));
  }

  return {
    values,
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
            store.remove('device_secrets', { device_id: deviceId, name, state: 'pending' });
          }),
      };
    },
  };
}
