/** Reports of one or many devices. */
import type { Command } from 'commander';
import { addCommand, collect, addDeviceOptions } from '../options.ts';
import type { Runner } from './runner.ts';

export function addReportCommands(program: Command, run: Runner): void {
  const report = program.command('report').description('reports of one or many devices, as files');
  const load = () => import('../commands/report.ts');
  withFile(
    withChoice(
      addCommand(report, 'capabilities', 'what devices report of themselves beside what they really answer'),
    ),
  ).action(run(load, 'reportCapabilities'));
  withFile(
    withChoice(
      addCommand(
        report,
        'comparison',
        'devices with each other, with themselves on another day, or with a hand-over document',
      ),
    ),
  )
    .option('--since <date>', 'each device with what was read of it by then')
    .option(
      '--with <file>',
      'a hand-over document (json, html or pdf): the warranty check; its hash is verified first',
    )
    .option('--all-values', 'also what is the same')
    .action(run(load, 'reportComparison'));
  withFile(
    withChoice(addCommand(report, 'handover', 'the hand-over document of a site; as csv its punch list')),
  )
    .option(
      '--details <file>',
      'what only people know: checks, open points, keys, warranty, signatures; YAML or JSON (see report details)',
    )
    .action(run(load, 'reportHandover'));
  addCommand(report, 'details', 'a details file of a hand-over document, to be filled in')
    .option('--out <file>', 'where to; - is standard output')
    .option('--force', 'replace the file')
    .action(run(load, 'reportDetails'));
  withFile(
    withChoice(
      addCommand(
        report,
        'diagnostics',
        'versions, devices, journal, log and answers of devices, redacted: for somebody who helps',
      ),
    ),
  )
    .option('--operation <id>', 'a read whose answer goes into it; may be repeated', collect)
    .action(run(load, 'reportDiagnostics'));
}

function withChoice(command: Command): Command {
  return addDeviceOptions(command).option('--all', 'all devices of the inventory');
}

function withFile(command: Command): Command {
  return command
    .option('--format <html|pdf|csv|json>', 'by the ending of the file where it is left out')
    .option('--out <file>', 'where to; - is standard output')
    .option(
      '--branding <file>',
      'company, lines and logo (a PNG or JPEG beside it) of the cover; YAML or JSON',
    )
    .option('--offline', 'from what was read before; nothing is sent')
    .option('--progress', 'tell of each device as it is read')
    .option('--force', 'replace the file');
}
