/** Search of the network, and the inventory. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { declareCommand, declareGroup } from './declaration.ts';
import { addConnectionOptions, addDeviceOptions, addProfileOptions, PROGRESS, YES } from './options.ts';
import { address, columnMap, duration, integer, repeated, separated } from './parsers.ts';

/** Adds what a device gets when it is added, alone or from a file. */
function addBelongings<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return addConnectionOptions(command)
    .option('--tag <tag>', 'a tag; may be repeated', repeated())
    .option('--site <site>', 'the site it belongs to; in a file, where its row names none')
    .option(
      '--credential <credential>',
      'a saved sign-in, by id or label; in a file, where its row names none',
    )
    .option('--profile <profile>', 'a named connection profile; default: the default one');
}

export const DEVICE = {
  discover: declareCommand(
    'find devices on the network, and print them as they are seen',
    'discover --seconds 10 --doctor',
    (command) =>
      command
        // Three rounds of questions fit into six seconds.
        .option('--seconds <s>', 'how long to listen; a sweep is finished all the same', duration, 6)
        .option('--interface <name>', 'only on this interface; may be repeated', repeated())
        .option('--sweep <cidr>', 'ask every address of a network of this computer, at most a /20')
        .option(
          '--ports <list>',
          'ports of the sweep; default: those of the connection profiles',
          separated(integer(1, 65_535)),
        )
        .option('--force', 'sweep a network this computer is not connected to')
        .option('--prefix <path>', 'first segment of the device interface, for instance /API')
        .option('--all', 'also printers and other web services')
        .option('--doctor', 'say what was tried and what may keep devices invisible'),
  ),
  device: declareGroup('devices of the inventory', {
    add: declareCommand('add a device', 'device add http://192.0.2.17 --name Lobby --tag gates', (command) =>
      addBelongings(command.argument('<address>', '', address))
        .option('--name <name>', 'name in the inventory')
        .option('--probe', 'find port, scheme and prefix first'),
    ),
    probe: declareCommand(
      'find port, scheme and prefix of an address; sends no sign-in',
      'device probe 192.0.2.17',
      (command) => command.arguments('<address>'),
    ),
    trust: declareCommand(
      'accept the certificate a device shows over https',
      'device trust Lobby',
      (command) =>
        command
          .arguments('<device>')
          .option(
            '--fingerprint <sha256>',
            'of the certificate; without it you are shown what the device offers, and asked',
          ),
    ),
    distrust: declareCommand(
      'forget which certificate a device has to show',
      'device distrust Lobby',
      (command) => command.arguments('<devices...>'),
    ),
    list: declareCommand('list devices', 'device list --tag gates', (command) =>
      command
        .option('--tag <tag>', 'only with this tag; may be repeated', repeated())
        .option('--site <site>', 'only of this site; may be repeated', repeated())
        .option('--archived', 'devices that were replaced'),
    ),
    show: declareCommand(
      'show what is known of a device, by its parts; asks it nothing without --read',
      'device show Lobby --read',
      (command) =>
        addConnectionOptions(command.arguments('<device>')).option(
          '--read',
          'read everything that it shows first',
        ),
    ),
    update: declareCommand(
      'change devices, by address, name or id',
      'device update Lobby --site Harbour',
      (command) =>
        addProfileOptions(command.arguments('<devices...>'))
          .option('--name <name>', 'another name; of one device')
          .option('--address <url>', 'another address; of one device')
          .option('--tag <tag>', 'one tag more; may be repeated', repeated())
          .option('--untag <tag>', 'one tag less; may be repeated', repeated())
          .option('--site <site>', 'the site they belong to')
          .option('--no-site', 'they belong to no site')
          .option('--credential <credential>', 'a saved sign-in of their own, by id or label')
          .option('--no-credential', 'no sign-in of their own: that of their tags or their site')
          .option('--profile <profile>', 'settings of this connection profile')
          .option('--accept-weaker', 'agree to a weaker sign-in than the device offered before')
          .option('--restarted', 'they were restarted: nothing that was written waits for it any more'),
    ),
    'why-no-alarm': declareCommand(
      'say what keeps the temperature alarm of a thermal camera from reaching anyone',
      'device why-no-alarm --device Lobby --event 30',
      (command) =>
        addDeviceOptions(command).option(
          '--event <seconds>',
          'how long the event lasts',
          integer(0, 86_400),
          10,
        ),
    ),
    replace: declareCommand(
      'replace a device by another one; shows first what is kept, converted, lost and left to do by hand',
      'device replace Lobby --by http://192.0.2.18 --dry-run',
      (command) =>
        addConnectionOptions(command.arguments('<device>'))
          .requiredOption('--by <device>', 'the new device, by address, name or id')
          .option('--people-from <device>', 'whose people it gets; may be repeated', repeated())
          .option('--no-people', 'copy no people')
          .option('--dry-run', 'show the plan, and change nothing')
          .option('--yes', YES)
          .option('--progress', PROGRESS),
    ),
    remove: declareCommand(
      'remove devices by address, name or id; says what is lost',
      'device remove Lobby',
      (command) => command.arguments('<devices...>').option('--yes', 'do not ask'),
    ),
    import: declareCommand(
      'add the devices of a file',
      'device import devices.csv --failed failed.csv',
      (command) =>
        addBelongings(command.arguments('<csv>'))
          .option(
            '--map <column=field>',
            'what a column holds; nothing behind the sign leaves it out',
            columnMap,
          )
          .option('--failed <file>', 'write rows that failed here, with the reason, to mend and import again')
          .option('--dry-run', 'say what is new, known and wrong, and add nothing'),
    ),
    test: declareCommand('sign in once and say what happened', 'device test --tag gates', (command) =>
      addDeviceOptions(command.arguments('[devices...]')).option('--all', 'all devices of the inventory'),
    ),
  }),
};
