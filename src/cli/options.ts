/** Options that several commands share, spelled once. */
import { say } from '#shared/details.ts';
import type { Command } from 'commander';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { ConnectionProfile } from '#shared/model.ts';
import { createUsageError } from './usage.ts';

export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

export const GLOBAL_OPTIONS: readonly (readonly [flags: string, about: string])[] = [
  ['--json', 'print one JSON document (streams: one object a line)'],
  ['--data-dir <dir>', 'folder of inventory, vault and journal (FIELDWRIGHT_DATA_DIR)'],
  ['--lang <tag>', 'language, for instance en or zh-CN (FIELDWRIGHT_LANG)'],
];

/** A command with `--json`, `--data-dir` and `--lang`, which every one has. */
export function addCommand(parent: Command, usage: string, about: string): Command {
  const command = parent.command(usage).description(about);
  for (const [flags, means] of GLOBAL_OPTIONS) command.option(flags, means);
  return command;
}

/** Global options that take a value; they may stand before the command. */
export const GLOBAL_VALUE_OPTIONS: readonly string[] = ['--data-dir', '--lang'];
export const GLOBAL_FLAGS: readonly string[] = ['--json'];

/** Which devices, and how to talk to them. */
export interface DeviceOptions {
  readonly device?: readonly string[];
  readonly devices?: string;
  readonly tag?: readonly string[];
  readonly site?: readonly string[];
  readonly prefix?: string;
  readonly namespace?: string;
  readonly auth?: string;
  readonly user?: string;
  readonly certificate?: string;
  readonly insecurePlainFields?: boolean;
}

export function addConnectionOptions(
  command: Command,
  { signIn = true }: { readonly signIn?: boolean } = {},
): Command {
  const settings = command
    .option('--prefix <path>', 'first segment of the device interface, for instance /API')
    .option('--namespace <uri>', 'XML namespace for documents that no read preceded')
    .option(
      '--auth <scheme>',
      'auto, digest, basic or none; "basic" agrees to a password that the other end can read',
    );
  return (
    signIn
      ? settings.option(
          '--user <name>',
          'sign-in name; the password comes from FIELDWRIGHT_PASSWORD, the vault or a prompt',
        )
      : settings
  ).option('--certificate <sha256>', 'fingerprint of the certificate to accept over https');
}

export function addDeviceOptions(command: Command): Command {
  return addConnectionOptions(
    command
      .option('--device <url|name|id>', 'a device; may be repeated', collect)
      .option('--devices <csv>', 'devices from a file with a column "device"')
      .option('--tag <tag>', 'devices of the inventory with this tag; may be repeated', collect)
      .option('--site <site>', 'devices of the inventory of this site; may be repeated', collect),
  ).option('--insecure-plain-fields', 'send passwords inside a document also over unencrypted HTTP');
}

/** The parts of a connection profile that were given on the command line. */
export function readProfileOptions(
  options: Pick<DeviceOptions, 'prefix' | 'namespace' | 'auth'>,
): Partial<ConnectionProfile> | undefined {
  const profile = removeUndefined({
    pathPrefix: options.prefix,
    namespace: options.namespace,
    auth: options.auth === undefined ? undefined : parseAuth(options.auth),
  });
  return Object.keys(profile).length === 0 ? undefined : profile;
}

/** A way of signing in as it is written after `--auth`; throws `usage` for any other. */
export function parseAuth(text: string): ConnectionProfile['auth'] {
  const found = (['auto', 'digest', 'basic', 'none'] as const).find((option) => option === text);
  if (found === undefined) throw createUsageError(say('cli.auth-one-of', { text }), { path: '--auth' });
  return found;
}
