/** `keys list|export`: secrets of devices that guided flows made: card passwords, token keys. */
import { say } from '#shared/details.ts';
import type { Engine } from '#engine/api.ts';
import { createUsageError } from '#cli/usage.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { selectDevices } from '#cli/input/devices.ts';
import { askSecret } from '#cli/input/prompt.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { openOutputFile } from '#cli/output/output-file.ts';
import type { DeviceOptions } from '#cli/options.ts';
import { createDateFormat } from '#cli/output/date-format.ts';

interface KeysExportOptions extends DeviceOptions {
  readonly out?: string;
}

function stateWords(
  state: ReturnType<Engine['keys']['list']>[number]['state'],
  wasSent: boolean,
): 'cli.key-current' | 'cli.key-unconfirmed' | 'cli.key-unsent' | 'cli.key-former' {
  if (state === 'pending') return wasSent ? 'cli.key-unconfirmed' : 'cli.key-unsent';
  return state === 'current' ? 'cli.key-current' : 'cli.key-former';
}

export async function listKeys(invocation: Invocation): Promise<number> {
  return runWithEngine(invocation, (engine) => {
    const { out } = invocation;
    const keys = engine.keys.list();
    if (out.asJson) out.json(keys);
    else if (keys.length === 0) out.note(out.say('cli.no-keys'));
    else {
      const when = createDateFormat(invocation.globals.lang);
      out.table(
        [
          { title: 'DEVICE', cell: ({ device }) => device, flexible: true },
          { title: 'ADDRESS', cell: ({ address = '—' }) => address, flexible: true },
          { title: 'SECRET', cell: ({ name }) => name },
          {
            title: 'STATE',
            cell: ({ state, sent }) => out.say(stateWords(state, sent === true)),
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
export async function exportKeys(invocation: Invocation, options: KeysExportOptions): Promise<number> {
  const { io, out } = invocation;
  const file = options.out;
  if (file === undefined) throw createUsageError(say('cli.keys-export-out'), { path: '--out' });
  const target = await openOutputFile(invocation, file);
  const passphrase =
    io.env['FIELDWRIGHT_EXPORT_PASSPHRASE'] ?? (await askSecret(invocation, out.say('cli.ask-passphrase')));
  if (passphrase === undefined) throw createUsageError(say('cli.passphrase-needed'));
  return runWithEngine(invocation, async (engine) => {
    const isChosen = [options.device, options.devices, options.tag, options.site].some(
      (each) => each !== undefined,
    );
    const devices = isChosen ? await selectDevices(invocation, engine, options) : undefined;
    const { bytes, count } = await engine.keys.export({
      passphrase,
      ...(devices && { deviceIds: devices.map(({ id }) => id) }),
    });
    await target.write(bytes);
    if (out.asJson) out.json({ file, count });
    else {
      out.line(out.say('cli.keys-written', { file, count }));
      out.line(out.say('cli.keys-open', { file }));
    }
    return EXIT.done;
  });
}
