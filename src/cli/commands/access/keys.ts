/** `keys list|export`: secrets of devices that guided flows made: card passwords, token keys. */
import type { Action } from '#cli/declarations/all.ts';
import type { Engine } from '#engine/api.ts';
import { selectDevices } from '#cli/input/devices.ts';
import { askSecret } from '#cli/input/prompt.ts';
import { isDeviceNamed } from '#cli/declarations/options.ts';
import { listRows } from '#cli/outcome.ts';
import { createDateFormat } from '#cli/output/date-format.ts';
import { openOutputFile } from '#cli/output/output-file.ts';
import { createUsageError } from '#cli/usage.ts';
import { say } from '#shared/details.ts';

type Key = ReturnType<Engine['keys']['list']>[number];

function findStateWords({ state, sent }: Key) {
  if (state === 'pending') return sent === true ? 'cli.key-unconfirmed' : 'cli.key-unsent';
  return state === 'current' ? 'cli.key-current' : 'cli.key-former';
}

export const listKeys: Action<'keys list'> = async ({ open, out, globals }) => {
  const when = createDateFormat(globals.lang);
  return listRows(
    (await open()).keys.list(),
    {
      DEVICE: { value: 'device', flexible: true },
      ADDRESS: { value: 'address', flexible: true },
      SECRET: 'name',
      STATE: (key) => out.say(findStateWords(key)),
      CHANGED: ({ changedAt }) => when(changedAt),
    },
    out.say('cli.no-keys'),
  );
};

/** The passphrase comes from FIELDWRIGHT_EXPORT_PASSPHRASE or a prompt. */
export const exportKeys: Action<'keys export'> = async (invocation, options) => {
  const { io, out, open } = invocation;
  const { out: file } = options;
  const target = await openOutputFile(invocation, file);
  const passphrase =
    io.env['FIELDWRIGHT_EXPORT_PASSPHRASE'] ?? (await askSecret(invocation, out.say('cli.ask-passphrase')));
  if (passphrase === undefined) throw createUsageError(say('cli.passphrase-needed'));
  const engine = await open();
  const devices = isDeviceNamed(options) ? await selectDevices(invocation, engine, options) : undefined;
  const { bytes, count } = await engine.keys.export({
    passphrase,
    ...(devices && { deviceIds: devices.map(({ id }) => id) }),
  });
  await target.write(bytes);
  return {
    json: { file, count },
    text: [out.say('cli.keys-written', { file, count }), out.say('cli.keys-open', { file })],
  };
};
