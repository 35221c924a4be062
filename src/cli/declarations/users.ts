/** People on terminals. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { declareCommand, declareGroup, type NoOptions, type OptionsOf } from './declaration.ts';
import { PROGRESS, addConcurrency, addDeviceOptions, addWhenBack, YES } from './options.ts';
import { columnMap, oneOf, repeated } from './parsers.ts';

const format = oneOf(['csv', 'ndjson']);

/** Adds how a plan on people is shown and carried out. */
function addWorkOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return addWhenBack(addConcurrency(addDeviceOptions(command)))
    .option('--dry-run', 'only say what would happen')
    .option(
      '--failed <file>',
      'write the rows that went wrong, with the reason of each, to be imported again',
    )
    .option('--accept-drift', 'also people whom others changed since the plan was made')
    .option('--yes', YES)
    .option('--progress', PROGRESS);
}

function addSearch<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return addDeviceOptions(command).option(
    '--search <text>',
    'only people in whose record the device finds this',
  );
}

function addJobFile<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command.requiredOption('--out <file>', 'where to; - is standard output');
}

export type PeopleWorkOptions = OptionsOf<typeof addWorkOptions<[], NoOptions>>;

export const USERS = {
  users: declareGroup('people on access terminals', {
    list: declareCommand('list people of one or many devices', 'users list --device Lobby', addSearch),
    export: declareCommand(
      'write people to a file; secrets stay behind',
      'users export --tag gates --out people.csv',
      (command) =>
        addSearch(command)
          .requiredOption('--out <file>', 'where to; - is standard output')
          .option(
            '--format <csv|ndjson>',
            'csv is safe to open in a spreadsheet; ndjson has all that the device returned',
            format,
            'csv',
          )
          .option('--progress', PROGRESS),
    ),
    import: declareCommand(
      'add people from CSV or NDJSON to devices; - is standard input',
      'users import people.csv --tag gates --failed failed.csv',
      (command) =>
        addWorkOptions(command.arguments('<file>'))
          .option(
            '--map <column=field>',
            'what a column holds; nothing behind the sign leaves it out',
            columnMap,
          )
          .option('--format <csv|ndjson>', 'default: by the name of the file', format)
          .option('--dates <dmy|mdy>', 'what comes first in dates such as 03/04/2030', oneOf(['dmy', 'mdy'])),
    ),
    copy: declareCommand(
      'copy people of one device to others, with proof',
      'users copy --from Lobby --to "Back door"',
      (command) =>
        addWorkOptions(command)
          .requiredOption('--from <url|name|id>', 'the device they come from')
          .option('--to <url|name|id>', 'a device they go to; may be repeated', repeated())
          .option('--no-fingerprints', 'leave their fingerprints where they are')
          .option('--replace-others', 'replace people who have the same number and another name there'),
    ),
    remove: declareCommand(
      'remove people from devices; each device is asked again',
      'users remove 1001 1002 --everywhere',
      (command) =>
        addWorkOptions(command.arguments('<employee...>')).option(
          '--everywhere',
          'from every access terminal of the inventory, unless devices are named',
        ),
    ),
    compare: declareCommand('compare who is on which device', 'users compare --tag gates', (command) =>
      addDeviceOptions(command).option('--all', 'also people who are the same everywhere'),
    ),
    receipt: declareCommand(
      'write the deletion receipt of a removal',
      'users receipt j-75bbff2a5e8f --out receipt.json',
      (command) => addJobFile(command.arguments('<job>')),
    ),
    failed: declareCommand(
      'write the rows of a job that failed, with reasons',
      'users failed j-75bbff2a5e8f --out failed.csv',
      (command) => addJobFile(command.arguments('<job>')),
    ),
  }),
};
