/** Groups of options that several commands share. */
import { LANGUAGES } from '#shared/details/languages.ts';
import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { ConnectionProfile } from '#shared/model.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { NoOptions, OptionsOf } from './declaration.ts';
import { integer, moment, oneOf, repeated } from './parsers.ts';

/** Flags and meaning of the options that every command takes. */
export const GLOBAL_OPTIONS: readonly (readonly [flags: string, about: string])[] = [
  ['--json', 'print one JSON document (streams: one object a line)'],
  ['--data-dir <dir>', 'folder of inventory, vault and journal (FIELDWRIGHT_DATA_DIR)'],
  ['--lang <tag>', `language: ${LANGUAGES.join(', ')} (FIELDWRIGHT_LANG)`],
];

/** Global options that take a value; they may stand before the command. */
export const GLOBAL_VALUE_OPTIONS: readonly string[] = ['--data-dir', '--lang'];
export const GLOBAL_FLAGS: readonly string[] = ['--json'];

/** Meaning of `--yes`, the same for every command; only a reviewed plan (`apply --plan`) was looked at before. */
export const YES = 'do not ask; a yes to the devices as they are now';

export const PROGRESS =
  'print what happens as it happens; Ctrl-C finishes what is under way and leaves the job resumable';

/** Adds how a device is talked to, without its sign-in. */
export function addProfileOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option('--prefix <path>', 'first segment of the device interface, for instance /API')
    .option('--namespace <uri>', 'XML namespace for documents that no read preceded')
    .option(
      '--auth <scheme>',
      'auto, digest, basic or none; "basic" agrees to a password that the other end can read',
      oneOf(['auto', 'digest', 'basic', 'none']),
    )
    .option('--certificate <sha256>', 'fingerprint of the certificate to accept over https');
}

/** Adds how a device is talked to, and the name to sign in with. */
export function addConnectionOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return addProfileOptions(command).option(
    '--user <name>',
    'sign-in name; the password comes from FIELDWRIGHT_PASSWORD, the vault or a prompt',
  );
}

/** Adds the choice of devices, and how they are talked to. */
export function addDeviceOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return addConnectionOptions(
    command
      .option('--device <url|name|id>', 'a device; may be repeated', repeated())
      .option('--devices <csv>', 'devices from a file with a column "device"')
      .option('--tag <tag>', 'devices of the inventory with this tag; may be repeated', repeated())
      .option('--site <site>', 'devices of the inventory of this site; may be repeated', repeated()),
  ).option('--insecure-plain-fields', PLAIN_FIELDS);
}

const PLAIN_FIELDS = 'send passwords inside a document also over unencrypted HTTP';

/** Adds how a job goes on: the journal knows addresses and profiles, never sign-ins. */
export function addContinueOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return addConcurrency(addConnectionOptions(command))
    .option('--insecure-plain-fields', PLAIN_FIELDS)
    .option('--progress', PROGRESS);
}

export function addConcurrency<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command.option('--concurrency <n>', 'devices at a time', integer(1, 256));
}

/** Adds the order in which devices are worked on. */
export function addWaves<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option(
      '--canary <n>',
      'devices of the first wave; when one fails, the rest is left alone',
      integer(0, 1000),
    )
    .option('--wave <n>', 'devices of each further wave', integer(0, 10_000))
    .option('--stop-after <failures>', 'start no more devices after so many failed', integer(1, 100_000));
}

/** Adds how a plan is carried out. */
export function addRolloutOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return addWaves(command)
    .option(
      '--leave-out-blocked',
      'what is blocked on a device is left out there on purpose: skipped, and no failure',
    )
    .option('--wait', 'where another job works on one of the devices, wait until it is done with them');
}

/** Adds what is done about devices that cannot be worked on now. */
export function addWhenBack<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option(
      '--when-back',
      'devices that are away, busy or wait for a restart become open work (work list): done when they are back; exit code 4 until then',
    )
    .option('--until <time>', 'with --when-back: give it up then, a day or ISO 8601', moment('end'));
}

/** Choice of devices, and how they are talked to. */
export type DeviceOptions = Partial<OptionsOf<typeof addDeviceOptions<[], NoOptions>>>;

/** Returns whether the options choose any device. */
export function isDeviceNamed({
  device,
  devices,
  tag,
  site,
}: Pick<DeviceOptions, 'device' | 'devices' | 'tag' | 'site'>): boolean {
  return [device, devices, tag, site].some((given) => given !== undefined);
}

/** Returns the parts of a connection profile that were given; undefined if there are none. */
export function readProfileOptions({
  prefix,
  namespace,
  auth,
}: Pick<DeviceOptions, 'prefix' | 'namespace' | 'auth'>): Partial<ConnectionProfile> | undefined {
  const profile = removeUndefined({ pathPrefix: prefix, namespace, auth });
  return Object.keys(profile).length === 0 ? undefined : profile;
}
