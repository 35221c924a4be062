/** Reports of one or many devices. */
import type { Command } from 'commander';
import { withDevices, withGlobals } from '../options.ts';
import type { Runner } from './runner.ts';

export function addReportCommands(program: Command, run: Runner): void {
  const report = program.command('report').description('reports of one or many devices, as files');
  const load = () => import('../commands/report.ts');
  withFile(
    withDevices(
      withGlobals(
        report
          .command('capabilities')
          .description('what devices report of themselves beside what they really answer'),
      ),
    ).option('--all', 'all devices of the inventory'),
  ).action((options) =>
    run(options, async (invocation) => (await load()).reportCapabilities(invocation, options)),
  );
}

function withFile(command: Command): Command {
  return command
    .option('--format <html|pdf|csv|json>', 'by the ending of the file where it is left out')
    .option('--out <file>', 'where to; - is standard output')
    .option('--offline', 'from what was read before; nothing is sent')
    .option('--progress', 'tell of each device as it is read')
    .option('--force', 'replace the file');
}
