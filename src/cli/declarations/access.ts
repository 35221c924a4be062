/** Sites, saved sign-ins, saved secrets of templates, connection profiles. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { declareCommand, declareGroup, type NoOptions, type OptionsOf } from './declaration.ts';
import { addConcurrency, addDeviceOptions, addRolloutOptions, PROGRESS, YES } from './options.ts';
import { integer, moment, oneOf, repeated, separatedOrNone } from './parsers.ts';

function addScopeOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option('--device <url|name|id>', 'this very device; may be repeated', repeated())
    .option('--tag <tag>', 'every device with this tag that has none of its own; may be repeated', repeated())
    .option(
      '--site <site>',
      'every device of this site that has none of its own or of its tags; may be repeated',
      repeated(),
    );
}

/** Devices, tags and sites that a sign-in is for. */
export type ScopeOptions = OptionsOf<typeof addScopeOptions<[], NoOptions>>;

export const ACCESS = {
  site: declareGroup('sites, to keep devices in order', {
    list: declareCommand('list sites', 'site list'),
    add: declareCommand('add a site', 'site add "Harbour office"', (command) => command.arguments('<name>')),
    rename: declareCommand('give a site another name', 'site rename "Harbour office" Harbour', (command) =>
      command.arguments('<site> <name>'),
    ),
    remove: declareCommand(
      'remove a site by name or id; its devices stay',
      'site remove Harbour',
      (command) => command.arguments('<site>'),
    ),
    status: declareCommand(
      'say which devices are as agreed, and what differs; without --read nothing is sent',
      'site status --site Harbour --read',
      (command) =>
        addDeviceOptions(command).option('--read', 'read the agreed settings first, and nothing else'),
    ),
    'put-right': declareCommand(
      'set what differs back to what was agreed',
      'site put-right --device Lobby --yes',
      (command) =>
        addRolloutOptions(addConcurrency(addDeviceOptions(command)))
          .option('--section <name>', 'only of this section, such as thermal.thermometryBasic')
          .option('--progress', PROGRESS)
          .option('--yes', YES),
    ),
    accept: declareCommand(
      'agree to what devices show instead',
      'site accept --device Lobby --reason "agreed with the owner"',
      (command) =>
        addDeviceOptions(command)
          .option('--section <name>', 'only of this section')
          .option('--path <path>', 'only this setting of the section')
          .requiredOption('--reason <text>', 'why; it is kept with the agreement'),
    ),
    later: declareCommand(
      'put off what differs; the list of the app is quiet about it until then',
      'site later --device Lobby --until 2030-03-01',
      (command) =>
        addDeviceOptions(command)
          .option('--section <name>', 'only of this section')
          .option('--path <path>', 'only this setting of the section')
          .option(
            '--until <time>',
            'a day or ISO 8601; default: until another value is shown',
            moment('start'),
          ),
    ),
    folder: declareCommand(
      'write a site as text that only changes with it, a file a device, for git; secrets are not in it',
      'site folder harbour --site Harbour',
      (command) =>
        command
          .arguments('<folder>')
          .requiredOption('--site <site>', 'name or id of the site')
          .option('--force', 'replace files that were changed since'),
    ),
    pack: declareCommand(
      'write all of a site into one file for a colleague, sealed with a passphrase; it comes from FIELDWRIGHT_PACK_PASSPHRASE or a prompt',
      'site pack --site Harbour --out harbour.fieldwright-site',
      (command) =>
        command
          .requiredOption('--site <site>', 'name or id of the site')
          .requiredOption('--out <file>', 'file to write; any age tool opens it')
          .option('--secrets', 'with saved sign-ins, keys of devices, and secret values of the journal')
          .option('--hand-over', 'open work of the site goes with the file, and is no longer done here')
          .option('--force', 'replace the file'),
    ),
    open: declareCommand(
      'add the site of a file, or merge it with what is here',
      'site open harbour.fieldwright-site --dry-run',
      (command) =>
        command
          .arguments('<file>')
          .option('--site <site>', 'the site here that the file has to be of')
          .option('--dry-run', 'only show what would happen')
          .option('--yes', 'merge also where both sides changed the same; the later value counts'),
    ),
  }),
  credential: declareGroup('saved sign-ins of devices, tags and sites', {
    list: declareCommand('list saved sign-ins, without their passwords', 'credential list'),
    save: declareCommand(
      'save a sign-in; the password comes from FIELDWRIGHT_PASSWORD or a prompt',
      'credential save --user admin --label Gates',
      (command) =>
        command
          .option('--user <name>', 'sign-in name')
          .option('--label <label>', 'how it is called here; default: the sign-in name')
          .option('--id <id>', 'change this one, by id or label; what is not given stays'),
    ),
    assign: declareCommand(
      'give devices, tags or sites a saved sign-in, by id or label',
      'credential assign Gates --site Harbour --test',
      (command) =>
        addScopeOptions(command.arguments('<credential>')).option(
          '--test',
          'try it first, on one device before all others, and give it only where it works',
        ),
    ),
    unassign: declareCommand(
      'take the sign-in of devices, tags or sites away',
      'credential unassign --tag lobby',
      addScopeOptions,
    ),
    remove: declareCommand('forget a saved sign-in, by id or label', 'credential remove Gates', (command) =>
      command.arguments('<credential>'),
    ),
  }),
  secret: declareGroup('secrets of templates in the vault, by the name of their variable', {
    list: declareCommand('list saved secrets and when they changed, without their values', 'secret list'),
    set: declareCommand(
      'save the value that secret variables of this name take in templates; it comes from FIELDWRIGHT_SECRET_<NAME> or a prompt',
      'secret set hostPassword',
      (command) => command.arguments('<name>'),
    ),
    remove: declareCommand(
      'forget a saved secret; it is asked for again',
      'secret remove hostPassword',
      (command) => command.arguments('<name>'),
    ),
  }),
  profile: declareGroup('connection profiles: how devices are talked to', {
    list: declareCommand('list connection profiles, the default one first', 'profile list'),
    save: declareCommand(
      'add a connection profile, or change the one of this name',
      'profile save Cameras --prefix /API --ports 80,8080',
      (command) =>
        command
          .arguments('<name>')
          .option('--rename <name>', 'give it another name')
          .option('--prefix <path>', 'first segment of the device interface, for instance /API')
          .option('--namespace <uri>', 'XML namespace for documents that no read preceded; empty: none')
          .option(
            '--auth <scheme>',
            'auto, digest, basic or none',
            oneOf(['auto', 'digest', 'basic', 'none']),
          )
          .option('--deadline <ms>', 'how long one request may take', integer(200, 600_000))
          .option('--in-flight <n>', 'requests under way at once to one device', integer(1, 8))
          .option(
            '--ports <list>',
            'where such devices are looked for, for instance 80,443',
            separatedOrNone(integer(1, 65_535)),
          )
          .option(
            '--services <list>',
            'types of services under which such devices announce themselves, for instance _http._tcp,_psia._tcp',
            separatedOrNone(String),
          )
          .option('--default', 'new devices get it unless another is named'),
    ),
    remove: declareCommand(
      'remove a connection profile; devices keep what they got from it',
      'profile remove Cameras',
      (command) => command.arguments('<profile>'),
    ),
  }),
};
