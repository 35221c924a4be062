/** `discover` and the inventory. */
import type { Command } from 'commander';
import { addCommand, collect, addConnectionOptions, addDeviceOptions } from '../options.ts';
import type { Runner } from './runner.ts';

export function addDeviceCommands(program: Command, run: Runner): void {
  addCommand(program, 'discover', 'devices of the network, as they are seen')
    .option('--seconds <s>', 'how long to listen; a sweep is finished all the same; default: 6')
    .option('--interface <name>', 'only on this interface; may be repeated', collect)
    .option('--sweep <cidr>', 'ask every address of a network of this computer, at most a /20')
    .option('--ports <list>', 'ports of the sweep; default: those of the connection profiles')
    .option('--force', 'sweep a network this computer is not connected to')
    .option('--prefix <path>', 'first segment of the device interface, for instance /API')
    .option('--all', 'also printers and other web services')
    .option('--doctor', 'say what was tried and what may keep devices invisible')
    .action(run(() => import('../commands/devices/discover.ts'), 'discover'));
  const device = program.command('device').description('the inventory');
  const load = () => import('../commands/devices/device.ts');
  addConnectionOptions(addCommand(device, 'add <address>', 'add a device'))
    .option('--name <name>', 'name in the inventory')
    .option('--probe', 'find port, scheme and prefix first')
    .option('--tag <tag>', 'a tag; may be repeated', collect)
    .option('--site <site>', 'the site it belongs to')
    .option('--credential <credential>', 'a saved sign-in, by id or label')
    .option('--profile <profile>', 'a named connection profile; default: the default one')
    .action(run(load, 'addDevice'));
  addCommand(
    device,
    'probe <address>',
    'find port, scheme and prefix of an address; sends no sign-in',
  ).action(run(() => import('../commands/devices/probe.ts'), 'probeDevice'));
  addCommand(device, 'trust <device>', 'accept the certificate a device shows over https')
    .option(
      '--fingerprint <sha256>',
      'of the certificate; without it you are shown what the device offers, and asked',
    )
    .action(run(() => import('../commands/devices/trust.ts'), 'trustDevice'));
  addCommand(device, 'distrust <devices...>', 'forget which certificate a device has to show').action(
    run(() => import('../commands/devices/trust.ts'), 'revokeDeviceTrust'),
  );
  addCommand(device, 'list', 'all devices')
    .option('--tag <tag>', 'only with this tag; may be repeated', collect)
    .option('--site <site>', 'only of this site; may be repeated', collect)
    .action(run(load, 'listDevices'));
  addConnectionOptions(addCommand(device, 'update <devices...>', 'change devices, by address, name or id'), {
    signIn: false,
  })
    .option('--name <name>', 'another name; of one device')
    .option('--address <url>', 'another address; of one device')
    .option('--tag <tag>', 'one tag more; may be repeated', collect)
    .option('--untag <tag>', 'one tag less; may be repeated', collect)
    .option('--site <site>', 'the site they belong to')
    .option('--no-site', 'they belong to no site')
    .option('--credential <credential>', 'a saved sign-in of their own, by id or label')
    .option('--no-credential', 'no sign-in of their own: that of their tags or their site')
    .option('--profile <profile>', 'settings of this connection profile')
    .option('--accept-weaker', 'agree to a weaker sign-in than the device offered before')
    .option('--restarted', 'they were restarted: nothing that was written waits for it any more')
    .action(run(() => import('../commands/devices/update.ts'), 'updateDevices'));
  addCommand(device, 'remove <devices...>', 'remove by address, name or id; says what is lost')
    .option('--yes', 'do not ask')
    .action(run(load, 'removeDevices'));
  addConnectionOptions(addCommand(device, 'import <csv>', 'add the devices of a file'))
    .option('--tag <tag>', 'a tag for all of them; may be repeated', collect)
    .option('--site <site>', 'the site of those whose row names none')
    .option('--credential <credential>', 'a saved sign-in for those whose row names none, by id or label')
    .option(
      '--profile <profile>',
      'connection profile of those whose row names none; default: the default one',
    )
    .option('--map <column=field>', 'what a column holds; nothing behind the sign leaves it out', collect)
    .option('--failed <file>', 'write rows that failed here, with the reason, to mend and import again')
    .action(run(() => import('../commands/devices/import.ts'), 'importDeviceFile'));
  addDeviceOptions(addCommand(device, 'test [devices...]', 'sign in once and say what happened'))
    .option('--all', 'all devices of the inventory')
    .action(run(load, 'testDevices'));
}
