/** Sites, saved sign-ins, saved secrets of templates, connection profiles. */
import type { Command } from 'commander';
import { addCommand, collect } from '../options.ts';
import type { Runner } from './runner.ts';

export function addAccessCommands(program: Command, run: Runner): void {
  addSites(program.command('site').description('places of work'), run);
  addCredentials(program.command('credential').description('saved sign-ins of devices, tags and sites'), run);
  addSecrets(
    program.command('secret').description('secrets of templates in the vault, by the name of their variable'),
    run,
  );
  addProfiles(program.command('profile').description('connection profiles: how devices are talked to'), run);
}

function addSites(site: Command, run: Runner): void {
  const load = () => import('../commands/access/site.ts');
  addCommand(site, 'list', 'all sites').action(run(load, 'listSites'));
  addCommand(site, 'add <name>', 'add a site').action(run(load, 'addSite'));
  addCommand(site, 'rename <site> <name>', 'give a site another name').action(run(load, 'renameSite'));
  addCommand(site, 'remove <site>', 'remove a site by name or id; its devices stay').action(
    run(load, 'removeSite'),
  );
}

function addCredentials(credential: Command, run: Runner): void {
  const load = () => import('../commands/access/credential.ts');
  addCommand(credential, 'list', 'all saved sign-ins, without their passwords').action(
    run(load, 'listCredentials'),
  );
  addCommand(credential, 'save', 'save a sign-in; the password comes from FIELDWRIGHT_PASSWORD or a prompt')
    .option('--user <name>', 'sign-in name')
    .option('--label <label>', 'how it is called here; default: the sign-in name')
    .option('--id <id>', 'change this one, by id or label; what is not given stays')
    .action(run(load, 'saveCredential'));
  withScope(
    addCommand(
      credential,
      'assign <credential>',
      'give devices, tags or sites a saved sign-in, by id or label',
    ),
  )
    .option('--test', 'try it first, on one device before all others, and give it only where it works')
    .action(run(load, 'assignCredential'));
  withScope(addCommand(credential, 'unassign', 'take the sign-in of devices, tags or sites away')).action(
    run(load, 'unassignCredential'),
  );
  addCommand(credential, 'remove <credential>', 'forget a saved sign-in, by id or label').action(
    run(load, 'removeCredential'),
  );
}

function addSecrets(secret: Command, run: Runner): void {
  const load = () => import('../commands/access/secret.ts');
  addCommand(secret, 'list', 'names of all saved secrets and when they changed, without their values').action(
    run(load, 'listSecrets'),
  );
  addCommand(
    secret,
    'set <name>',
    'save the value that secret variables of this name take in templates; it comes from FIELDWRIGHT_SECRET_<NAME> or a prompt',
  ).action(run(load, 'setSecret'));
  addCommand(secret, 'remove <name>', 'forget a saved secret; it is asked for again').action(
    run(load, 'removeSecret'),
  );
}

function withScope(command: Command): Command {
  return command
    .option('--device <url|name|id>', 'this very device; may be repeated', collect)
    .option('--tag <tag>', 'every device with this tag that has none of its own; may be repeated', collect)
    .option(
      '--site <site>',
      'every device of this site that has none of its own or of its tags; may be repeated',
      collect,
    );
}

function addProfiles(profile: Command, run: Runner): void {
  const load = () => import('../commands/access/profile.ts');
  addCommand(profile, 'list', 'all connection profiles, the default one first').action(
    run(load, 'listProfiles'),
  );
  addCommand(profile, 'save <name>', 'add a connection profile, or change the one of this name')
    .option('--rename <name>', 'give it another name')
    .option('--prefix <path>', 'first segment of the device interface, for instance /API')
    .option('--namespace <uri>', 'XML namespace for documents that no read preceded; empty: none')
    .option('--auth <scheme>', 'auto, digest, basic or none')
    .option('--deadline <ms>', 'how long one request may take')
    .option('--in-flight <n>', 'requests under way at once to one device')
    .option('--ports <list>', 'where such devices are looked for, for instance 80,443')
    .option(
      '--services <list>',
      'types of services under which such devices announce themselves, for instance _http._tcp,_psia._tcp',
    )
    .option('--default', 'new devices get it unless another is named')
    .action(run(load, 'saveProfile'));
  addCommand(
    profile,
    'remove <profile>',
    'remove a connection profile; devices keep what they got from it',
  ).action(run(load, 'removeProfile'));
}
