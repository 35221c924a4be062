/** People on terminals. */
import type { Command } from 'commander';
import { collect, withDevices, withGlobals } from '../options.ts';
import { PROGRESS, YES } from './jobs.ts';
import type { Runner } from './runner.ts';

export function addUsersCommands(program: Command, run: Runner): void {
  const users = program.command('users').description('people on access terminals');
  const load = () => import('../commands/users.ts');
  withDevices(withGlobals(users.command('list').description('people of one or many devices')))
    .option('--search <text>', 'only those in whom the device finds this')
    .action(run(load, 'usersList'));
  withDevices(withGlobals(users.command('export').description('people into a file; secrets stay behind')))
    .option('--out <file>', 'where to; - is standard output')
    .option(
      '--format <csv|ndjson>',
      'csv is safe to open in a spreadsheet; ndjson has all that was told',
      'csv',
    )
    .option('--search <text>', 'only those in whom the device finds this')
    .option('--progress', PROGRESS)
    .action(run(load, 'usersExport'));
  const loadWork = () => import('../commands/users-work.ts');
  const loadFiles = () => import('../commands/users-files.ts');
  withWork(
    withDevices(
      withGlobals(
        users
          .command('import <file>')
          .description('people from CSV or NDJSON to devices; - is standard input'),
      ),
    ),
  )
    .option('--map <column=field>', 'what a column holds; nothing behind the sign leaves it out', collect)
    .option('--format <csv|ndjson>', 'default: by the name of the file')
    .option('--dates <dmy|mdy>', 'what comes first in dates such as 03/04/2030')
    .action(run(loadWork, 'usersImport'));
  withWork(
    withDevices(withGlobals(users.command('copy').description('people of one device to others, with proof'))),
  )
    .option('--from <url|name|id>', 'the device they come from')
    .option('--to <url|name|id>', 'a device they go to; may be repeated', collect)
    .option('--no-fingerprints', 'leave their fingerprints where they are')
    .action(run(loadWork, 'usersCopy'));
  withWork(
    withDevices(
      withGlobals(
        users.command('remove <employee...>').description('people from devices; each device is asked again'),
      ),
    ),
  )
    .option('--everywhere', 'from every access terminal of the inventory, unless devices are named')
    .action(run(loadWork, 'usersRemove'));
  withDevices(withGlobals(users.command('compare').description('who is on which device, and who differs')))
    .option('--all', 'also people who are the same everywhere')
    .action(run(() => import('../commands/users-compare.ts'), 'usersCompare'));
  withGlobals(
    users.command('receipt <job>').description('deletion receipt of a removal, for whoever asked for it'),
  )
    .option('--out <file>', 'where to; - is standard output')
    .action(run(loadFiles, 'usersReceipt'));
  withGlobals(
    users.command('failed <job>').description('rows of a job that went wrong, as a file with reasons'),
  )
    .option('--out <file>', 'where to; - is standard output')
    .action(run(loadFiles, 'usersFailed'));
}

function withWork(command: Command): Command {
  return command
    .option('--dry-run', 'only say what would happen')
    .option(
      '--failed <file>',
      'write the rows that went wrong, with the reason of each, to be imported again',
    )
    .option('--accept-drift', 'also people whom others changed since the plan was made')
    .option('--concurrency <n>', 'devices at a time')
    .option('--yes', YES)
    .option('--progress', PROGRESS);
}
