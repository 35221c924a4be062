/** Rules that propose a template for devices, and what they propose. */
import { DEVICE_KINDS } from '#shared/model.ts';
import { declareCommand, declareGroup } from './declaration.ts';
import { addDeviceOptions, PROGRESS, YES } from './options.ts';
import { oneOf, parameters } from './parsers.ts';

export const PROPOSALS = {
  proposals: declareGroup(
    'templates proposed for devices that are new, replaced or reset; nothing is written without a yes',
    {
      list: declareCommand('list what is proposed today; asks no device', 'proposals'),
      apply: declareCommand(
        'plan what is proposed for these devices, and apply it',
        'proposals apply --device Lobby --yes',
        (command) =>
          addDeviceOptions(command)
            .option('--rule <id>', 'only what this rule proposes')
            .option('--yes', YES)
            .option('--progress', PROGRESS),
      ),
      dismiss: declareCommand(
        'drop what is proposed for these devices',
        'proposals dismiss --device Lobby',
        (command) => addDeviceOptions(command).option('--rule <id>', 'only what this rule proposes'),
      ),
      rules: declareCommand('list the rules', 'proposals rules'),
      add: declareCommand(
        'propose a template from now on for the devices of a kind, site or tag',
        'proposals add --template site-basics --site Harbour --kind gate',
        (command) =>
          command
            .requiredOption('--template <template>', 'a template that the app holds, by id or name')
            .option('--kind <kind>', 'devices of this kind', oneOf(DEVICE_KINDS))
            .option('--site <site>', 'devices of this site')
            .option('--tag <tag>', 'devices with this tag')
            .option('--value <name=value>', 'value of a variable; may be repeated', parameters),
      ),
      remove: declareCommand('forget a rule', 'proposals remove p-75bbff2a5e8f', (command) =>
        command.arguments('<id>'),
      ),
    },
    'list',
  ),
};
