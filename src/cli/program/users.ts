/** People on terminals. */
import type { Command } from 'commander';
import { addCommand, collect, addDeviceOptions } from '../options.ts';
import { PROGRESS, YES } from './jobs.ts';
import type { Runner } from './runner.ts';

const DESPITE = "send also what a terminal's own capability, which is not specified, rules out";

export function addUsersCommands(program: Command, run: Runner): void {
  const users = program.command('users').description('people on access terminals');
  const load = () => import('../commands/users.ts');
  addDeviceOptions(addCommand(users, 'list', 'people of one or many devices'))
    .option('--search <text>', 'only those in whom the device finds this')
    .action(run(load, 'listPeople'));
  addDeviceOptions(addCommand(users, 'export', 'people into a file; secrets stay behind'))
    .option('--out <file>', 'where to; - is standard output')
    .option(
      '--format <csv|ndjson>',
      'csv is safe to open in a spreadsheet; ndjson has all that was told',
      'csv',
    )
    .option('--search <text>', 'only those in whom the device finds this')
    .option('--progress', PROGRESS)
    .action(run(load, 'exportPeople'));
  const loadWork = () => import('../commands/users-work.ts');
  const loadFiles = () => import('../commands/users-files.ts');
  withWork(
    addDeviceOptions(
      addCommand(users, 'import <file>', 'people from CSV or NDJSON to devices; - is standard input'),
    ),
  )
    .option('--map <column=field>', 'what a column holds; nothing behind the sign leaves it out', collect)
    .option('--format <csv|ndjson>', 'default: by the name of the file')
    .option('--dates <dmy|mdy>', 'what comes first in dates such as 03/04/2030')
    .option('--despite-capability', DESPITE)
    .action(run(loadWork, 'importPeople'));
  withWork(addDeviceOptions(addCommand(users, 'copy', 'people of one device to others, with proof')))
    .option('--from <url|name|id>', 'the device they come from')
    .option('--to <url|name|id>', 'a device they go to; may be repeated', collect)
    .option('--no-fingerprints', 'leave their fingerprints where they are')
    .option('--replace-others', 'replace people who have the same number and another name there')
    .option('--despite-capability', DESPITE)
    .action(run(loadWork, 'copyPeople'));
  withWork(
    addDeviceOptions(
      addCommand(users, 'remove <employee...>', 'people from devices; each device is asked again'),
    ),
  )
    .option('--everywhere', 'from every access terminal of the inventory, unless devices are named')
    .action(run(loadWork, 'removePeople'));
  addDeviceOptions(addCommand(users, 'compare', 'who is on which device, and who differs'))
    .option('--all', 'also people who are the same everywhere')
    .action(run(() => import('../commands/users-compare.ts'), 'printPeopleComparison'));
  addCommand(users, 'receipt <job>', 'deletion receipt of a removal, for whoever asked for it')
    .option('--out <file>', 'where to; - is standard output')
    .action(run(loadFiles, 'exportRemovalReceipt'));
  addCommand(users, 'failed <job>', 'rows of a job that went wrong, as a file with reasons')
    .option('--out <file>', 'where to; - is standard output')
    .action(run(loadFiles, 'exportFailedPeople'));
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
