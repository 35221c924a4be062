/** Saved states of devices, and putting one onto another device. */
import { declareCommand, declareGroup } from './declaration.ts';
import { PROGRESS, addDeviceOptions, YES } from './options.ts';

export const STATE = {
  state: declareGroup('settings of a device, kept for the day it is replaced', {
    save: declareCommand(
      'read everything a template can set and keep it; secrets are never kept',
      'state save --device Lobby',
      (command) =>
        addDeviceOptions(command).option('--name <name>', 'name of the state; default: that of the device'),
    ),
    list: declareCommand('list saved states, newest first', 'state list'),
    show: declareCommand('show a saved state and its template', 'state show s-75bbff2a5e8f', (command) =>
      command.arguments('<id>'),
    ),
    remove: declareCommand('forget a saved state', 'state remove s-75bbff2a5e8f', (command) =>
      command.arguments('<id>'),
    ),
  }),
  swap: declareCommand(
    'put a saved state onto another device; shows first what is kept, converted and lost',
    'swap --state s-75bbff2a5e8f --device http://192.0.2.18',
    (command) =>
      addDeviceOptions(command)
        .requiredOption('--state <id>', 'the saved state')
        .option('--yes', YES)
        .option('--progress', PROGRESS),
  ),
};
