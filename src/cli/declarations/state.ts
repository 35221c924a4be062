/** Snapshots of devices, and what changed on them. */
import { declareCommand, declareGroup } from './declaration.ts';
import { PROGRESS, addConnectionOptions, YES } from './options.ts';
import { moment } from './parsers.ts';

export const STATE = {
  snapshot: declareGroup(
    'everything that a device shows, as it was at a time',
    {
      take: declareCommand(
        'read everything that a device shows, and keep it without its secrets',
        'snapshot Lobby',
        (command) => addConnectionOptions(command.arguments('<device>')),
      ),
      list: declareCommand('list the snapshots of a device, newest first', 'snapshot list Lobby', (command) =>
        command.arguments('<device>'),
      ),
      show: declareCommand(
        'show the documents of a device as they were',
        'snapshot show Lobby --at 2030-03-01',
        (command) =>
          command
            .arguments('<device>')
            .option('--at <time>', 'a day or ISO 8601; default: now', moment('end'))
            .option('--out <file>', 'write them to a file')
            .option('--force', 'overwrite the file'),
      ),
      compare: declareCommand(
        'list the settings of a device that differ between two times',
        'snapshot compare Lobby --from 2030-03-01',
        (command) =>
          command
            .arguments('<device>')
            .requiredOption('--from <time>', 'a day or ISO 8601', moment('end'))
            .option('--to <time>', 'a day or ISO 8601; default: now', moment('end')),
      ),
      restore: declareCommand(
        'set a device back to what it showed at a time; secrets are in no snapshot and stay as they are',
        'snapshot restore Lobby --at 2030-03-01 --yes',
        (command) =>
          addConnectionOptions(command.arguments('<device>'))
            .requiredOption('--at <time>', 'a day or ISO 8601', moment('end'))
            .option('--progress', PROGRESS)
            .option('--yes', YES),
      ),
    },
    'take',
  ),
  timeline: declareCommand(
    'list what changed on a device, by jobs and outside of Fieldwright',
    'timeline Lobby --since 2030-03-01',
    (command) =>
      command
        .arguments('<device>')
        .option('--since <time>', 'only since this time, a day or ISO 8601', moment('start')),
  ),
};
