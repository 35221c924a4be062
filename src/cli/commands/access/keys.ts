/** `keys list|export`: secrets of devices that guided flows made: card passwords, token keys. */
import { open } from 'node:fs/promises';
import { usageError } from '../../usage.ts';
import { EXIT } from '../../exit-codes.ts';
import { selectDevices } from '../../input/devices.ts';
import { refuseExisting } from '../../input/files.ts';
import { askSecret } from '../../input/prompt.ts';
import { withEngine, type Invocation } from '../../invocation.ts';
import type { DeviceOptions } from '../../options.ts';
import { dateFormat } from '../../output/date-format.ts';

export interface KeysExportOptions extends DeviceOptions {
  readonly out?: string;
}

export async function keysList(invocation: Invocation): Promise<number> {
  return withEngine(invocation, (engine) => {
    const { out } = invocation;
    const keys = engine.keys.list();
    if (out.asJson) out.json(keys);
    else if (keys.length === 0)
      out.note('The vault holds no secret of a device yet; guided flows make them.');
    else {
      const when = dateFormat(invocation.globals.lang);
      out.table(
        [
          { title: 'DEVICE', cell: ({ deviceId }) => deviceId, flexible: true },
          { title: 'SECRET', cell: ({ name }) => name },
          {
            title: 'STATE',
            cell: ({ state }) => (state === 'current' ? 'in force' : 'not confirmed by the device'),
          },
          { title: 'CHANGED', cell: ({ changedAt }) => when(changedAt) },
        ],
        keys,
      );
    }
    return Promise.resolve(EXIT.done);
  });
}

/** The passphrase comes from FIELDWRIGHT_EXPORT_PASSPHRASE or a prompt. */
export async function keysExport(invocation: Invocation, options: KeysExportOptions): Promise<number> {
  const { io, out } = invocation;
  const file = options.out;
  if (file === undefined) throw usageError('keys export needs --out FILE.', { path: '--out' });
  refuseExisting(file);
  const passphrase =
    io.env['FIELDWRIGHT_EXPORT_PASSPHRASE'] ?? (await askSecret(invocation, 'Passphrase of the file: '));
  if (passphrase === undefined)
    throw usageError('The file needs a passphrase.', {
      hint: 'Set FIELDWRIGHT_EXPORT_PASSPHRASE, or run this at a terminal to be asked.',
    });
  return withEngine(invocation, async (engine) => {
    const isChosen = [options.device, options.devices, options.tag, options.site].some(
      (each) => each !== undefined,
    );
    const devices = isChosen ? await selectDevices(invocation, engine, options) : undefined;
    const { bytes, count } = await engine.keys.export({
      passphrase,
      ...(devices && { deviceIds: devices.map(({ id }) => id) }),
    });
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(bytes).finally(() => handle.close());
    if (out.asJson) out.json({ file, count });
    else {
      out.line(`${count} ${count === 1 ? 'secret' : 'secrets'} written to ${file}.`);
      out.line(`Open it with: openssl enc -d -aes-256-cbc -pbkdf2 -iter 600000 -md sha256 -in ${file}`);
    }
    return EXIT.done;
  });
}
