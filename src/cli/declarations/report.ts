/** Reports of one or many devices. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { REPORT_FILE_FORMATS } from '#shared/reports.ts';
import { declareCommand, declareGroup, type NoOptions, type OptionsOf } from './declaration.ts';
import { addDeviceOptions } from './options.ts';
import { moment, oneOf, repeated } from './parsers.ts';

function addFileOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .requiredOption('--out <file>', 'where to; - is standard output')
    .option('--force', 'replace the file')
    .option(
      '--format <html|pdf|csv|json>',
      'by the ending of the file where it is left out',
      oneOf(REPORT_FILE_FORMATS),
    )
    .option(
      '--branding <file>',
      'company, lines and logo (a PNG or JPEG beside it) of the cover; YAML or JSON',
    );
}

function addReportOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return addFileOptions(addDeviceOptions(command).option('--all', 'all devices of the inventory'))
    .option('--offline', 'from what was read before; nothing is sent')
    .option('--progress', 'print each device as it is read');
}

export type ReportFileOptions = OptionsOf<typeof addFileOptions<[], NoOptions>>;
export type ReportOptions = OptionsOf<typeof addReportOptions<[], NoOptions>>;

export const REPORT = {
  report: declareGroup('reports of one or many devices, as files', {
    capabilities: declareCommand(
      'report what devices claim beside what they answer',
      'report capabilities --tag gates --out capabilities.html',
      addReportOptions,
    ),
    comparison: declareCommand(
      'compare devices with each other, with themselves on another day, or with a hand-over document',
      'report comparison --device Lobby --since 2030-03-01 --out lobby.html',
      (command) =>
        addReportOptions(command)
          .option('--since <date>', 'each device with what was read of it by then', moment('end'))
          .option(
            '--with <file>',
            'a hand-over document (json, html or pdf): the warranty check; its hash is verified first',
          )
          .option('--all-values', 'also what is the same'),
    ),
    handover: declareCommand(
      'write the hand-over document of a site; as csv its punch list',
      'report handover --site Harbour --details details.yaml --out harbour.pdf',
      (command) =>
        addReportOptions(command).option(
          '--details <file>',
          'checks, open points, keys, warranty, signatures; YAML or JSON (see report details); default: what is kept with the site',
        ),
    ),
    receipt: declareCommand(
      'write the receipt of a job of any kind: the result on each device, and the settings that it changed',
      'report receipt j-75bbff2a5e8f --out receipt.pdf',
      (command) => addFileOptions(command.arguments('<job>')),
    ),
    details: declareCommand(
      'write what is kept with a site for its hand-over document, or an example to be filled in; or keep such a file with it',
      'report details --site Harbour --from details.yaml',
      (command) =>
        command
          .option('--site <site>', 'the site; default: devices without a site')
          .option('--out <file>', 'where to; - is standard output')
          .option('--from <file>', 'a file to keep; YAML or JSON, - is standard input')
          .option('--force', 'replace the file'),
    ),
    diagnostics: declareCommand(
      'write versions, devices, journal, log and answers of devices, redacted, for support',
      'report diagnostics --out diagnostics.html',
      (command) =>
        addReportOptions(command).option(
          '--operation <id>',
          'a read whose answer goes into it; may be repeated',
          repeated(),
        ),
    ),
  }),
};
