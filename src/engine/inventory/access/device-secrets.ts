/**
 * Stores secrets of one device that may be known only to this product: the password of its storage card, its token
 * key. A new secret is stored before it is sent, and the old one is kept until the new one is proved to work: a misread
 * answer must never lose the secret that opens a device.
 */
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { Clock } from '#engine/api/host.ts';
import type { DeviceKey, KeyState } from '#shared/access.ts';
import type { DevicesApi } from '#engine/api/routes.ts';
import type { Store } from '#engine/store/index.ts';
import type { Vault } from './vault.ts';
import { readOwnJson } from '#shared/read-json.ts';
import { createCipheriv, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

type SecretState = KeyState;
export type DeviceSecret = Omit<DeviceKey, 'device' | 'address'>;
type SecretSettings = Readonly<Record<string, unknown>>;

export interface SecretsOfDevice {
  /**
   * Stores a new secret as pending, with what it is set up with; a pending one that was sent becomes a former one.
   * @throws `vault-locked`
   */
  keep(name: string, value: string, settings?: SecretSettings): void;
  /** Marks the pending secret as sent, or as certainly not taken. */
  mark(name: string, fate: 'sent' | 'not-taken'): void;
  /** Makes the sent pending secret current, and the current one a former one; `former` if the vault had no current one. */
  succeed(name: string, former?: string): void;
  /** Removes the former secrets, because the current one is proved to be in force. */
  prove(name: string): void;
  /** Removes the pending secret. */
  drop(name: string): void;
  /** Returns the secret in this state; the latest if there are several. */
  reveal(name: string, state: SecretState): string | undefined;
  /** Returns what the secret in this state was set up with, if that is known. */
  settings(name: string, state: SecretState): SecretSettings | undefined;
}

export interface DeviceSecrets {
  /** Returns all secrets, without their values. */
  list(): readonly DeviceSecret[];
  of(deviceId: string): SecretsOfDevice;
  /** Returns the values for one device, to be masked in its answers; none while the vault is locked. */
  values(deviceId: string): readonly string[];
  /** Returns the secrets that devices may have, with their values: all except those never sent. */
  held(deviceIds?: readonly string[]): readonly (DeviceSecret & { readonly value: string })[];
}

/** Returns the context to which a sealed secret is bound. */
export function buildSecretContext(deviceId: string, name: string, state: SecretState): string {
  return `device-secret/${deviceId}/${name}/${state}`;
}

/** Secrets of devices in the API, without their values. */
export interface KeysApi {
  /** Lists the secrets. `device`: its name, as `export` has it. */
  list(): readonly DeviceKey[];
  /**
   * Returns the secrets that these devices (default: all) have or may have, with their states, as JSON in a file sealed
   * with the passphrase, see `passphrase-file.ts`. @throws `not-found` if there are none, `out-of-range` for a short
   * passphrase, `vault-locked`
   */
  export(request: {
    readonly deviceIds?: readonly string[];
    readonly passphrase: string;
  }): Promise<{ readonly bytes: Uint8Array; readonly count: number }>;
}

type NamedDevice = Pick<DeviceKey, 'device' | 'address'>;

export function createKeys(secrets: DeviceSecrets, devices: Pick<DevicesApi, 'find'>, store: Store): KeysApi {
  /**
   * Returns the name of a device. One that is no longer in the list, or never was, keeps its secret; the
   * journal knows which one it was.
   */
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
      const entries = secrets
        .held(deviceIds)
        .map(({ deviceId, name, state, changedAt, settings, value }) => ({
          ...nameOf(deviceId),
          secret: name,
          state,
          changedAt,
          settings,
          value,
        }));
      if (entries.length === 0) throw userError('not-found', say('keys-none'));
      const text = `${JSON.stringify(entries, null, 2)}\n`;
      return { bytes: await sealWithPassphrase(text, passphrase), count: entries.length };
    },
  };
}

function settingsIn(text: string | null): SecretSettings | undefined {
  return text === null ? undefined : (readOwnJson(text) as SecretSettings);
}

interface Row {
  readonly id: number;
  readonly deviceId: string;
  readonly name: string;
  readonly state: SecretState;
  readonly sent: number;
  readonly changedAt: string;
  /** Settings as JSON. */
  readonly settings: string | null;
}
type SealedRow = Row & { readonly secret: Uint8Array };

const COLUMNS = 'id, device_id AS deviceId, name, state, sent, changed_at AS changedAt, settings';
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
  const shown = ({ deviceId, name, state, sent, changedAt, settings }: Row): DeviceSecret => ({
    deviceId,
    name,
    state,
    sent: sent === 0 ? undefined : (true as const),
    settings: settingsIn(settings),
    changedAt,
  });
  const open = ({ deviceId, name, state, secret }: SealedRow): string =>
    vault.open(secret, buildSecretContext(deviceId, name, state));

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
      const put = (name: string, state: SecretState, value: string, settings: string | null): void => {
        const secret = vault.seal(value, buildSecretContext(deviceId, name, state));
        const changed_at = clock.now().toISOString();
        store.insert('device_secrets', {
          device_id: deviceId,
          name,
          state,
          sent: 0,
          secret,
          changed_at,
          settings,
        });
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
        settings: (name, state) => settingsIn(find(name, state)?.settings ?? null),
        keep: (name, value, given) =>
          store.transaction(() => {
            const settings = given === undefined ? null : JSON.stringify(given);
            const before = find(name, 'pending');
            if (before !== undefined && before.settings === settings && open(before) === value) return;
            remove(name, 'pending');
            if (before !== undefined && before.sent !== 0) put(name, 'former', open(before), before.settings);
            put(name, 'pending', value, settings);
          }),
        mark: (name, fate) => {
          const where = { device_id: deviceId, name, state: 'pending' };
          store.update('device_secrets', { sent: fate === 'sent' ? 1 : 0 }, where);
        },
        succeed: (name, former) =>
          store.transaction(() => {
            const pending = find(name, 'pending');
            // A pending secret that was not sent is newer than the one that the device took.
            if (pending === undefined || pending.sent === 0) return;
            const value = open(pending);
            const current = find(name, 'current');
            const before = current === undefined ? former : open(current);
            // Former secrets older than the current one are obsolete: the device has replaced them.
            if (current !== undefined)
              store.run(
                "DELETE FROM device_secrets WHERE device_id = ? AND name = ? AND state = 'former' AND id < ?",
                deviceId,
                name,
                current.id,
              );
            remove(name, 'pending');
            remove(name, 'current');
            if (before !== undefined && before !== value)
              put(name, 'former', before, current?.settings ?? null);
            put(name, 'current', value, pending.settings);
          }),
        prove: (name) => remove(name, 'former'),
        drop: (name) => remove(name, 'pending'),
      };
    },
  };
}

const ITERATIONS = 600_000;
const SHORTEST = 12;
const [KEY_BYTES, IV_BYTES, SALT_BYTES] = [32, 16, 8];

/** Throws `too-long` for a passphrase that can be guessed. */
async function sealWithPassphrase(text: string, passphrase: string): Promise<Uint8Array> {
  if ([...passphrase].length < SHORTEST)
    throw userError('out-of-range', say('keys-short-passphrase', { min: SHORTEST }), { path: 'passphrase' });
  const salt = randomBytes(SALT_BYTES);
  const derived = await promisify(pbkdf2)(passphrase, salt, ITERATIONS, KEY_BYTES + IV_BYTES, 'sha256');
  const cipher = createCipheriv(
    'aes-256-cbc',
    derived.subarray(0, KEY_BYTES),
    derived.subarray(KEY_BYTES, KEY_BYTES + IV_BYTES),
  );
  return Buffer.concat([Buffer.from('Salted__'), salt, cipher.update(text, 'utf8'), cipher.final()]);
}
