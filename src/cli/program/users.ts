/** People on terminals. */
import type { Command } from 'commander';
import { withDevices, withGlobals } from '../options.ts';
import { PROGRESS } from './jobs.ts';
import type { Runner } from './runner.ts';

export function addUsersCommands(program: Command, run: Runner): void {
  const users = program.command('users').description('people on access terminals');
  const load = () => import('../commands/users.ts');
  withDevices(withGlobals(users.command('list').description('people of one or many devices')))
    .option('--search <text>', 'only those in whom the device finds this')
    .action((options) => run(options, async (invocation) => (await load()).usersList(invocation, options)));
  withDevices(withGlobals(users.command('export').description('people into a file; secrets stay behind')))
    .option('--out <file>', 'where to; - is standard output')
    .option(
      '--format <csv|ndjson>',
      'csv is safe to open in a spreadsheet; ndjson has all that was told',
      'csv',
    )
    .option('--search <text>', 'only those in whom the device finds this')
    .option('--progress', PROGRESS)
    .action((options) => run(options, async (invocation) => (await load()).usersExport(invocation, options)));
}
