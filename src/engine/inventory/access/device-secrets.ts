/**
 * Secrets that belong to one device and that nobody but this product may know yet: the password of its storage
 * card, its token key. A new one is kept before it is sent, and the one in force is kept until its successor is proved:
 * what opens a device must never be lost to an answer that was misread.
 */
import { defined } from '../../../shared/defined.ts';
import { say } from '../../../shared/details.ts';
import { userError } from '../../../shared/errors.ts';
import type { Clock } from '../../api/host.ts';
import type { DevicesApi } from '../../api/routes.ts';
import { sealWithPassphrase } from './passphrase-file.ts';
import type { Store } from '../../store/index.ts';
import type { Vault } from './vault.ts';

/**
 * `pending`: the new one, which the device has not taken readably. `current`: in force, by what the device said. `former`:
 * one that was in force, or may be, before the current one; it goes when that one is proved, or is replaced in its turn.
 */
type SecretState = 'pending' | 'current' | 'former';

export interface DeviceSecret {
  readonly deviceId: string;
  readonly name: string;
  readonly state: SecretState;
  /** A pending one that left this computer: the device may have it. */
  readonly sent?: true;
  /** ISO 8601. */
  readonly changedAt: string;
}

export interface SecretsOfDevice {
  /** Keeps a new one as pending. A pending one that was sent before stays as a former one. Throws `vault-locked`. */
  keep(name: string, value: string): void;
  /** Marks the pending one as sent, or as certainly not taken. */
  mark(name: string, fate: 'sent' | 'not-taken'): void;
  /** Makes the pending one that was sent current, and the one that was current a former one. `former`: one that the vault did not have. */
  succeed(name: string, former?: string): void;
  /** Forgets the former ones: the current one is proved to be in force. */
  prove(name: string): void;
  /** Forgets the pending one. */
  drop(name: string): void;
  /** Returns the secret of this state, the latest where there are several. */
  reveal(name: string, state: SecretState): string | undefined;
}

export interface DeviceSecrets {
  /** All there are, without their values. */
  list(): readonly DeviceSecret[];
  of(deviceId: string): SecretsOfDevice;
  /** Of one device, as far as the vault is open: what it may repeat of them. */
  values(deviceId: string): readonly string[];
  /** Those that a device may have, with their values: all but what never was sent. */
  held(deviceIds?: readonly string[]): readonly (DeviceSecret & { readonly value: string })[];
}

function contextOf(deviceId: string, name: string, state: SecretState): string {
  return `device-secret/${deviceId}/${name}/${state}`;
}

/** What faces may do with them: none of them sees a value. */
export interface KeysApi {
  /** `device`: its name, as `export` has it. */
  list(): readonly (DeviceSecret & NamedDevice)[];
  /**
   * Those that these devices (all without) have or may have, each with its state, as JSON in a file that the passphrase
   * opens, see `passphrase-file.ts`. Throws `not-found` where there is none, `out-of-range` for a short passphrase,
   * `vault-locked`.
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
      const entries = secrets.held(deviceIds).map(({ deviceId, name, state, changedAt, value }) => ({
        ...nameOf(deviceId),
        secret: name,
        state,
        changedAt,
        value,
      }));
      if (entries.length === 0) throw userError('not-found', say('keys-none'));
      const text = `${JSON.stringify(entries, null, 2)}\n`;
      return { bytes: await sealWithPassphrase(text, passphrase), count: entries.length };
    },
  };
}

interface Row {
  readonly id: number;
  readonly deviceId: string;
  readonly name: string;
  readonly state: SecretState;
  readonly sent: number;
  readonly changedAt: string;
}
type SealedRow = Row & { readonly secret: Uint8Array };

const COLUMNS = 'id, device_id AS deviceId, name, state, sent, changed_at AS changedAt';
/** `current` comes first. */
const ORDER = 'ORDER BY device_id, name, state, id';

export function createDeviceSecrets({
  store,
  vault,
  clock,
}: {
  readonly store: Store;
  readonly vault: Pick<Vault, 'state' | 'seal' | 'open'>;
  readonly clock: Clock;
}): DeviceSecrets {
  const shown = ({ deviceId, name, state, sent, changedAt }: Row): DeviceSecret => ({
    deviceId,
    name,
    state,
    ...defined({ sent: sent === 0 ? undefined : (true as const) }),
    changedAt,
  });
  const open = ({ deviceId, name, state, secret }: SealedRow): string =>
    vault.open(secret, contextOf(deviceId, name, state));

  return {
    values: (deviceId) =>
      vault.state().state === 'open'
        ? store
            .all<SealedRow>(`SELECT ${COLUMNS}, secret FROM device_secrets WHERE device_id = ?`, deviceId)
            .map(open)
        : [],
    held: (deviceIds) =>
      store
        .all<SealedRow>(`SELECT ${COLUMNS}, secret FROM device_secrets ${ORDER}`)
        .filter(
          ({ deviceId, state, sent }) =>
            (deviceIds?.includes(deviceId) ?? true) && (state !== 'pending' || sent !== 0),
        )
        .map((row) => ({ ...shown(row), value: open(row) })),
    list: () => store.all<Row>(`SELECT ${COLUMNS} FROM device_secrets ${ORDER}`).map(shown),
    of(deviceId) {
      const find = (name: string, state: SecretState): SealedRow | undefined =>
        store.get<SealedRow>(
          `SELECT ${COLUMNS}, secret FROM device_secrets
           WHERE device_id = ? AND name = ? AND state = ? ORDER BY id DESC LIMIT 1`,
          deviceId,
          name,
          state,
        );
      const put = (name: string, state: SecretState, value: string): void => {
        const secret = vault.seal(value, contextOf(deviceId, name, state));
        const changed_at = clock.now().toISOString();
        store.insert('device_secrets', { device_id: deviceId, name, state, sent: 0, secret, changed_at });
      };
      const remove = (name: string, state: SecretState): void => {
        store.remove('device_secrets', { device_id: deviceId, name, state });
      };
      const reveal: SecretsOfDevice['reveal'] = (name, state) => {
        const row = find(name, state);
        return row === undefined ? undefined : open(row);
      };
      return {
        reveal,
        keep: (name, value) =>
          store.transaction(() => {
            const before = find(name, 'pending');
            if (before !== undefined && open(before) === value) return;
            remove(name, 'pending');
            if (before !== undefined && before.sent !== 0) put(name, 'former', open(before));
            put(name, 'pending', value);
          }),
        mark: (name, fate) => {
          const where = { device_id: deviceId, name, state: 'pending' };
          store.update('device_secrets', { sent: fate === 'sent' ? 1 : 0 }, where);
        },
        succeed: (name, former) =>
          store.transaction(() => {
            const pending = find(name, 'pending');
            // One that was not sent came after the one that the device took.
            if (pending === undefined || pending.sent === 0) return;
            const value = open(pending);
            const current = find(name, 'current');
            const before = current === undefined ? former : open(current);
            // What came before the one that is replaced now has been replaced in its turn.
            if (current !== undefined)
              store.run(
                "DELETE FROM device_secrets WHERE device_id = ? AND name = ? AND state = 'former' AND id < ?",
                deviceId,
                name,
                current.id,
              );
            remove(name, 'pending');
            remove(name, 'current');
            if (before !== undefined && before !== value) put(name, 'former', before);
            put(name, 'current', value);
          }),
        prove: (name) => remove(name, 'former'),
        drop: (name) => remove(name, 'pending'),
      };
    },
  };
}
